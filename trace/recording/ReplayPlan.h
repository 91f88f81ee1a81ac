// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// What a replayed process is told: one text file per rank, written before the job starts and read at MPI_Init. Lines of words
/// with single spaces between them; numbers are decimal.
///
///   laggard-replay 1
///   rank RANK of SIZE
///   wait SECONDS      so long does a call take at most while the recorded path is followed
///   calls NUMBER      the path ends behind this call of the rank: what follows is free
///   ends WHY          recording, exchange or other: why it ends there
///   then in the order of the calls, each with the number of its call:
///   R CALL OPERATION SOURCE TAG COMMUNICATOR FROM WITH   a receive or probe that asks for SOURCE, TAG: FROM, WITH is what it got
///   N CALL OPERATION SOURCE TAG COMMUNICATOR             a receive that was cancelled: it gets nothing
///   U CALL OPERATION SOURCE TAG COMMUNICATOR             a receive of which it is not known: as the program asks
///   C CALL OPERATION AWAITED REQUEST…                    a completion (MPI_Waitany, MPI_Test …): these requests were complete
///   P CALL OPERATION SOURCE TAG COMMUNICATOR NUMBER      so many probes with this result: nothing there
///   T CALL OPERATION AWAITED NUMBER                      … so many tests
///
/// Calls of a rank count from 1, MPI_Init; probes and tests that found nothing do not count, and P and T name the last call
/// before them. Sources are ranks in MPI_COMM_WORLD, or as peers in Format.h; communicators and requests have their numbers in
/// the recording. AWAITED is replay::keyOf of the requests that the call asks about.
namespace laggard::recording::replay {

inline constexpr char magic[] = "laggard-replay 1";
inline constexpr char folder[] = "replay"; ///< in the folder of the new recording
inline constexpr char planSuffix[] = ".plan";
inline constexpr char outcomeSuffix[] = ".outcome"; ///< what became of it: one sentence, after one word and a space
// The words.
inline constexpr char following[] = "following"; ///< nothing else was said: it ended on the recorded path
inline constexpr char followed[] = "followed";   ///< to the end of the path
inline constexpr char left[] = "left";           ///< it left the recorded path
inline constexpr char waited[] = "waited";       ///< for what did not come, and was ended
inline constexpr char refused[] = "refused";     ///< the job is another one

/// So that one number says whether two calls ask about the same requests. FNV-1a over the numbers.
template <typename Requests> constexpr std::uint64_t keyOf(const Requests &requests) {
    std::uint64_t key = 0xCBF29CE484222325U;
    for (const std::uint64_t request : requests)
        key = (key ^ request) * 0x100000001B3U;
    return key;
}

} // namespace laggard::recording::replay
