// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"
#include "trace/RankSet.h"
#include "trace/Warning.h"
#include "trace/Work.h"
#include "trace/recording/Histogram.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard::recording {

/// What the recorder's summary (mode `model`, or beside a trace) leaves of a job: states as call stacks, transitions with their
/// times, where each rank is, and what it waits for. States, ranks and communicators are positions in the tables here.
struct RecordedModels {
    /// Statistics of the time spent in a state before a transition was taken, in seconds.
    struct Times {
        std::uint64_t count = 0;
        double mean = 0;
        double squares = 0; ///< sum of squared deviations from the mean
        double shortest = 0;
        double longest = 0;
        Histogram histogram;
    };
    struct Transition {
        std::uint32_t from = 0; ///< in `set.states`
        std::uint32_t to = 0;
        std::int32_t phase = 0; ///< index of the phase, from 0
        Times times;
    };
    struct State {
        std::string operation; ///< "MPI_Recv": of Communication the call, of Computation the call it follows; empty at the start
        std::string datatype;  ///< as recorded; may be empty
        /// Innermost first, as `set.states[i].stack`: where each frame lies in the binary. Frames that were inlined share one.
        struct Place {
            std::string module;  ///< path; empty for MPI operations and where unknown
            std::string buildId; ///< lower-case hex
            std::uint64_t offset = 0;
            bool isInlined = false; ///< the next frame is the code it was inlined into
        };
        std::vector<Place> places;
    };
    enum class PendingKind : std::uint8_t { Send, Receive, Collective };
    struct Pending {
        PendingKind kind = PendingKind::Send;
        std::uint32_t state = none; ///< of the posting call, in `set.states`
        std::uint32_t peer = none;  ///< world rank; of collectives the root
        bool anySource = false;
        std::uint32_t tag = 0;
        bool anyTag = false;
        std::uint32_t communicator = none;
        std::uint64_t bytes = 0;
        double posted = 0;       ///< seconds from the start of the job
        bool isOpenCall = false; ///< a part of the call that the rank is in, not a request of an earlier one
    };
    /// Messages with one peer, or collectives of one communicator, since the start.
    struct Count {
        enum class Kind : std::uint8_t { Sends, Receives, Collectives };
        Kind kind = Kind::Sends;
        std::uint32_t communicator = none;
        std::uint32_t peer = none;
        std::uint32_t tag = 0; ///< of Sends and Receives
        std::uint64_t begun = 0;
        std::uint64_t completed = 0; ///< of Collectives
        std::uint64_t bytes = 0;
    };
    enum class End : std::uint8_t { Running, Killed, Exited, Signalled, Replaced, Missing };
    struct RankModel {
        bool isThere = false; ///< false: the recording has no file of this rank
        std::string host;
        std::int32_t pid = 0;
        End end = End::Missing;
        std::int32_t endValue = 0;           ///< exit status or signal
        double since = 0;                    ///< when it entered its current state, in seconds from the start of the job
        std::vector<Transition> transitions; ///< of the main thread, sorted by (from, to, phase)
        std::vector<Pending> pending;
        std::vector<Count> counts;
    };
    struct Communicator {
        std::uint64_t key = 0;
        std::string name;
        std::vector<Rank> members; ///< world ranks in order
        std::uint32_t parent = none;
        bool isSelf = false;
    };

    ModelSet set;              ///< states with their stacks, models without times, current and last states
    std::vector<State> states; ///< as `set.states`
    std::vector<RankModel> ranks;
    std::vector<Communicator> communicators;
    double seconds = 0;         ///< how long the job lasted, as far as known
    std::string program;        ///< path
    std::uint64_t startUtc = 0; ///< nanoseconds since 1970 UTC
    std::vector<Warning> warnings;
};

/// Reads the models of a recording: its folder, or one of its files. In mode `trace`, which keeps no summary, there are none:
/// every rank's transitions are empty. Throws ReadError and Cancelled.
[[nodiscard]] RecordedModels readModels(const std::string &path, const Work &work);

} // namespace laggard::recording
