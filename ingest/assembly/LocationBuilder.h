// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/InternTable.h"
#include "trace/CallPathTable.h"
#include "trace/Location.h"

#include <unordered_map>

namespace laggard {

struct EnvelopeHash {
    std::size_t operator()(const Envelope &e) const { return mixHash(e.peer, e.communicator, e.tag, e.bytes); }
};
struct CollectiveKindHash {
    std::size_t operator()(const CollectiveKind &k) const {
        return mixHash(k.operation, k.communicator, k.root, k.bytesSent, k.bytesReceived, k.nonBlocking, k.reduction, k.basicType,
                       k.call, k.hasMoments, k.sentMoments.first, k.sentMoments.second, k.receivedMoments.first,
                       k.receivedMoments.second);
    }
};

/// Turns the event records of one location, in order, into its columns. Every reader uses it.
///
/// Call paths are numbered in the table given, which several builders of one thread may share. Time stamps must not
/// decrease: the reader decides what to do about those that do.
class LocationBuilder {
  public:
    explicit LocationBuilder(CallPathTable &callPaths) : m_callPaths(callPaths) {}

    /// `site`: where its caller calls it, if known.
    void enter(Tick time, RegionId region, CallSiteId site = none);

    /// Closes the innermost open call of `region`. A record that closes a call further out closes the calls within it
    /// at the same time and counts them as unbalanced; one without an open call is dropped and counted.
    void leave(Tick time, RegionId region);

    /// A blocking send, or with a request a non-blocking one that stays pending until `complete`.
    void send(Tick time, const Envelope &envelope);
    void send(Tick time, const Envelope &envelope, std::uint64_t request);
    /// Takes back the sends from this position on: their call failed.
    void dropSends(std::uint32_t from);
    /// Set the fingerprint of the latest send or receive (MessageEnds::fingerprint).
    void fingerprintOfSend(std::uint32_t fingerprint) { setLast(m_events.sends, fingerprint); }
    void fingerprintOfReceive(std::uint32_t fingerprint) { setLast(m_events.receives, fingerprint); }
    /// A receive or collective was posted; pending until its request completes.
    void postReceive(Tick time, std::uint64_t request);
    void postCollective(Tick time, std::uint64_t request);
    /// The same where it is known what was posted. Wildcards have no peer, and tag 0.
    void postReceive(Tick time, std::uint64_t request, const Envelope &envelope, bool anySource, bool anyTag,
                     std::uint32_t part = 0);
    void postCollective(Tick time, std::uint64_t request, const CollectiveKind &kind);
    void receive(Tick time, const Envelope &envelope);
    void collective(Tick time, const CollectiveKind &kind);
    /// How the latest receive was posted, or another thread's receive at `position` (ReceivePostings).
    struct Posting {
        std::uint32_t row = none;
        bool anySource = false;
        bool anyTag = false;
        bool matchedProbe = false;
        std::uint32_t part = 0;
        std::uint32_t thread = none;
    };
    void posting(const Posting &posting);
    void posting(const Posting &posting, std::uint32_t position);
    [[nodiscard]] static Posting postingOf(const PendingRequest &request) {
        return {request.row, request.anySource, request.anyTag, false, request.part, none};
    }
    /// One that was posted by an earlier call, in row `row` of the track.
    void collective(Tick time, const CollectiveKind &kind, std::uint32_t row);
    /// The request is no longer pending. False if it was not.
    bool complete(std::uint64_t request);
    /// The pending request of this number; nullptr if it is not pending.
    [[nodiscard]] const PendingRequest *pending(std::uint64_t request) const;
    [[nodiscard]] PendingRequest *pending(std::uint64_t request);
    [[nodiscard]] std::vector<std::uint64_t> pendingRequests() const; ///< their numbers, in no order

    [[nodiscard]] std::uint32_t currentRow() const { return m_row; } ///< innermost open call, or `none`
    [[nodiscard]] std::uint32_t sendCount() const { return static_cast<std::uint32_t>(m_events.sends.size()); }
    [[nodiscard]] std::uint32_t receiveCount() const { return static_cast<std::uint32_t>(m_events.receives.size()); }
    [[nodiscard]] std::uint32_t intern(const Envelope &envelope) { return m_envelopes.intern(envelope); }
    [[nodiscard]] const Track &track() const { return m_events.track; }
    [[nodiscard]] const Envelope &envelope(std::uint32_t number) const { return m_envelopes[number]; }
    [[nodiscard]] const CollectiveKind &kind(std::uint32_t number) const { return m_kinds[number]; }
    [[nodiscard]] CallPathId currentCallPath() const { return m_row == none ? none : m_events.track.callPath[m_row]; }
    [[nodiscard]] std::size_t callCount() const { return m_events.track.size(); }
    [[nodiscard]] std::uint64_t unbalancedLeaves() const { return m_unbalancedLeaves; } ///< closed from further out
    [[nodiscard]] std::uint64_t strayLeaves() const { return m_strayLeaves; }           ///< without an enter

    /// The finished columns, without unused capacity. The builder is spent.
    LocationEvents finish();

  private:
    void post(PendingRequest::Kind kind, Tick time, std::uint64_t request, std::uint32_t envelope, std::uint32_t sendIndex);
    void mergePostings();
    static void setLast(MessageEnds &ends, std::uint32_t fingerprint);
    CallPathId callee(RegionId region, CallSiteId site);

    struct CachedCall {
        std::uint64_t key = ~std::uint64_t{0};
        CallSiteId site = none;
        CallPathId path = none;
    };

    CallPathTable &m_callPaths;
    LocationEvents m_events;
    std::uint32_t m_row = none;             ///< innermost open call
    std::array<CachedCall, 1024> m_calls{}; // programs of some hundred call paths should fit
    InternTable<Envelope, EnvelopeHash> m_envelopes;
    InternTable<CollectiveKind, CollectiveKindHash> m_kinds;
    std::unordered_map<std::uint64_t, PendingRequest> m_pending;
    std::vector<std::pair<std::uint32_t, Posting>> m_latePostings; ///< by position of the receive
    std::uint64_t m_unbalancedLeaves = 0;
    std::uint64_t m_strayLeaves = 0;
};

} // namespace laggard
