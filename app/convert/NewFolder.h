// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard {

/// A folder that appears under its name whole or not at all: it is filled beside its place, under a hidden name, and moved there
/// at the end. What was not published is removed.
class NewFolder {
  public:
    /// Throws WriteError if something of that name exists or the folder cannot be made.
    explicit NewFolder(std::string path);
    ~NewFolder();
    NewFolder(const NewFolder &) = delete;
    NewFolder &operator=(const NewFolder &) = delete;

    /// Where to write until then.
    [[nodiscard]] const std::string &temporary() const { return m_temporary; }
    [[nodiscard]] const std::string &path() const { return m_path; }
    /// Gives the folder its name. Throws WriteError.
    void publish();

  private:
    std::string m_path;
    std::string m_temporary;
    bool m_isPublished = false;
};

} // namespace laggard
