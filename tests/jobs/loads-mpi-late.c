// SPDX-License-Identifier: GPL-3.0-or-later
// Loads Open MPI when it runs, as an interpreter's module does, and calls it.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL) == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_DEFAULT, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "MPI_Finalize");
    return init == NULL || finalize == NULL || init(&argc, &argv) != 0 || finalize() != 0;
}
