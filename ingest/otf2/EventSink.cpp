// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/EventSink.h"

#include "ingest/otf2/EpochText.h"

#include <algorithm>

namespace laggard::otf2 {
namespace {

constexpr std::uint64_t smallestEvent = 2; // type and length
constexpr std::uint64_t timeStampSize = 9; // stands before the first event with a new time
constexpr Tick latestTime = openEnd - 1;

/// Operations as OTF2 numbers them.
constexpr std::array operations = {CollectiveOperation::Barrier,
                                   CollectiveOperation::Bcast,
                                   CollectiveOperation::Gather,
                                   CollectiveOperation::Gatherv,
                                   CollectiveOperation::Scatter,
                                   CollectiveOperation::Scatterv,
                                   CollectiveOperation::Allgather,
                                   CollectiveOperation::Allgatherv,
                                   CollectiveOperation::Alltoall,
                                   CollectiveOperation::Alltoallv,
                                   CollectiveOperation::Alltoallw,
                                   CollectiveOperation::Allreduce,
                                   CollectiveOperation::Reduce,
                                   CollectiveOperation::ReduceScatter,
                                   CollectiveOperation::Scan,
                                   CollectiveOperation::Exscan,
                                   CollectiveOperation::ReduceScatterBlock,
                                   CollectiveOperation::CreateHandle,
                                   CollectiveOperation::DestroyHandle,
                                   CollectiveOperation::Allocate,
                                   CollectiveOperation::Deallocate,
                                   CollectiveOperation::Other,
                                   CollectiveOperation::Other};

bool isOf(const OpenParts::Receive &receive, const PendingRequest &request, const std::vector<Envelope> &envelopes) {
    if (request.kind != PendingRequest::Kind::Receive || request.envelope == none || request.row == none)
        return false;
    const Envelope &envelope = envelopes[request.envelope];
    return (receive.from == none ? request.anySource : receive.from == envelope.peer) &&
           receive.communicator == envelope.communicator && receive.anyTag == request.anyTag &&
           (receive.anyTag || receive.tag == envelope.tag);
}

/// Texts name calls by rows of the track: what is wanted are their call paths.
class PathsOfRows {
  public:
    explicit PathsOfRows(const Track &track) : m_track(track) {}
    void find(std::uint32_t &rowThenPath) {
        if (rowThenPath == none)
            return;
        m_unknown += rowThenPath < m_track.size() ? 0 : 1;
        rowThenPath = rowThenPath < m_track.size() ? m_track.callPath[rowThenPath] : none;
    }
    void find(OpenParts &parts) {
        for (OpenParts::Receive &receive : parts.receives) {
            find(receive.startedBy);
            find(receive.madeBy);
        }
        find(parts.collectiveStartedBy);
        find(parts.collectiveMadeBy);
    }
    [[nodiscard]] std::uint64_t unknown() const { return m_unknown; }

  private:
    const Track &m_track;
    std::uint64_t m_unknown = 0;
};

/// Those of the definitions, which opened epochs before the first event, stand before those of calls.
void joinEpochs(LocationEvents &events, LocationEvents &known, std::vector<EpochCall> calls, std::vector<RankSet> groups) {
    const auto first = static_cast<std::uint32_t>(known.groups.size());
    for (EpochCall &call : calls)
        call.group += call.group == none ? 0 : first;
    events.epochs = std::move(known.epochs);
    events.epochs.insert(events.epochs.end(), calls.begin(), calls.end());
    events.groups = std::move(known.groups);
    std::move(groups.begin(), groups.end(), std::back_inserter(events.groups));
}

/// Which calls posted what the open call awaits: requests that stay pending are in the order of posting on both sides.
void findStarters(const LocationEvents &events, OpenParts &parts) {
    std::vector<bool> isTaken(events.pending.size(), false);
    for (OpenParts::Receive &receive : parts.receives)
        for (std::size_t i = 0; i < events.pending.size() && receive.isPosted && receive.startedBy == none; ++i)
            if (!isTaken[i] && isOf(receive, events.pending[i], events.envelopes)) {
                receive.startedBy = events.track.callPath[events.pending[i].row];
                isTaken[i] = true;
            }
    for (const PendingRequest &request : events.pending)
        if (parts.isCollective && parts.collectiveNumber != none && parts.collectiveStartedBy == none &&
            request.collectiveKind != none && request.row != none &&
            events.collectiveKinds[request.collectiveKind] == parts.collective)
            parts.collectiveStartedBy = events.track.callPath[request.row];
}

} // namespace

bool EventSink::begin(Tick time) {
    if (isFull())
        return false;
    time = std::min(time, latestTime);
    if (m_count == 0)
        m_first = time;
    m_bytes += time != m_now || m_count == 0 ? smallestEvent + timeStampSize : smallestEvent;
    if (m_bytes > m_fileBytes) {
        m_odd.exceedsFile = true;
        return false;
    }
    if (time < m_now)
        return stepBack(time);
    if (time > m_declared.end && m_now <= m_declared.end && m_count != 0)
        m_suspectFrom = std::min(m_suspectFrom, m_count);
    ++m_count;
    m_now = time;
    m_isBehind = false;
    return true;
}

bool EventSink::stepBack(Tick time) {
    ++m_odd.backwardSteps;
    m_odd.largestStep = std::max(m_odd.largestStep, m_now - time);
    if (!m_isBehind) {
        m_isBehind = true;
        m_behindFrom = m_count;
        m_latestBehind = time;
    }
    m_latestBehind = std::max(m_latestBehind, time);
    ++m_count;
    return true;
}

Oddities EventSink::oddities() const {
    Oddities odd = m_odd;
    odd.plausible = std::min(m_suspectFrom, m_count);
    odd.strayLeaves = m_builder.strayLeaves();
    odd.unbalancedLeaves = m_builder.unbalancedLeaves();
    // What stays behind by a small part of the time recorded so far is a correction of the clock, not damage.
    constexpr Tick tolerated = 100;
    odd.runsBackward = m_isBehind && m_now - m_latestBehind > (m_now - m_first) / tolerated;
    odd.backwardFrom = m_behindFrom;
    return odd;
}

RegionId EventSink::region(std::uint64_t reference, const IdMap &map) {
    const RegionId found = map.find(reference);
    if (found != none)
        return found;
    ++m_odd.unknownRegions;
    return m_unknownRegions.provisional(reference);
}

CommunicatorId EventSink::communicator(std::uint32_t reference) {
    const CommunicatorId found = m_references.communicators.find(reference);
    m_odd.unknownCommunicators += found == none ? 1 : 0;
    return found;
}

Envelope EventSink::envelope(std::uint32_t peer, std::uint32_t communicatorReference, std::uint32_t tag, std::uint64_t bytes) {
    const CommunicatorId id = communicator(communicatorReference);
    const Rank rank = id == none ? none : m_references.peers[id].peerOf(m_rank, peer);
    m_odd.unknownPeers += id != none && rank == none ? 1 : 0;
    return {rank, id, tag, bytes};
}

const std::string &EventSink::text(const OTF2_AttributeList *attributes, std::uint32_t attribute) const {
    OTF2_StringRef reference = OTF2_UNDEFINED_STRING;
    if (attribute != none && attributes != nullptr)
        OTF2_AttributeList_GetStringRef(attributes, attribute, &reference);
    return m_references.definitions->text(reference);
}

std::optional<PostedOperation> EventSink::posted(const OTF2_AttributeList *attributes) const {
    const std::string &words = text(attributes, m_references.pendingAttribute);
    return words.empty() ? std::nullopt : postedOperation(words, m_references.limits());
}

void EventSink::readEnterAttributes(const OTF2_AttributeList *attributes) {
    if (const std::string &words = text(attributes, m_references.openCallAttribute); !words.empty()) {
        m_openParts = openParts(words, m_references.limits());
        m_openRow = m_builder.currentRow();
    }
    std::uint64_t polls = 0;
    if (m_references.pollsAttribute != none &&
        OTF2_AttributeList_GetUint64(attributes, m_references.pollsAttribute, &polls) == OTF2_SUCCESS)
        m_polls.push_back({m_builder.currentRow(), polls});
    if (const std::string &words = text(attributes, m_references.epochAttribute); !words.empty())
        for (EpochCall &call : epochCalls(words, m_references.limits(), m_groups)) {
            call.row = m_builder.currentRow();
            m_epochs.push_back(call);
        }
    if (const std::string &words = text(attributes, m_references.takenAttribute); !words.empty())
        for (const std::string_view each : split(words, "; "))
            if (auto taken = takenMessage(each, m_references.limits())) {
                taken->first.row = m_builder.currentRow();
                taken->first.envelope = m_builder.intern(taken->second);
                m_taken.push_back(taken->first);
            }
}

std::optional<std::uint32_t> EventSink::number(const OTF2_AttributeList *attributes, std::uint32_t attribute) {
    std::uint32_t found = 0;
    const bool isThere =
        attribute != none && attributes != nullptr && OTF2_AttributeList_GetUint32(attributes, attribute, &found) == OTF2_SUCCESS;
    return isThere ? std::optional(found) : std::nullopt;
}

std::optional<std::uint32_t> EventSink::postingRow(const OTF2_AttributeList *attributes) {
    const auto row = number(attributes, m_references.rowAttribute);
    if (!row || *row == none || *row < m_builder.callCount())
        return row;
    ++m_odd.unknownCalls;
    return std::nullopt;
}

void EventSink::readPosting(const OTF2_AttributeList *attributes, std::optional<LocationBuilder::Posting> &posting) {
    if (attributes == nullptr || OTF2_AttributeList_GetNumberOfElements(attributes) == 0)
        return;
    const auto thread = number(attributes, m_references.threadAttribute);
    // Rows of another thread are checked when all threads have been read.
    const auto row = thread ? number(attributes, m_references.rowAttribute) : postingRow(attributes);
    const auto how = number(attributes, m_references.howAttribute);
    if (!row && !how)
        return;
    if (!posting) {
        posting.emplace();
        posting->row = m_builder.currentRow();
    }
    if (row)
        posting->row = *row;
    if (thread && row)
        posting->thread = *thread;
    if (!how)
        return;
    posting->anySource = (*how & ReceivePostings::AnySource) != 0;
    posting->anyTag = (*how & ReceivePostings::AnyTag) != 0;
    posting->matchedProbe = (*how & ReceivePostings::MatchedProbe) != 0;
    posting->part = *how >> 3U;
}

void EventSink::setOrigin(std::uint64_t request, const PostedOperation &operation) {
    PendingRequest *pending = m_builder.pending(request);
    if (operation.row != none)
        pending->row = operation.row < m_builder.callCount() ? operation.row : none;
    pending->startedBy = operation.startedBy;
    pending->madeBy = operation.madeBy;
    pending->matchedProbe = operation.matchedProbe;
    if (pending->startedBy != none)
        pending->row = none; // the events with the call are gone
}

LocationEvents EventSink::finish(LocationEvents known) {
    LocationEvents events = m_builder.finish();
    events.polls = std::move(m_polls);
    events.taken = std::move(m_taken);
    events.stoppedAt = known.stoppedAt;
    events.tellsFunctions = known.tellsFunctions;
    events.earlierCollectives = std::move(known.earlierCollectives);
    joinEpochs(events, known, std::move(m_epochs), std::move(m_groups));
    PathsOfRows paths(events.track);
    for (EpochCall &call : events.epochs)
        paths.find(call.startedBy);
    for (PendingRequest &request : events.pending) {
        paths.find(request.startedBy);
        paths.find(request.madeBy);
        if (request.row != none && request.row >= events.track.size())
            request.row = none;
    }
    if (!m_openParts || m_openRow >= events.track.size() || !events.track.isOpen(m_openRow))
        return events;
    paths.find(*m_openParts);
    std::erase_if(m_openParts->sends, [&](std::uint32_t send) { return send >= events.sends.size(); });
    findStarters(events, *m_openParts);
    events.openParts = std::move(m_openParts);
    return events;
}

bool EventSink::enter(Tick time, std::uint64_t reference, const IdMap &map, const OTF2_AttributeList *attributes) {
    if (!begin(time))
        return false;
    const bool hasAttributes =
        attributes != nullptr && m_references.hasEnterAttributes() && OTF2_AttributeList_GetNumberOfElements(attributes) != 0;
    OTF2_SourceCodeLocationRef site = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
    if (hasAttributes && m_references.callSiteAttribute != none)
        OTF2_AttributeList_GetSourceCodeLocationRef(attributes, m_references.callSiteAttribute, &site);
    m_builder.enter(m_now, region(reference, map), hasAttributes ? m_references.callSites.find(site) : none);
    if (hasAttributes)
        readEnterAttributes(attributes);
    return true;
}

bool EventSink::leave(Tick time, std::uint64_t reference, const IdMap &map) {
    if (!begin(time))
        return false;
    m_builder.leave(m_now, region(reference, map));
    return true;
}

std::uint32_t EventSink::fingerprint(const OTF2_AttributeList *attributes) const {
    std::uint32_t found = 0;
    if (m_references.fingerprintAttribute != none && attributes != nullptr)
        OTF2_AttributeList_GetUint32(attributes, m_references.fingerprintAttribute, &found);
    return found;
}

bool EventSink::send(Tick time, const OTF2_AttributeList *attributes, std::uint32_t receiver, std::uint32_t communicator,
                     std::uint32_t tag, std::uint64_t bytes) {
    if (!begin(time))
        return false;
    m_builder.send(m_now, envelope(receiver, communicator, tag, bytes));
    if (const std::uint32_t known = fingerprint(attributes); known != 0)
        m_builder.fingerprintOfSend(known);
    return true;
}

bool EventSink::isend(Tick time, const OTF2_AttributeList *attributes, std::uint32_t receiver, std::uint32_t communicator,
                      std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    if (!begin(time))
        return false;
    m_builder.send(m_now, envelope(receiver, communicator, tag, bytes), request);
    if (const std::uint32_t known = fingerprint(attributes); known != 0)
        m_builder.fingerprintOfSend(known);
    return true;
}

bool EventSink::postReceive(Tick time, std::uint64_t request, const OTF2_AttributeList *attributes) {
    if (!begin(time))
        return false;
    const auto operation = posted(attributes);
    if (operation && !operation->isCollective)
        m_builder.postReceive(m_now, request, operation->envelope, operation->anySource, operation->anyTag, operation->part);
    else
        m_builder.postReceive(m_now, request);
    if (operation && !operation->isCollective)
        setOrigin(request, *operation);
    return true;
}

bool EventSink::postCollective(Tick time, std::uint64_t request, const OTF2_AttributeList *attributes) {
    if (!begin(time))
        return false;
    const auto operation = posted(attributes);
    if (operation && operation->isCollective)
        m_builder.postCollective(m_now, request, operation->collective);
    else
        m_builder.postCollective(m_now, request);
    if (operation && operation->isCollective)
        setOrigin(request, *operation);
    return true;
}

bool EventSink::receive(Tick time, const OTF2_AttributeList *attributes, std::uint32_t sender, std::uint32_t communicator,
                        std::uint32_t tag, std::uint64_t bytes, std::optional<std::uint64_t> request) {
    if (!begin(time))
        return false;
    std::optional<LocationBuilder::Posting> posting;
    if (const PendingRequest *pending = request ? m_builder.pending(*request) : nullptr; pending != nullptr) {
        posting = LocationBuilder::postingOf(*pending);
        m_builder.complete(*request);
    }
    readPosting(attributes, posting);
    m_builder.receive(m_now, envelope(sender, communicator, tag, bytes));
    if (posting)
        m_builder.posting(*posting);
    if (const std::uint32_t known = fingerprint(attributes); known != 0)
        m_builder.fingerprintOfReceive(known);
    return true;
}

bool EventSink::collective(Tick time, const OTF2_AttributeList *attributes, OTF2_CollectiveOp operation,
                           std::uint32_t communicatorReference, std::uint32_t root, std::uint64_t sent, std::uint64_t received,
                           std::optional<std::uint64_t> request) {
    if (!begin(time))
        return false;
    std::uint32_t row = m_builder.currentRow();
    if (const PendingRequest *pending = request ? m_builder.pending(*request) : nullptr;
        pending != nullptr && m_references.tellsBeginnings())
        row = pending->row;
    row = postingRow(attributes).value_or(row);
    if (request)
        m_builder.complete(*request);
    const CommunicatorId id = communicator(communicatorReference);
    Rank rootRank = none;
    if (root == OTF2_COLLECTIVE_ROOT_SELF)
        rootRank = m_rank;
    else if (root != OTF2_COLLECTIVE_ROOT_NONE && root != OTF2_COLLECTIVE_ROOT_THIS_GROUP && id != none)
        rootRank = m_references.peers[id].peerOf(m_rank, root);
    const bool known = operation < operations.size();
    CollectiveKind kind{.operation = known ? operations[operation] : CollectiveOperation::Unknown,
                        .communicator = id,
                        .root = rootRank,
                        .bytesSent = sent,
                        .bytesReceived = received,
                        .nonBlocking = request.has_value()};
    if (m_references.collectiveAttribute != none)
        readFacts(text(attributes, m_references.collectiveAttribute), m_references.limits(), kind);
    m_builder.collective(m_now, kind, row);
    return true;
}

bool EventSink::complete(Tick time, std::uint64_t request) {
    if (!begin(time))
        return false;
    m_builder.complete(request);
    return true;
}

namespace {

EventSink &sink(void *userData) { return *static_cast<EventSink *>(userData); }
OTF2_CallbackCode code(bool goOn) { return goOn ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT; }
using Attributes = OTF2_AttributeList;

OTF2_CallbackCode onUnknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *) {
    return code(sink(user).unknown(time));
}
OTF2_CallbackCode onEnter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                          OTF2_RegionRef region) {
    return code(sink(user).enter(time, region, sink(user).references().regions, attributes));
}
OTF2_CallbackCode onLeave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *, OTF2_RegionRef region) {
    return code(sink(user).leave(time, region, sink(user).references().regions));
}
OTF2_CallbackCode onContextEnter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *,
                                 OTF2_CallingContextRef context, std::uint32_t) {
    return code(sink(user).enter(time, context, sink(user).references().callingContexts, nullptr));
}
OTF2_CallbackCode onContextLeave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *,
                                 OTF2_CallingContextRef context) {
    return code(sink(user).leave(time, context, sink(user).references().callingContexts));
}
OTF2_CallbackCode onSend(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                         std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
    return code(sink(user).send(time, attributes, receiver, communicator, tag, bytes));
}
OTF2_CallbackCode onIsend(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                          std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                          std::uint64_t request) {
    return code(sink(user).isend(time, attributes, receiver, communicator, tag, bytes, request));
}
OTF2_CallbackCode onComplete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *,
                             std::uint64_t request) {
    return code(sink(user).complete(time, request));
}
OTF2_CallbackCode onIrecvRequest(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                                 std::uint64_t request) {
    return code(sink(user).postReceive(time, request, attributes));
}
OTF2_CallbackCode onReceive(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                            std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
    return code(sink(user).receive(time, attributes, sender, communicator, tag, bytes));
}
OTF2_CallbackCode onIrecv(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                          std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                          std::uint64_t request) {
    return code(sink(user).receive(time, attributes, sender, communicator, tag, bytes, request));
}
OTF2_CallbackCode onCollectiveBegin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *) {
    return code(sink(user).redundant(time)); // the enter of the call says the same
}
OTF2_CallbackCode onCollectiveEnd(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                                  OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                                  std::uint64_t received) {
    return code(sink(user).collective(time, attributes, operation, communicator, root, sent, received));
}
OTF2_CallbackCode onCollectiveRequest(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                                      std::uint64_t request) {
    return code(sink(user).postCollective(time, request, attributes));
}
OTF2_CallbackCode onCollectiveComplete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *user, Attributes *attributes,
                                       OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                                       std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
    return code(sink(user).collective(time, attributes, operation, communicator, root, sent, received, request));
}

} // namespace

void registerCallbacks(OTF2_EvtReaderCallbacks *callbacks) {
    registerUnshown(callbacks);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, onUnknown);
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, onEnter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, onLeave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, onContextEnter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, onContextLeave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, onSend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, onIsend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, onComplete);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, onComplete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, onIrecvRequest);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, onReceive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, onIrecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, onCollectiveBegin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, onCollectiveEnd);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, onCollectiveRequest);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, onCollectiveComplete);
}

} // namespace laggard::otf2
