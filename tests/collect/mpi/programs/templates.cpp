// SPDX-License-Identifier: GPL-3.0-or-later
// Announces every function, those of the C++ library's templates too, among them instances that the recorder uses itself.
#include <mpi.h>

#include <cstdio>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::deque<unsigned long> numbers;
    std::map<std::string, unsigned long> byName;
    std::unordered_map<unsigned long, unsigned long> byNumber;
    for (unsigned long i = 0; i < 20; ++i) {
        numbers.push_back(i);
        byName[std::to_string(i)] = i;
        byNumber[i] = i;
        MPI_Request request;
        MPI_Isend(&i, 1, MPI_UNSIGNED_LONG, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    numbers.erase(numbers.begin() + 3);
    std::printf("%zu\n", numbers.size() + byName.size() + byNumber.size());
    MPI_Finalize();
    return 0;
}
