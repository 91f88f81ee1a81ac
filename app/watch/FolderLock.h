// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace laggard::watch {

/// The file in a recording's folder by which the watchers of a job agree. Whoever holds a place loses it with its life (locks of
/// the system), so that a watcher that is killed leaves nothing behind. Works across nodes where the file system has locks.
class FolderLock {
  public:
    /// Throws std::system_error if it cannot be made.
    FolderLock(const std::string &folder, const std::string &job);
    ~FolderLock();
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;

    /// The lock of the whole job: who has it judges.
    [[nodiscard]] bool takeJob();
    /// The lock of this node: the first one watches, the second one stands by and takes its place when it dies.
    [[nodiscard]] bool takeNode();
    [[nodiscard]] bool takeReserve();

    /// What has been said of the job, for all its watchers.
    enum class Word : char { Nothing = '-', Told = 't', Stop = 's' };
    [[nodiscard]] Word word() const;
    void say(Word word) const;

  private:
    [[nodiscard]] bool take(std::int64_t place) const;

    int m_file;
    std::int64_t m_node; ///< its place
};

} // namespace laggard::watch
