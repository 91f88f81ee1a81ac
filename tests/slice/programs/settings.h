/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
extern int goal, pace;
extern double tolerance;
extern const char *title;
struct settings {
    int limit, depth;
};
extern struct settings settings;
void configure(int n);
static inline int clipped(int n) { return n > settings.limit ? settings.limit : n; }
