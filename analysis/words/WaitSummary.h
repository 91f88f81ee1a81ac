// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// "a, b, c" with `last` before the last one.
[[nodiscard]] std::string joined(const std::vector<std::string> &parts, std::string_view last);

/// "15 ranks wait for it in MPI_Allreduce", of those that the verdict names.
[[nodiscard]] std::string waitersClause(const Trace &trace, const WaitForGraph &waits);

/// " (rank 3 in MPI_Recv, called from sum (sum.c:7))", where all who wait for those named directly are in one call that they have
/// made themselves.
[[nodiscard]] std::string waitersPlace(const Trace &trace, const WaitForGraph &waits);

/// ", after 29 of the 30 collectives on MPI_COMM_WORLD that the others have come to", if one rank is named and they wait in one.
[[nodiscard]] std::string collectivesClause(const Trace &trace, const WaitForGraph &waits);

/// "Rank 1 has made no progress since 412 ms: it spins in a loop of MPI calls that return, MPI_Waitall, called from f (a.c:20)
/// (31,204 times), and nothing came of them; 3 ranks wait for it in MPI_Barrier." The verdict must have loops.
[[nodiscard]] std::string summariseLoops(const Trace &trace, const WaitForGraph &waits);

/// ", below wait_for_file (stage.c:31), which has called nap (stage.c:26) 112 times since 3.5 s", of one rank that computes and
/// moves; else empty.
[[nodiscard]] std::string functionLoopClause(const Trace &trace, const WaitForGraph &waits);

/// " Before that, at 1.9 s, rank 1 made MPI_File_write_at, called from f (a.c:46), where 3 other ranks made
/// MPI_File_write_at_all, called from f (a.c:48)."; empty where that is not known.
[[nodiscard]] std::string describeParting(const Trace &trace, const WaitForVerdict &verdict);

/// For a job that ended while it ran: how long those had waited that waited then, which blames nobody.
[[nodiscard]] std::string describeLongestWait(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
