// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/EventAttributes.h"

#include "app/convert/Otf2Status.h"
#include "ingest/otf2/EpochText.h"
#include "ingest/otf2/OperationText.h"

#include <algorithm>

namespace laggard {

EventAttributes::EventAttributes(const Otf2Source &source, const LocationEvents &events)
    : m_source(source), m_events(events), m_list(OTF2_AttributeList_New()) {
    while (m_nextEpoch < m_events.epochs.size() && m_events.epochs[m_nextEpoch].row == none)
        ++m_nextEpoch;
}

void EventAttributes::clear() { checkOtf2(OTF2_AttributeList_RemoveAllAttributes(m_list.get())); }

OTF2_AttributeList *EventAttributes::result() const {
    return OTF2_AttributeList_GetNumberOfElements(m_list.get()) == 0 ? nullptr : m_list.get();
}

void EventAttributes::addText(OTF2_AttributeRef attribute, const std::string &text) {
    if (attribute != none && !text.empty())
        checkOtf2(OTF2_AttributeList_AddStringRef(m_list.get(), attribute, m_source.strings.number(text)));
}

void EventAttributes::addNumber(OTF2_AttributeRef attribute, std::uint32_t number) {
    if (attribute != none)
        checkOtf2(OTF2_AttributeList_AddUint32(m_list.get(), attribute, number));
}

std::uint32_t EventAttributes::rowOf(CallPathId path) {
    if (path == none)
        return none;
    const Track &track = m_events.track;
    if (m_rowOf.empty())
        for (std::uint32_t row = 0; row < track.size(); ++row)
            m_rowOf.try_emplace(track.callPath[row], row);
    const auto found = m_rowOf.find(path);
    return found == m_rowOf.end() ? none : found->second;
}

std::string EventAttributes::textOf(const EpochCall &call) {
    EpochCall written = call;
    written.startedBy = rowOf(call.startedBy);
    return otf2::textOf(written, m_events.groups);
}

std::string EventAttributes::earlierEpochs() {
    std::string text;
    for (const EpochCall &call : m_events.epochs)
        if (call.row == none)
            text += (text.empty() ? "" : "; ") + textOf(call);
    return text;
}

void EventAttributes::addEpochs(std::uint32_t row) {
    std::string text;
    for (; m_nextEpoch < m_events.epochs.size() && m_events.epochs[m_nextEpoch].row <= row; ++m_nextEpoch)
        if (m_events.epochs[m_nextEpoch].row == row)
            text += (text.empty() ? "" : "; ") + textOf(m_events.epochs[m_nextEpoch]);
    addText(m_source.attributes.epoch, text);
}

void EventAttributes::addTaken(std::uint32_t row) {
    std::string text;
    for (; m_nextTaken < m_events.taken.size() && m_events.taken[m_nextTaken].row <= row; ++m_nextTaken)
        if (const TakenMessage &taken = m_events.taken[m_nextTaken]; taken.row == row && taken.envelope != none)
            text += (text.empty() ? "" : "; ") + otf2::textOf(taken, m_events.envelopes[taken.envelope]);
    addText(m_source.attributes.taken, text);
}

void EventAttributes::addOpenCall(std::uint32_t row) {
    if (!m_events.openParts || !m_events.track.isOpen(row) || m_hasOpenCall ||
        !m_source.calls[m_events.track.callPath[row]].isMpi())
        return;
    m_hasOpenCall = true;
    OpenParts parts = *m_events.openParts;
    for (OpenParts::Receive &receive : parts.receives) {
        receive.startedBy = rowOf(receive.startedBy);
        receive.madeBy = rowOf(receive.madeBy);
    }
    parts.collectiveStartedBy = rowOf(parts.collectiveStartedBy);
    parts.collectiveMadeBy = rowOf(parts.collectiveMadeBy);
    addText(m_source.attributes.openCall, otf2::textOf(parts));
}

OTF2_AttributeList *EventAttributes::ofEnter(std::uint32_t row) {
    clear();
    const CallPathId path = m_events.track.callPath[row];
    const CallSiteId site = m_source.trace.callPaths[path].site;
    if (site != none && (m_source.trace.siteOf(path) != nullptr || !m_source.trace.datatypeOf(path).empty()))
        checkOtf2(OTF2_AttributeList_AddSourceCodeLocationRef(m_list.get(), m_source.attributes.callSite, site));
    if (!m_source.trace.tellsOpenCalls)
        return result();
    while (m_nextPoll < m_events.polls.size() && m_events.polls[m_nextPoll].row < row)
        ++m_nextPoll;
    if (m_nextPoll < m_events.polls.size() && m_events.polls[m_nextPoll].row == row)
        checkOtf2(OTF2_AttributeList_AddUint64(m_list.get(), m_source.attributes.polls, m_events.polls[m_nextPoll].count));
    addEpochs(row);
    addTaken(row);
    addOpenCall(row);
    return result();
}

OTF2_AttributeList *EventAttributes::ofSend(std::uint32_t index) {
    clear();
    if (const std::uint32_t fingerprint = m_events.sends.fingerprintOf(index); fingerprint != 0)
        addNumber(m_source.attributes.fingerprint, fingerprint);
    return result();
}

OTF2_AttributeList *EventAttributes::ofReceive(std::uint32_t index, std::uint32_t current, bool isRequest) {
    clear();
    if (const std::uint32_t fingerprint = m_events.receives.fingerprintOf(index); fingerprint != 0)
        addNumber(m_source.attributes.fingerprint, fingerprint);
    const ReceivePostings &postings = m_events.postings;
    while (m_nextPosting < postings.size() && postings.receive[m_nextPosting] < index)
        ++m_nextPosting;
    if (m_nextPosting == postings.size() || postings.receive[m_nextPosting] != index)
        return result();
    const std::uint32_t thread = postings.threadOf(m_nextPosting);
    if (thread != none)
        addNumber(m_source.attributes.thread, thread);
    if (thread != none || (!isRequest && postings.row[m_nextPosting] != current))
        addNumber(m_source.attributes.row, postings.row[m_nextPosting]);
    if (const std::uint16_t how = postings.how[m_nextPosting]; how != 0)
        addNumber(m_source.attributes.how, how);
    return result();
}

OTF2_AttributeList *EventAttributes::ofCollective(std::uint32_t index, std::uint32_t current, bool isRequest) {
    clear();
    if (!m_source.trace.tellsOpenCalls)
        return nullptr;
    addText(m_source.attributes.collective, otf2::textOfFacts(m_events.collectiveKinds[m_events.collectives.kind[index]]));
    if (const std::uint32_t row = m_events.collectives.row[index]; !isRequest && row != current)
        addNumber(m_source.attributes.row, row);
    return result();
}

OTF2_AttributeList *EventAttributes::ofPending(const PendingRequest &request, std::uint32_t current) {
    clear();
    otf2::PostedOperation operation;
    operation.isCollective = request.kind == PendingRequest::Kind::Collective;
    const bool isKnown = operation.isCollective ? request.collectiveKind != none : request.envelope != none;
    if (!isKnown || !m_source.trace.tellsOpenCalls)
        return nullptr;
    operation.anySource = request.anySource;
    operation.anyTag = request.anyTag;
    operation.matchedProbe = request.matchedProbe;
    operation.part = request.part;
    operation.row = request.row == current ? none : request.row;
    operation.startedBy = rowOf(request.startedBy);
    operation.madeBy = rowOf(request.madeBy);
    if (operation.isCollective)
        operation.collective = m_events.collectiveKinds[request.collectiveKind];
    else
        operation.envelope = m_events.envelopes[request.envelope];
    addText(m_source.attributes.pending, otf2::textOf(operation));
    return result();
}

} // namespace laggard
