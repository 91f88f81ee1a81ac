// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/generate/EventSink.h"

#include <otf2/otf2.h>

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

namespace laggard::bench {

/// Writes a made-up job as an OTF2 archive, as a measurement system would: one event and one definition file per
/// location, location ids `thread << 32 | rank`, several hosts, clocks that are off and the offsets that correct them.
///
/// Errors of libotf2 are thrown as std::runtime_error. Without `close` the archive is incomplete.
class Otf2Writer : public EventSink {
  public:
    /// `folder` must not exist or be empty; the anchor file is `folder/traces.otf2`. The clock of each rank is off by up to
    /// `skew` nanoseconds; 0: no clock is corrected.
    Otf2Writer(const std::filesystem::path &folder, JobShape shape, Tick skew = 0);

    /// Writes the definitions and finishes the archive; the number of events written.
    std::uint64_t close();

    void enter(LocationIndex location, Tick time, Function function) override;
    void leave(LocationIndex location, Tick time, Function function) override;
    void send(LocationIndex location, Tick time, const Peer &receiver) override;
    void isend(LocationIndex location, Tick time, const Peer &receiver, std::uint64_t request) override;
    void isendComplete(LocationIndex location, Tick time, std::uint64_t request) override;
    void irecvRequest(LocationIndex location, Tick time, std::uint64_t request) override;
    void receive(LocationIndex location, Tick time, const Peer &sender) override;
    void irecv(LocationIndex location, Tick time, const Peer &sender, std::uint64_t request) override;
    void collectiveBegin(LocationIndex location, Tick time) override;
    void collectiveEnd(LocationIndex location, Tick time, const CollectiveKind &kind) override;
    void fork(LocationIndex location, Tick time, std::uint32_t threads) override;
    void join(LocationIndex location, Tick time) override;
    void teamBegin(LocationIndex location, Tick time) override;
    void teamEnd(LocationIndex location, Tick time) override;

  private:
    struct Stream {
        OTF2_EvtWriter *writer = nullptr;
        std::uint64_t events = 0;
        Tick clockBehind = 0; ///< correct time minus the location's own
        Tick last = 0;        ///< time of its last event, on its own clock
    };
    struct CloseArchive {
        void operator()(OTF2_Archive *archive) const { OTF2_Archive_Close(archive); }
    };

    [[nodiscard]] std::uint64_t locationId(std::size_t location) const;
    [[nodiscard]] Rank rankOf(LocationIndex location) const { return location / m_shape.threadsPerRank; }
    /// Communicator of the thread team of a rank.
    [[nodiscard]] OTF2_CommRef teamOf(Rank rank) const {
        return static_cast<OTF2_CommRef>(m_shape.communicators.size() + 1 + rank);
    }
    /// The location's own time at `time`; keeps the archive's time range.
    OTF2_TimeStamp stamp(Stream &stream, Tick time);
    OTF2_StringRef string(const std::string &text);
    void writeLocalDefinitions();
    void writeGlobalDefinitions();
    void writeRegions();
    void writeSystemTree();
    void writeCommunicators();
    void writeThreadTeams();

    JobShape m_shape;
    std::unique_ptr<OTF2_Archive, CloseArchive> m_archive;
    OTF2_GlobalDefWriter *m_definitions = nullptr;
    std::vector<Stream> m_streams; ///< by location
    std::unordered_map<std::string, OTF2_StringRef> m_strings;
    Tick m_first = openEnd;
    Tick m_last = 0;
    Tick m_skew;
};

} // namespace laggard::bench
