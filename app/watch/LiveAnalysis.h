// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/Patience.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

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

    /// Judges, without pictures, unless `isWanted` turns false meanwhile. Nothing if it did not come to an end: problem() says
    /// why, in a sentence, unless it was not wanted any more.
    [[nodiscard]] std::optional<Judged> run(const std::function<bool()> &isWanted);
    [[nodiscard]] const std::string &problem() const { return m_problem; }
    /// Gives the text and the JSON report of the last run their names. Throws std::system_error.
    void keep() const;
    /// Makes report.html, which takes longer. False if it did not come to an end: problem() says why.
    bool makePage(const std::function<bool()> &isWanted);

  private:
    /// True if it ended with status 0; otherwise problem() says why, unless it was not wanted.
    [[nodiscard]] bool analyze(std::vector<std::string> options, const char *output, const std::function<bool()> &isWanted);
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
