// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/RecordedCall.h"

namespace laggard::recording {
namespace {

void addPending(std::uint64_t request, const LocationBuilder &builder, const CollectiveNumbers &numbers, OpenParts &parts) {
    const PendingRequest *pending = builder.pending(request);
    if (pending == nullptr)
        return;
    const CallPathId startedBy = pending->row == none ? pending->startedBy : builder.track().callPath[pending->row];
    switch (pending->kind) {
    case PendingRequest::Kind::Send:
        parts.sends.push_back(pending->sendIndex);
        break;
    case PendingRequest::Kind::Receive:
        if (pending->envelope != none) {
            const Envelope &envelope = builder.envelope(pending->envelope);
            if (!pending->matchedProbe) // the message is there already
                parts.receives.push_back({envelope.peer, envelope.communicator, envelope.tag, pending->anyTag, envelope.bytes,
                                          true, pending->posted, startedBy, pending->madeBy});
        }
        break;
    case PendingRequest::Kind::Collective:
        if (pending->collectiveKind != none && !parts.isCollective) {
            parts.isCollective = true;
            parts.collectiveStartedBy = startedBy;
            parts.collectiveMadeBy = pending->madeBy;
            parts.collective = builder.kind(pending->collectiveKind);
            const auto number = numbers.find(request);
            parts.collectiveNumber = number == numbers.end() ? none : number->second;
        }
        break;
    }
}

} // namespace

void RecordedCall::clear() {
    RecordedCall fresh;
    std::swap(fresh.parts, parts);
    std::swap(fresh.awaited, awaited);
    fresh.parts.clear();
    fresh.awaited.clear();
    *this = std::move(fresh);
}

OpenParts openPartsOf(const RecordedCall &call, const LocationBuilder &builder, const CollectiveNumbers &numbers) {
    OpenParts parts;
    parts.making = call.making;
    for (const CallPart &part : call.parts) {
        if (part.request != 0)
            continue;
        if (part.kind == RecordKind::SendPart && (part.flags & bufferedMode) == 0) {
            parts.sends.push_back(part.sendIndex);
            parts.synchronous |= (part.flags & synchronousMode) != 0;
        } else if (part.kind == RecordKind::ReceivePart && (part.flags & matchedProbe) == 0) {
            parts.receives.push_back({part.anySource ? none : part.envelope.peer, part.envelope.communicator, part.envelope.tag,
                                      part.anyTag, (part.flags & probeOnly) == 0 ? part.envelope.bytes : OpenParts::anyRoom,
                                      false});
        } else if (part.kind == RecordKind::CollectivePart) {
            parts.isCollective = true;
            parts.collective = part.collective;
        }
    }
    for (const std::uint64_t request : call.awaited)
        addPending(request, builder, numbers, parts);
    return parts;
}

} // namespace laggard::recording
