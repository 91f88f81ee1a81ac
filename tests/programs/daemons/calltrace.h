// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes what is kept in memory, once. For programs that end by a system call; elsewhere it happens by itself.
void calltrace_flush(void) __attribute__((weak));
