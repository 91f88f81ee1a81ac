// SPDX-License-Identifier: GPL-3.0-or-later
// What every example program shares: its options, the choice of one fault, the truth about it, start values, the result.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Small helpers that should show neither in traces of functions nor as frames of their own.
#define HELPER static inline __attribute__((always_inline, no_instrument_function))

enum { NOBODY = -1 };

struct options {
    const char *program;
    int steps;         // iterations; counted from 1
    int size;          // size of the problem; each program says what it counts
    unsigned seed;     // seed of the start values
    const char *fault; // kind, or "none"
    int fault_rank;
    int fault_step;
    const char *truth; // file that the truth is written to when the fault strikes, or null
    int rank;          // in MPI_COMM_WORLD
    int ranks;
    int also_accepted; // a further rank that is a right answer to who is at fault, or NOBODY
    int told;          // the truth has been written
};

// Reads the command line; call it right after MPI_Init. `faults` lists the kinds that the program has, separated by spaces.
// On --help or a mistake it prints on rank 0, finalizes MPI and exits (0 or 2).
struct options read_options(int argc, char **argv, const char *program, int steps, int size, const char *faults);

// Prints the sentence on rank 0, finalizes MPI and exits with 2. All ranks call it.
void refuse(const struct options *opt, const char *sentence);

// Whether this rank is to fail in this way now. The first time it is, the truth is written: `function` is where the fault
// lies, `peer` the rank that the missing or misplaced message is for or from (accepted as an answer as well), or NOBODY.
// "slow" and "lost-credits" last from the step on, all others belong to one step.
int fault_strikes(struct options *opt, const char *kind, int step, const char *function, int peer);

// The same for a fault that two ranks have in common: the chosen rank and `partner`, the partner of the chosen one.
int fault_strikes_pair(struct options *opt, const char *kind, int step, const char *function, int partner);

// A number in [0, 1) that depends on nothing but its arguments, so that results do not depend on the number of ranks.
double start_value(unsigned seed, long index);

void print_checksum(const struct options *opt, double checksum);

#ifdef __cplusplus
}
#endif
