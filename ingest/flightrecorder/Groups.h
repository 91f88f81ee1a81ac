// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/Agreement.h"
#include "ingest/flightrecorder/Dump.h"
#include "trace/Trace.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace laggard::flightrecorder {

/// Process groups of all ranks as communicators. Names repeat in a job (each rank's first pipeline group may be called "43"): a
/// group is told by its name and its members together.
class GroupTable {
  public:
    /// The communicator of a group of this rank. One whose members are not told has those ranks that know it by this name. What a
    /// dump tells that contradicts itself has no weight.
    [[nodiscard]] CommunicatorId intern(const DumpGroup &group, Rank rank, bool isSound);

    /// Notes that operations of this kind are known on it, and of how many ranks the largest is.
    void noteUse(CommunicatorId communicator, bool isMessage) {
        (isMessage ? m_uses[communicator].messages : m_uses[communicator].collectives) = true;
    }
    [[nodiscard]] bool hasMessages(CommunicatorId communicator) const { return m_uses[communicator].messages; }
    [[nodiscard]] bool hasCollectives(CommunicatorId communicator) const { return m_uses[communicator].collectives; }

    /// Once all dumps are read: a group that a dump tells otherwise than most of its members do becomes theirs. Appends who told
    /// it otherwise; where as many say the one as the other, both, and each keeps its own. Returns what each communicator that
    /// `intern` gave has become.
    ///
    /// Only what contradicts is taken for damage: a group that some members have not made yet is none.
    [[nodiscard]] std::vector<CommunicatorId> settle(std::vector<Dissent> &dissents);

    /// One more than the largest rank that is a member of any.
    [[nodiscard]] std::size_t worldSize() const;
    [[nodiscard]] const std::vector<Communicator> &all() const { return m_all; }

    /// Moves the communicators to the trace, and finds the one of all ranks. The table is spent.
    void finish(Trace &trace);

  private:
    struct Use {
        bool messages = false;
        bool collectives = false;
    };
    /// A group, and whose dumps tell it so.
    struct Told {
        std::string name;
        RankSet members;
        RankSet by;                                  ///< whose lists of groups have it
        std::map<std::string, RankSet> descriptions; ///< by description: whose dumps
        bool isUntold = false;                       ///< members grow with the ranks that know the group
    };

    /// How much speaks for it: members that tell it and do not contradict themselves, then that there are no members of whom only
    /// its tellers know.
    using Weight = std::pair<std::size_t, std::ptrdiff_t>;
    [[nodiscard]] Weight weightOf(CommunicatorId group) const;
    void weigh();
    [[nodiscard]] bool isAgreed(CommunicatorId group) const;
    [[nodiscard]] bool contradict(CommunicatorId group, CommunicatorId other) const;
    /// Who may contradict whom: groups of one name, and of the same members.
    struct Rivals {
        std::map<std::string, std::vector<CommunicatorId>> ofName;
        std::map<std::vector<Rank>, std::vector<CommunicatorId>> ofMembers;
    };
    [[nodiscard]] Rivals possibleRivals() const;
    [[nodiscard]] CommunicatorId rivalOf(CommunicatorId group, const Rivals &rivals) const;
    void describeRivals(CommunicatorId group, CommunicatorId rival, std::vector<Dissent> &dissents) const;
    [[nodiscard]] std::map<std::string, RankSet> allDescriptions() const;
    void settleDescription(CommunicatorId group, const std::map<std::string, RankSet> &inAll, std::vector<Dissent> &dissents);
    [[nodiscard]] std::size_t soundOf(const RankSet &ranks) const;
    [[nodiscard]] std::vector<CommunicatorId> mergeInto(const std::vector<CommunicatorId> &rivals);

    std::map<std::pair<std::string, std::vector<Rank>>, CommunicatorId> m_known;
    std::vector<Communicator> m_all;
    std::vector<Told> m_told; ///< by communicator
    std::vector<Use> m_uses;
    RankSet m_unsound;            ///< whose dumps contradict themselves
    RankSet m_tellers;            ///< whose dumps list groups
    std::vector<Rank> m_knownBy;  ///< by rank: the only one whose dump has it as a member; `none`: several have
    std::vector<Weight> m_weight; ///< by communicator
};

} // namespace laggard::flightrecorder
