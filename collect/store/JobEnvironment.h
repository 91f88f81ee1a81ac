// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard::collect {

/// Rank of this process by what its launcher put into the environment (Slurm, PMI, PMIx, Open MPI, …); -1 if nothing says it.
[[nodiscard]] std::int32_t environmentRank();

/// A name for the job, the same in all its processes: the batch system's number with the step; else, by the launcher process
/// above this one, its number and start ("4711-1f3a2c"); else that of this process itself.
void environmentJob(char (&name)[64]);

/// Writes one sentence to stderr, as "laggard-record: …". Only the first process of the job speaks (rank 0, or one that knows no
/// rank), unless `always`.
void say(const char *sentence, bool always = false);

} // namespace laggard::collect
