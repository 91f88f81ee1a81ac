// SPDX-License-Identifier: GPL-3.0-or-later
// Structs in an array, in a struct, of which one field of one element is never set right.
// stack: step@0 main@M
#include <stdio.h>
#define count 8
typedef struct {
    double position[3];
    double speed;
    int id, cell;
} particle_t;
typedef struct {
    particle_t particles[count];
    int used;
    double time;
} box_t;
static box_t box;
static void place(box_t *in) {
    for (int i = 0; i < count; i++) {         // IN
        in->particles[i].position[0] = i;     // IN
        in->particles[i].position[1] = 2 * i; // OUT
        in->particles[i].speed = 0.5 * i;     // IN
        in->particles[i].id = 100 + i;        // OUT
        in->particles[i].cell = i / 2;        // OUT
    }
    in->used = count; // IN
}
static void stop(box_t *in, int which) {
    particle_t *it = &in->particles[which]; // IN
    it->speed = 0;                          // IN
    it->cell = -1;                          // OUT
}
static void step(box_t *in) {
    int last = in->used - 1;                                        // IN
    while (in->particles[last].position[0] < 50) {                  // IN @0
        for (int i = 0; i < in->used; i++)                          // IN
            in->particles[i].position[0] += in->particles[i].speed; // IN
        in->time += 0.1;                                            // OUT
    }
    printf("%g\n", in->time); // OUT
}
int main(int argc, char **argv) {
    (void)argv;
    int which = argc + 6;                                        // IN
    place(&box);                                                 // IN
    stop(&box, which);                                           // IN
    step(&box);                                                  // IN @M
    printf("%d\n", box.particles[0].id + box.particles[1].cell); // OUT
    return 0;                                                    // OUT
}
