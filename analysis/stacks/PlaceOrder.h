// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <map>
#include <string>
#include <vector>

namespace laggard {

/// In which order the ranks of an earlier, sound run came to the places where its program calls MPI, for the stacks of another
/// run of the same program. A place is an MPI function with its callers and their lines.
class PlaceOrder {
  public:
    /// Throws Cancelled. A summary (model dump) has no history: no place is known.
    PlaceOrder(const Trace &reference, const Work &work);

    enum class Order : std::uint8_t { Open, Before, After };

    /// The place of an open MPI call of another job. Several, if what is known of its callers fits several; empty: the reference
    /// never was there.
    [[nodiscard]] std::vector<std::uint32_t> placesOf(const Trace &job, CallPathId mpiCall) const;
    /// Whether a rank at `a` has come less far than one at `b`, another place: there is a way from `a` to `b`, and none back (PDI
    /// §3.2, Table 1: P = 0), through steps that no collective of all ranks separates. In that no two ranks are further apart
    /// than from one of these collectives to the next, so that rounds of a loop are told apart. Without one, places of one loop
    /// stay open.
    [[nodiscard]] Order compare(std::uint32_t a, std::uint32_t b) const;

  private:
    struct Place {
        std::vector<Frame> stack; ///< the MPI function first, its name as in C without prefix
        bool joinsAll = false;    ///< a collective of all ranks, that nobody leaves before all have come, in each of its rounds
    };
    std::uint32_t intern(std::vector<Frame> stack);
    void addModels(const ModelSet &models);
    void findCollectivesOfAll(const Trace &reference, const ModelSet &models, const Work &work);
    [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const;

    std::vector<Place> m_places;
    std::map<CallPathId, std::uint32_t> m_placeOfPath; ///< of the reference's call paths
    std::vector<std::vector<std::uint32_t>> m_next;    ///< by place, of all models together, sorted
};

} // namespace laggard
