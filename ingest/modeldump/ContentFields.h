// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpContent.h"
#include "trace/Packed.h"

#include <type_traits>

/// How the content of a dump is packed (trace/Packed.h). Phase models are not: they stay where they were read.
namespace laggard {

template <typename A> void packFields(A &a, Warning::Datum &v) {
    bool isNumber = v.value.index() == 0;
    a(v.key, isNumber);
    if (isNumber && v.value.index() != 0) // read: the type that was written
        v.value = std::uint64_t{0};
    else if (!isNumber && v.value.index() == 0)
        v.value = std::string();
    if (isNumber)
        a(std::get<std::uint64_t>(v.value));
    else
        a(std::get<std::string>(v.value));
}
template <typename A> void packFields(A &a, Warning &v) { a(v.id, v.severity, v.location, v.place, v.message, v.data); }
template <typename A> void packFields(A &a, Region &v) { a(v.name, v.canonicalName, v.file, v.line, v.role, v.paradigm); }
template <typename A> void packFields(A &a, CodePlace &v) { a(v.module, v.buildId, v.offset); }
template <typename A> void packFields(A &a, CallSite &v) { a(v.file, v.line, v.datatype); }
template <typename A> void packFields(A &a, Frame &v) { a(v.function, v.file, v.line); }
template <typename A> void packFields(A &a, ProcessEnd &v) {
    a(v.kind, v.value, v.time, v.stack, v.exit, v.finalized, v.isStopped, v.lastSeen, v.mpiError, v.mpiErrorTime,
      v.mpiErrorStack);
}
template <typename A> void packFields(A &a, Transition &v) { a(v.from, v.to, v.count); }
template <typename A> void packFields(A &a, MessageCount &v) { a(v.peer, v.communicator, v.tag, v.messages, v.bytes, v.held); }
template <typename A> void packFields(A &a, ExpectedReceive &v) { a(v.from, v.communicator, v.tag, v.anyTag, v.count); }
template <typename A> void packFields(A &a, AwaitedSend &v) { a(v.to, v.isReceived, v.communicator, v.tag, v.postedBy); }
template <typename A> void packFields(A &a, Precedent &v) { a(v.step, v.run, v.tested, v.right, v.confidence); }
template <typename A> void packFields(A &a, ShareMoments &v) { a(v.first, v.second); }
template <typename A> void packFields(A &a, CollectiveKind &v) {
    a(v.operation, v.communicator, v.root, v.bytesSent, v.bytesReceived, v.nonBlocking, v.reduction, v.basicType, v.call,
      v.hasMoments, v.sentMoments, v.receivedMoments);
}
template <typename A> void packFields(A &a, OpenCall &v) {
    a(v.source, v.confidence, v.precedent, v.receives, v.anyReceive, v.goesOnWithout, v.servesMeanwhile, v.sends,
      v.sendConfidence, v.isCollective, v.collective, v.collectiveNumber, v.collectiveStartedBy);
}
template <typename A> void packFields(A &a, CollectiveCount &v) { a(v.communicator, v.begun, v.completed); }
template <typename A> void packFields(A &a, MissingSend &v) {
    a(v.from, v.to, v.due, v.callPath, v.confidence, v.evidence, v.times, v.communicator, v.tag);
}
template <typename A> void packFields(A &a, DumpedRequest &v) {
    a(v.kind, v.peer, v.communicator, v.tag, v.anySource, v.anyTag, v.bytes, v.callPath);
}
template <typename A> void packFields(A &a, MpiArguments::Pending &v) { a(v.isSend, v.peer, v.tag); }
template <typename A> void packFields(A &a, MpiArguments &v) {
    a(v.to, v.toTag, v.from, v.fromTag, v.root, v.count, v.communicator, v.communicatorSize, v.communicatorNumber, v.members,
      v.pending);
}
template <typename A> void packFields(A &a, SampledStack &v) {
    a(v.rank, v.thread, v.sample, v.callPath, v.site, v.stays, v.moves, v.isStopped, v.arguments);
}

namespace modeldump {

template <typename A> void packFields(A &a, DumpContent::Path &v) { a(v.parent, v.function, v.site); }
template <typename A> void packFields(A &a, DumpContent::Host &v) { a(v.ranks, v.name); }
template <typename A> void packFields(A &a, DumpContent::End &v) { a(v.ranks, v.end, v.hangNoticed); }
template <typename A> void packFields(A &a, DumpContent::Run &v) { a(v.first, v.count, v.step); }
template <typename A> void packFields(A &a, DumpContent::WrittenCommunicator &v) {
    a(v.key, v.name, v.parent, v.isSelf, v.members);
}
template <typename A> void packFields(A &a, DumpContent::State &v) { a(v.kind, v.path, v.datatype); }
template <typename A> void packFields(A &a, DumpContent::Model &v) { a(v.ranks, v.transitions); }
template <typename A> void packFields(A &a, DumpContent::Task &v) { a(v.ranks, v.state, v.last, v.hasLast); }
template <typename A> void packFields(A &a, DumpContent::WrittenActivity &v) { a(v.ranks, v.kind, v.path, v.mpiPath, v.site); }
template <typename A> void packFields(A &a, DumpContent::PeerMessages &v) { a(v.peer, v.count); }
template <typename A> void packFields(A &a, DumpContent::Messages &v) { a(v.ranks, v.relative, v.sent, v.received); }
template <typename A> void packFields(A &a, DumpContent::Receive &v) { a(v.from, v.receive); }
template <typename A> void packFields(A &a, DumpContent::Send &v) { a(v.to, v.send); }
template <typename A> void packFields(A &a, DumpContent::Open &v) { a(v.ranks, v.relative, v.call, v.receives, v.sends); }
template <typename A> void packFields(A &a, DumpContent::Collectives &v) { a(v.ranks, v.counts); }
template <typename A> void packFields(A &a, DumpContent::Request &v) { a(v.peer, v.request); }
template <typename A> void packFields(A &a, DumpContent::Sampled &v) { a(v.ranks, v.stack); }
template <typename A> void packFields(A &a, DumpContent::Pending &v) { a(v.ranks, v.relative, v.requests); }

/// Numbers by rank: those before the first rank of the content are all 0, and not sent.
template <typename A, typename T> void packByRank(A &a, std::vector<T> &v) {
    std::uint64_t zeros = 0;
    while (zeros < v.size() && v[zeros] == 0)
        ++zeros;
    std::vector<T> rest(v.begin() + static_cast<std::ptrdiff_t>(zeros), v.end());
    a(zeros, rest);
    if constexpr (std::is_same_v<A, PackWriter>)
        return;
    v.assign(zeros, 0);
    v.insert(v.end(), rest.begin(), rest.end());
}

template <typename A> void packFields(A &a, DumpContent &v) {
    a(v.file, v.rankCount, v.source, v.format, v.creator, v.ticksPerSecond, v.ticks, v.startUtc, v.events, v.messageCount,
      v.tellsOpenCalls, v.warnings, v.functions, v.places, v.sites, v.paths, v.hosts, v.ends, v.damaged, v.world, v.communicators,
      v.states, v.models, v.tasks, v.hasWaits, v.at, v.lastEvent, v.activities, v.openCalls, v.collectives, v.messages,
      v.missingSends, v.pending, v.hasSamples, v.sampleTimes, v.sampled);
    packByRank(a, v.pids);
    packByRank(a, v.since);
}

} // namespace modeldump
} // namespace laggard
