// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for each MPI: the only code of laggard-analyze that calls it.
#include "app/across/mpi/AcrossMpi.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr int sizeTag = 1;
constexpr int bytesTag = 2;
constexpr std::uint64_t mostAtOnce = std::uint64_t{1} << 30U; // a count of MPI is an int

int start(int *rank, int *size) {
    int provided = 0;
    int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided); // analyses have threads, MPI has one
    if (error == MPI_SUCCESS)
        error = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return error == MPI_SUCCESS ? MPI_Comm_size(MPI_COMM_WORLD, size) : error;
}

int send(int to, const void *bytes, std::uint64_t size) {
    int error = MPI_Send(&size, 1, MPI_UINT64_T, to, sizeTag, MPI_COMM_WORLD);
    for (std::uint64_t done = 0; done < size && error == MPI_SUCCESS; done += mostAtOnce)
        error = MPI_Send(static_cast<const char *>(bytes) + done, static_cast<int>(std::min(mostAtOnce, size - done)), MPI_BYTE,
                         to, bytesTag, MPI_COMM_WORLD);
    return error;
}

int receiveSize(int from, std::uint64_t *size) {
    return MPI_Recv(size, 1, MPI_UINT64_T, from, sizeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int receive(int from, void *bytes, std::uint64_t size) {
    int error = MPI_SUCCESS;
    for (std::uint64_t done = 0; done < size && error == MPI_SUCCESS; done += mostAtOnce)
        error = MPI_Recv(static_cast<char *>(bytes) + done, static_cast<int>(std::min(mostAtOnce, size - done)), MPI_BYTE, from,
                         bytesTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return error;
}

int exchangeSizes(const std::uint64_t *out, std::uint64_t *in) {
    return MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}

/// How many of `size` bytes go in round number `round`, if each round takes `most` of them.
int partOf(std::uint64_t size, std::uint64_t round, std::uint64_t most) {
    return size <= round * most ? 0 : static_cast<int>(std::min(most, size - round * most));
}

int exchange(const void *const *out, const std::uint64_t *outSizes, void *const *in, const std::uint64_t *inSizes) {
    int processes = 0;
    int error = MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (error != MPI_SUCCESS)
        return error;
    const auto size = static_cast<std::size_t>(processes);
    const std::uint64_t most = mostAtOnce / size;
    std::uint64_t largest = std::max(*std::max_element(outSizes, outSizes + size), *std::max_element(inSizes, inSizes + size));
    error = MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    std::vector<int> outCounts(size), outAt(size), inCounts(size), inAt(size);
    std::vector<char> outBytes, inBytes;
    for (std::uint64_t round = 0; round * most < largest && error == MPI_SUCCESS; ++round) {
        int outEnd = 0;
        int inEnd = 0;
        for (std::size_t i = 0; i < size; ++i) {
            outCounts[i] = partOf(outSizes[i], round, most);
            inCounts[i] = partOf(inSizes[i], round, most);
            outAt[i] = outEnd;
            inAt[i] = inEnd;
            outEnd += outCounts[i];
            inEnd += inCounts[i];
        }
        outBytes.resize(static_cast<std::size_t>(outEnd));
        inBytes.resize(static_cast<std::size_t>(inEnd));
        for (std::size_t i = 0; i < size; ++i)
            if (outCounts[i] != 0)
                std::memcpy(outBytes.data() + outAt[i], static_cast<const char *>(out[i]) + round * most,
                            static_cast<std::size_t>(outCounts[i]));
        error = MPI_Alltoallv(outBytes.data(), outCounts.data(), outAt.data(), MPI_BYTE, inBytes.data(), inCounts.data(),
                              inAt.data(), MPI_BYTE, MPI_COMM_WORLD);
        for (std::size_t i = 0; i < size; ++i)
            if (inCounts[i] != 0)
                std::memcpy(static_cast<char *>(in[i]) + round * most, inBytes.data() + inAt[i],
                            static_cast<std::size_t>(inCounts[i]));
    }
    return error;
}

int finish() { return MPI_Finalize(); }

void abortAll(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

void describe(int error, char *text, int size) {
    char whole[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (MPI_Error_string(error, whole, &length) != MPI_SUCCESS)
        std::strcpy(whole, "an unknown error");
    std::strncpy(text, whole, static_cast<std::size_t>(size) - 1);
    text[size - 1] = '\0';
}

} // namespace

const LaggardAcrossMpi *laggard_across_mpi() {
    static const LaggardAcrossMpi functions{laggardAcrossVersion, start,    send,   receiveSize, receive,
                                            exchangeSizes,        exchange, finish, abortAll,    describe};
    return &functions;
}
