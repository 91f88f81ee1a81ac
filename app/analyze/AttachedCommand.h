// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// "laggard-analyze --attach WORDS -- OPTIONS": what laggard-attach gets, and then what it has written takes the place of the
/// trace. Without --attach as the first word nothing is changed.
class AttachedCommand {
  public:
    AttachedCommand(int argc, char **argv);

    /// Makes room for what is written, which is gone with this object unless the words name a file. False, and explained, if that
    /// is not possible.
    [[nodiscard]] bool prepare();
    [[nodiscard]] bool isAsked() const { return m_isAsked; }
    /// The command line that is left.
    [[nodiscard]] int count() const { return static_cast<int>(m_words.size()) - 1; }
    [[nodiscard]] char **words() { return m_words.data(); }
    /// Looks at the job, if one was asked for; what laggard-attach says goes to standard error. Throws ReadError, Cancelled.
    void run(std::stop_token stop);

  private:
    /// A file in a folder of our own, which is gone with this object. Empty, and explained, if there can be none.
    [[nodiscard]] std::string makeFolder();

    bool m_isAsked = false;
    std::vector<std::string> m_attach; ///< for laggard-attach, without where to write
    std::vector<std::string> m_rest;
    std::string m_output;
    std::shared_ptr<void> m_folder; ///< what removes it
    std::vector<char *> m_words;    ///< with a null pointer at the end
};

} // namespace laggard
