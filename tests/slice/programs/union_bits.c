// SPDX-License-Identifier: GPL-3.0-or-later
// A word is written as bytes and read as a number: one place in memory with two names.
// stack: wait_for main
#include <stdint.h>
#include <stdio.h>
typedef union {
    uint8_t bytes[8];
    uint32_t halves[2];
    uint64_t whole;
} word_t;
typedef struct {
    int kind;
    union {
        double real;
        long integer;
    } as;
    int after;
} value_t;
static uint8_t odd(int n) {
    return (uint8_t)(n | 1); // IN
}
static void fill(word_t *word, value_t *value, int n) {
    for (int i = 0; i < 8; i++)      // IN
        word->bytes[i] = odd(i * n); // IN
    value->kind = 2;                 // OUT
    value->as.integer = n - 5;       // IN
    value->after = 9;                // OUT
}
static void wait_for(const word_t *word, const value_t *value) {
    double done = 0;               // IN
    long rounds = 0;               // OUT
    while (done < 1.0) {           // IN @0
        if (word->whole % 2 == 0)  // IN
            done = value->as.real; // IN
        rounds++;                  // OUT
    }
    printf("%ld %d\n", rounds, value->after); // OUT
}
int main(int argc, char **argv) {
    word_t word, other;
    value_t value;
    (void)argv;
    other.whole = 12;                // OUT
    other.halves[1] = 4;             // OUT
    fill(&word, &value, argc);       // IN
    printf("%u\n", other.halves[0]); // OUT
    wait_for(&word, &value);         // IN @1
    return value.kind;               // OUT
}
