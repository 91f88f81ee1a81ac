// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers from the environment, from a file and from text: those of one line decide.
// stack: iterate main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct input {
    int most, every;
    double tolerance;
    char label[32];
};
static int from_environment(const char *name, int usual) {
    const char *text = getenv(name); // IN
    if (text == NULL)                // IN
        return usual;                // IN
    return atoi(text);               // IN
}
static void read_file(const char *path, struct input *in) {
    char line[128];
    FILE *file = fopen(path, "r");                   // IN
    if (file == NULL)                                // IN
        return;                                      // OUT
    while (fgets(line, sizeof line, file) != NULL) { // IN
        if (strncmp(line, "tolerance", 9) == 0)      // IN
            sscanf(line + 9, "%lf", &in->tolerance); // IN
        else if (strncmp(line, "label", 5) == 0)     // OUT
            sscanf(line + 5, "%31s", in->label);     // OUT
    }
    fclose(file); // OUT
}
static void defaults(struct input *in) {
    in->tolerance = 1e-3;      // IN
    in->every = 10;            // OUT
    strcpy(in->label, "none"); // OUT
}
static int iterate(const struct input *in) {
    double error = 1;                                      // IN
    int n = 0;                                             // OUT
    while (error > in->tolerance) {                        // IN @0
        error = error * in->most / (in->most + 1.0) + 0.1; // IN
        if (n % in->every == 0)                            // OUT
            printf("%s %d\n", in->label, n);               // OUT
        n++;                                               // OUT
    }
    return n; // OUT
}
int main(int argc, char **argv) {
    struct input in;
    const char *path = argc > 1 ? argv[1] : "input"; // IN
    defaults(&in);                                   // IN
    in.most = from_environment("MOST", 20);          // IN
    in.every = from_environment("EVERY", 5);         // OUT
    read_file(path, &in);                            // IN
    int n = iterate(&in);                            // IN @1
    printf("%d\n", n);                               // OUT
    return 0;                                        // OUT
}
