// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/PhaseModels.h"
#include "trace/StackSamples.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace laggard::modeldump {

/// A rank as it is written, or its distance from the rank of the entry.
using WrittenPeer = std::int64_t;
inline constexpr WrittenPeer noPeer = std::numeric_limits<std::int64_t>::max();

/// One file as it is written: numbers are the file's own and not yet checked.
struct DumpContent {
    struct Path {
        std::uint32_t parent, function, site;
    };
    struct Host {
        std::string name;
        RankRanges ranks;
    };
    struct End {
        RankRanges ranks;
        ProcessEnd end;
        Tick hangNoticed = openEnd;
    };
    struct Run {
        std::uint64_t first, count;
        std::int64_t step;
    };
    struct WrittenCommunicator {
        std::string key; ///< the same in all files of a job; empty where there is one file
        std::string name;
        std::uint32_t parent = none;
        bool isSelf = false;
        std::vector<Run> members;
    };
    struct State {
        ModelState::Kind kind = ModelState::Kind::Start;
        std::uint32_t path = none;
        std::string datatype;
    };
    struct Model {
        RankRanges ranks;
        std::vector<Transition> transitions;
    };
    struct Task {
        RankRanges ranks;
        std::uint32_t state = none;
        std::uint32_t last = none;
        bool hasLast = false;
    };
    struct WrittenActivity {
        RankRanges ranks;
        Activity::Kind kind = Activity::Kind::Unknown;
        std::uint32_t path = none;
        std::uint32_t mpiPath = none;
        std::uint32_t site = none;
    };
    struct PeerMessages {
        WrittenPeer peer = noPeer;
        MessageCount count;
    };
    struct Messages {
        RankRanges ranks;
        bool relative = false;
        std::vector<PeerMessages> sent;
        std::vector<PeerMessages> received;
    };
    struct Receive {
        WrittenPeer from = noPeer;
        ExpectedReceive receive;
    };
    struct Send {
        WrittenPeer to = noPeer;
        AwaitedSend send;
    };
    struct Open {
        RankRanges ranks;
        bool relative = false;
        OpenCall call; ///< without receives and sends
        std::vector<Receive> receives;
        std::vector<Send> sends;
    };
    struct Collectives {
        RankRanges ranks;
        std::vector<CollectiveCount> counts;
    };
    struct Request {
        WrittenPeer peer = noPeer;
        DumpedRequest request;
    };
    struct Sampled {
        RankRanges ranks;
        SampledStack stack; ///< without its rank
    };
    struct Answer {
        DumpedAnswer answer;  ///< without ranks, which stand below
        bool isWhole = false; ///< all that must be there is, in words that are known
        RankRanges headline, crashed, byWaits, leastProgressed;
        std::vector<RankRanges> ofFindings;
    };
    struct Pending {
        RankRanges ranks;
        bool relative = false;
        std::vector<Request> requests;
    };

    std::string file;
    std::uint64_t rankCount = 0;
    std::string source, format, creator;
    std::uint64_t ticksPerSecond = 1'000'000'000;
    std::uint64_t ticks = 0;
    std::uint64_t startUtc = 0;
    std::uint64_t events = 0;
    std::uint64_t messageCount = 0;
    bool tellsOpenCalls = false;
    std::vector<Warning> warnings;
    std::vector<Region> functions;
    std::vector<CodePlace> places;
    std::vector<CallSite> sites;
    std::vector<Path> paths;
    std::vector<Host> hosts;
    std::vector<std::int32_t> pids;
    std::vector<End> ends;
    RankRanges damaged;
    std::uint32_t world = none;
    std::vector<WrittenCommunicator> communicators;
    std::vector<State> states;
    std::vector<Model> models;
    std::vector<Task> tasks;
    bool hasPhaseModels = false;
    PhaseModels phaseModels;        ///< without ranks
    std::vector<Rank> rankOfPhases; ///< as `phasesOfRank`
    std::vector<PhaseModels::Rank> phasesOfRank;
    bool hasWaits = false;
    std::uint64_t at = 0;
    std::uint64_t lastEvent = 0;
    std::vector<WrittenActivity> activities;
    std::vector<std::uint64_t> since; ///< by rank, or by the rank of the file
    std::vector<Open> openCalls;
    std::vector<Collectives> collectives;
    std::vector<Messages> messages;
    std::vector<MissingSend> missingSends;
    std::vector<Pending> pending;
    std::optional<Answer> answer;
    bool wasChanged = false; ///< since it was written
    bool hasSamples = false;
    std::vector<std::uint64_t> sampleTimes;
    std::vector<Sampled> sampled;
};

/// Reads one file. Throws ReadError, naming file and place.
[[nodiscard]] DumpContent readContent(const std::string &file);

} // namespace laggard::modeldump
