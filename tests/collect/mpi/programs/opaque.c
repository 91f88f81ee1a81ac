// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without unwind tables and frame pointer: nobody knows where its caller is.
void call_without_unwinding(void (*function)(int), int argument);

void call_without_unwinding(void (*function)(int), int argument) {
    volatile char room[200];
    room[0] = 1;
    function(argument);
    room[1] = 2;
}
