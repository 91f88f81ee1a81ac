// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiCall.h"
#include "trace/Trace.h"

#include <cstdint>
#include <vector>

namespace laggard {

/// An MPI call that was not made by another MPI function, with what the recorder took in it, in ticks.
struct CostedCall {
    Tick start = 0;
    Tick begun = 0; ///< the recorder was done at entry, and MPI began: start <= begun <= end
    Tick end = 0;   ///< MPI returned; the recorder follows
    std::uint32_t row = none;
    bool polls = false;          ///< asks and returns at once (MPI_Test, MPI_Iprobe), or a run of such calls
    std::uint64_t pollCount = 0; ///< polls in a run of such calls; 0: it is a single call
};

/// What the recorder took of the time of one location.
class RecorderTime {
  public:
    RecorderTime(const Trace &trace, const LocationEvents &events, const MpiCallTable &mpi);

    [[nodiscard]] const std::vector<CostedCall> &calls() const { return m_calls; }
    /// Position of the call that a record at `time` belongs to: a send to the one that begins at its time or last before it, a
    /// completion to the one that ends at its time or first after it. `none` if there is none.
    [[nodiscard]] std::size_t callOfSend(Tick time) const;
    [[nodiscard]] std::size_t callOfCompletion(Tick time) const;
    /// The recorder's own time from the beginning to `time`.
    [[nodiscard]] Tick until(Tick time) const;
    /// Where it worked, in order, without overlaps.
    struct Stretch {
        Tick begin = 0;
        Tick end = 0;
        Tick before = 0; ///< all that it took before
    };
    [[nodiscard]] const std::vector<Stretch> &stretches() const { return m_stretches; }

  private:
    void add(Tick begin, Tick end);

    std::vector<CostedCall> m_calls;
    std::vector<Stretch> m_stretches;
};

/// What recording one entry or exit of an announced function takes: of at least so many that are nested or follow at once, the
/// shortest distance but one in a hundred, as an empty function shows it; at most `most`. 0 where too few are there.
[[nodiscard]] Tick costOfFunctionEvent(const Trace &trace, const LocationEvents &events, const MpiCallTable &mpi);

} // namespace laggard
