// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::collect::mpi {

/// Finds out whether all ranks of the job are recorded, without asking MPI: one that is not would leave the others waiting in
/// whatever they do together. It goes by files in the recording's folder, and renaming them decides: every rank says that it is
/// there, and rank 0 takes each at its word or does not. Whoever is not asked in time says so, and then rank 0 cannot ask it any
/// more. Where the ranks have no folder in common, nobody is found.
class Attendance {
  public:
    Attendance(std::string folder, std::uint32_t rank, std::uint32_t size);

    /// True in all ranks of the job, or in none that lives on. `machine`: what this rank says of where it runs. Takes two seconds
    /// at most, beside what the file system takes; a rank that has been taken at its word waits for rank 0's decision.
    [[nodiscard]] bool agree(const std::string &machine, bool evenOnOneMachine);
    /// On rank 0, after it was agreed: by rank.
    [[nodiscard]] const std::vector<std::string> &machines() const { return m_machines; }

  private:
    [[nodiscard]] bool say(const std::string &machine);
    [[nodiscard]] bool decide(bool evenOnOneMachine);
    [[nodiscard]] bool findAll();
    [[nodiscard]] bool waitForDecision();
    [[nodiscard]] std::string place(const std::string &name) const { return m_folder + "/" + name; }

    std::string m_folder;
    std::uint32_t m_rank;
    std::uint32_t m_size;
    std::string m_name;                  ///< of this rank's file
    std::vector<std::string> m_found;    ///< by rank: names of files; rank 0 only
    std::vector<std::string> m_machines; ///< likewise
};

} // namespace laggard::collect::mpi
