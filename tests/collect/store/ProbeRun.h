// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"

#include <QTemporaryDir>

#include <map>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

/// Runs the probe program with a recording folder of its own.
class ProbeRun {
  public:
    ProbeRun();
    ~ProbeRun();
    ProbeRun(const ProbeRun &) = delete;
    ProbeRun &operator=(const ProbeRun &) = delete;

    /// LAGGARD_RECORD_… beside the folder, and others; before start().
    std::map<std::string, std::string> environment;
    /// Limit on the size of files, in bytes; 0: none.
    std::uint64_t fileLimit = 0;

    void start(const std::vector<std::string> &arguments);
    /// Waits for the end; returns what waitpid() says.
    int wait();
    int run(const std::vector<std::string> &arguments) {
        start(arguments);
        return wait();
    }
    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// What the probe wrote to stderr.
    [[nodiscard]] std::string errors() const;

    void setFolder(const std::string &folder) { m_folder = folder; }
    [[nodiscard]] std::string folder() const { return m_folder; }
    /// A path beside the recording.
    [[nodiscard]] std::string beside(const std::string &name) const;
    [[nodiscard]] std::vector<std::string> files() const;
    /// The only recording there is.
    [[nodiscard]] std::unique_ptr<laggard::recording::RecordingFile> recording() const;

  private:
    QTemporaryDir m_temporary;
    std::string m_folder;
    pid_t m_pid = -1;
};

/// An event with its payload.
struct Event {
    laggard::recording::RecordKind kind;
    std::uint32_t argument;
    std::vector<std::uint64_t> words;
};

/// All events of a thread; fails the test where the reader warns.
[[nodiscard]] std::vector<Event> eventsOf(const laggard::recording::RecordingFile &file, std::uint32_t thread = 0);
[[nodiscard]] std::size_t countOf(const std::vector<Event> &events, laggard::recording::RecordKind kind);
/// Tags of the sends, in order.
[[nodiscard]] std::vector<std::uint32_t> sentTags(const std::vector<Event> &events);
/// Name of the operation at the end of a path.
[[nodiscard]] std::string operationOf(const laggard::recording::RecordingFile &file, std::uint32_t path);
/// Names of the modules' files along a path, without folders, outermost first.
[[nodiscard]] std::vector<std::string> modulesOf(const laggard::recording::RecordingFile &file, std::uint32_t path);
/// Everything that is wrong with the file, one line each.
[[nodiscard]] std::string warningsOf(const laggard::recording::RecordingFile &file);
