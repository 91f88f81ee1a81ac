/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be loaded at run time, compiled without frame pointers. */
__attribute__((noinline)) static void inner(void (*call)(void)) {
    volatile char room[200];
    room[0] = 1;
    call();
    room[1] = room[0];
}
void callBack(void (*call)(void));
void callBack(void (*call)(void)) {
    inner(call);
    __asm__ volatile("");
}
