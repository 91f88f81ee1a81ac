// SPDX-License-Identifier: GPL-3.0-or-later
// An error handler that throws through MPI; the program goes on.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>

static void handle(MPI_Comm *, int *, ...) { throw std::runtime_error("from MPI"); }

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    int value = 0;
    try {
        MPI_Send(&value, 1, MPI_INT, 7, 1, MPI_COMM_SELF);
        std::puts("nothing was thrown");
    } catch (const std::runtime_error &error) {
        std::printf("caught: %s\n", error.what());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
