// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/LocationBuilder.h"
#include "ingest/otf2/OperationText.h"
#include "ingest/otf2/Tables.h"
#include "ingest/otf2/UnknownRegions.h"
#include "ingest/otf2/UnshownRecords.h"

#include <algorithm>
#include <optional>

namespace laggard::otf2 {

/// What is odd in the events of a location.
struct Oddities {
    std::uint64_t backwardSteps = 0; ///< times that precede their predecessor's
    Tick largestStep = 0;
    std::uint64_t unknownCalls = 0; ///< references to calls that are not there
    std::uint64_t unknownRecords = 0;
    std::uint64_t plausible = 0; ///< events before the first of unknown kind or with a time out of the declared range
    std::uint64_t unknownRegions = 0;
    std::uint64_t unknownCommunicators = 0;
    std::uint64_t unknownPeers = 0;
    std::uint64_t strayLeaves = 0;      ///< without an enter
    std::uint64_t unbalancedLeaves = 0; ///< enters without a leave, closed by a caller's
    bool exceedsFile = false;           ///< more events than the file can hold
    bool runsBackward = false;          ///< time stepped back for good
    std::uint64_t backwardFrom = 0;     ///< if so: number of events before that
};

/// Takes the event records of one location from libotf2's callbacks, in order: checks them, translates the archive's numbers, and
/// hands them to the LocationBuilder.
class EventSink {
  public:
    /// `limit`: events after which to stop. `fileBytes`: what the file could hold at most, in uncompressed bytes.
    /// `declared`: when the archive says that all events happened.
    EventSink(const References &references, UnknownRegions &unknownRegions, CallPathTable &callPaths, Rank rank,
              std::uint64_t limit, std::uint64_t fileBytes, TimeRange declared)
        : m_references(references),
          m_unknownRegions(unknownRegions),
          m_builder(callPaths),
          m_rank(rank),
          m_limit(limit),
          m_fileBytes(fileBytes),
          m_declared(declared) {}

    // One per record kind; false: do not read on.
    bool enter(Tick time, std::uint64_t region, const IdMap &map, const OTF2_AttributeList *attributes);
    bool leave(Tick time, std::uint64_t region, const IdMap &map);
    bool send(Tick time, const OTF2_AttributeList *attributes, std::uint32_t receiver, std::uint32_t communicator,
              std::uint32_t tag, std::uint64_t bytes);
    bool isend(Tick time, const OTF2_AttributeList *attributes, std::uint32_t receiver, std::uint32_t communicator,
               std::uint32_t tag, std::uint64_t bytes, std::uint64_t request);
    bool postReceive(Tick time, std::uint64_t request, const OTF2_AttributeList *attributes);
    bool postCollective(Tick time, std::uint64_t request, const OTF2_AttributeList *attributes);
    bool receive(Tick time, const OTF2_AttributeList *attributes, std::uint32_t sender, std::uint32_t communicator,
                 std::uint32_t tag, std::uint64_t bytes, std::optional<std::uint64_t> request = {});
    bool collective(Tick time, const OTF2_AttributeList *attributes, OTF2_CollectiveOp operation, std::uint32_t communicator,
                    std::uint32_t root, std::uint64_t sent, std::uint64_t received, std::optional<std::uint64_t> request = {});
    bool complete(Tick time, std::uint64_t request);
    bool redundant(Tick time) { return begin(time); }
    bool unshown(Tick time, std::size_t kind) {
        ++m_unshown[kind];
        return begin(time);
    }
    bool unknown(Tick time) {
        m_suspectFrom = std::min(m_suspectFrom, m_count);
        ++m_odd.unknownRecords;
        return begin(time);
    }

    [[nodiscard]] const References &references() const { return m_references; }
    [[nodiscard]] std::uint64_t eventCount() const { return m_count; }
    /// At least as many bytes of the file as the events so far take.
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytes; }
    [[nodiscard]] Tick firstTime() const { return m_first; }
    [[nodiscard]] Tick lastTime() const { return m_now; }
    [[nodiscard]] const UnshownCounts &unshownCounts() const { return m_unshown; }
    /// True where another event would not be taken.
    [[nodiscard]] bool isFull() const { return m_count >= m_limit || m_odd.exceedsFile || m_builder.callCount() >= mostCalls; }
    /// What was odd up to here; to be asked when all has been read.
    [[nodiscard]] Oddities oddities() const;
    /// All that was read. `known`: what the definitions tell of the location (Extras.h).
    [[nodiscard]] LocationEvents finish(LocationEvents known);

  private:
    static constexpr std::size_t mostCalls = none - 1; // rows are numbered with 32 bits

    /// Counts the event; false if it must not be taken. Afterwards `m_now` is its time, corrected not to step back.
    bool begin(Tick time);
    bool stepBack(Tick time);
    [[nodiscard]] Envelope envelope(std::uint32_t peer, std::uint32_t communicator, std::uint32_t tag, std::uint64_t bytes);
    [[nodiscard]] RegionId region(std::uint64_t reference, const IdMap &map);
    [[nodiscard]] CommunicatorId communicator(std::uint32_t reference);
    /// The text of an attribute; empty if the event does not have it.
    [[nodiscard]] const std::string &text(const OTF2_AttributeList *attributes, std::uint32_t attribute) const;
    [[nodiscard]] std::optional<PostedOperation> posted(const OTF2_AttributeList *attributes) const;
    /// A message's fingerprint; 0 if the event does not have it.
    [[nodiscard]] std::uint32_t fingerprint(const OTF2_AttributeList *attributes) const;
    /// A number of 32 bits; nothing if the event does not have it.
    [[nodiscard]] static std::optional<std::uint32_t> number(const OTF2_AttributeList *attributes, std::uint32_t attribute);
    /// The row of the call that posted an operation, as the event says; nothing if it does not. `none`: an earlier call.
    [[nodiscard]] std::optional<std::uint32_t> postingRow(const OTF2_AttributeList *attributes);
    void readPosting(const OTF2_AttributeList *attributes, std::optional<LocationBuilder::Posting> &posting);
    void setOrigin(std::uint64_t request, const PostedOperation &operation);
    void readEnterAttributes(const OTF2_AttributeList *attributes);

    const References &m_references;
    UnknownRegions &m_unknownRegions;
    LocationBuilder m_builder;
    Rank m_rank;
    std::uint64_t m_limit;
    std::uint64_t m_fileBytes;
    TimeRange m_declared;
    std::uint64_t m_suspectFrom = ~std::uint64_t{0};
    std::uint64_t m_count = 0;
    std::uint64_t m_bytes = 0;
    Tick m_first = 0;
    Tick m_now = 0;
    bool m_isBehind = false; ///< time has stepped back and not recovered
    std::uint64_t m_behindFrom = 0;
    Tick m_latestBehind = 0;
    Oddities m_odd;
    UnshownCounts m_unshown{};
    std::optional<OpenParts> m_openParts; ///< for the call in row `m_openRow`
    std::uint32_t m_openRow = none;
    std::vector<PollRun> m_polls;
    std::vector<EpochCall> m_epochs;
    std::vector<RankSet> m_groups;
    std::vector<TakenMessage> m_taken;
};

/// Registers an EventSink's functions for all record kinds of libotf2. The callbacks' user data is an EventSink.
void registerCallbacks(OTF2_EvtReaderCallbacks *callbacks);

} // namespace laggard::otf2
