// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/Patience.h"

#include <functional>
#include <optional>
#include <string>

namespace laggard::watch {

/// laggard-analyze, run on a job that stands still. It writes under names of its own, beside the recording, which become
/// verdict.txt, report.json and report.html once that is what is to be said.
class LiveAnalysis {
  public:
    /// `program`: path of laggard-analyze.
    LiveAnalysis(std::string program, std::string folder);
    ~LiveAnalysis();
    LiveAnalysis(const LiveAnalysis &) = delete;
    LiveAnalysis &operator=(const LiveAnalysis &) = delete;

    /// Runs it, unless `isWanted` turns false meanwhile. Nothing if it did not come to an end: problem() says why, in a sentence,
    /// unless it was not wanted any more.
    [[nodiscard]] std::optional<Judged> run(const std::function<bool()> &isWanted);
    [[nodiscard]] const std::string &problem() const { return m_problem; }
    /// Gives the files of the last run their names. Throws std::system_error.
    void keep() const;
    /// Its text, as laggard-analyze prints it.
    [[nodiscard]] std::string text() const;

  private:
    [[nodiscard]] std::string half(const char *name) const;

    std::string m_program;
    std::string m_folder;
    std::string m_problem;
};

/// What a report says of the job; nothing if it is none.
[[nodiscard]] std::optional<Judged> readReport(const std::string &path);

/// The answer of a text report: its first two paragraphs.
[[nodiscard]] std::string answerOf(const std::string &text);

} // namespace laggard::watch
