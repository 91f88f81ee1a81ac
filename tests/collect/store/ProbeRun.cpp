// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeRun.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard;
using namespace laggard::recording;

ProbeRun::ProbeRun() : m_folder(m_temporary.path().toStdString() + "/recording") { std::filesystem::create_directory(m_folder); }

ProbeRun::~ProbeRun() {
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
}

std::string ProbeRun::beside(const std::string &name) const { return m_temporary.path().toStdString() + "/" + name; }

void ProbeRun::start(const std::vector<std::string> &arguments) {
    environment.insert({"LAGGARD_RECORD_DIR", m_folder});
    environment.insert({"LAGGARD_RECORD_HANG_TIMEOUT", "0"});
    m_pid = fork();
    if (m_pid != 0)
        return;
    for (const auto &[name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    if (fileLimit > 0) {
        const rlimit limit{fileLimit, fileLimit};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    const int errors = open(beside("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(errors, 2);
    std::vector<char *> words{const_cast<char *>(LAGGARD_PROBE)};
    for (const std::string &argument : arguments)
        words.push_back(const_cast<char *>(argument.c_str()));
    words.push_back(nullptr);
    execv(LAGGARD_PROBE, words.data());
    _exit(99);
}

int ProbeRun::wait() {
    int status = 0;
    waitpid(m_pid, &status, 0);
    m_pid = -1;
    return status;
}

std::string ProbeRun::errors() const {
    std::ifstream file(beside("errors"));
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> ProbeRun::files() const {
    std::vector<std::string> result;
    for (const auto &entry : std::filesystem::directory_iterator(m_folder))
        if (entry.path().extension() == fileSuffix)
            result.push_back(entry.path().string());
    std::sort(result.begin(), result.end());
    return result;
}

std::unique_ptr<RecordingFile> ProbeRun::recording() const {
    const auto all = files();
    if (all.size() != 1)
        qFatal("expected one recording, there are %zu: %s", all.size(), errors().c_str());
    return std::make_unique<RecordingFile>(all.front());
}

std::vector<Event> eventsOf(const RecordingFile &file, std::uint32_t thread) {
    std::vector<Event> events;
    EventReader reader = file.events(thread);
    for (Record record; reader.next(record);)
        events.push_back({record.kind, record.argument, {record.payload, record.payload + record.words}});
    for (const Warning &warning : reader.warnings())
        qWarning("%s", warning.message.c_str());
    if (!reader.warnings().empty())
        QTest::qFail("the events are damaged", __FILE__, __LINE__);
    return events;
}

std::size_t countOf(const std::vector<Event> &events, RecordKind kind) {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const Event &event) { return event.kind == kind; }));
}

std::vector<std::uint32_t> sentTags(const std::vector<Event> &events) {
    std::vector<std::uint32_t> tags;
    for (const Event &event : events)
        if (event.kind == RecordKind::SendPart)
            tags.push_back(low(event.words[0]));
    return tags;
}

std::string operationOf(const RecordingFile &file, std::uint32_t path) {
    const FileDefinitions &definitions = file.definitions();
    if (path >= definitions.paths.size())
        return "none";
    const auto &address = definitions.addresses.at(definitions.paths[path].address);
    return address.kind == AddressKind::Operation ? definitions.operations.at(address.offset) : "no operation";
}

std::vector<std::string> modulesOf(const RecordingFile &file, std::uint32_t path) {
    const FileDefinitions &definitions = file.definitions();
    std::vector<std::string> result;
    for (; path != nothing; path = definitions.paths.at(path).parent) {
        const auto &address = definitions.addresses.at(definitions.paths.at(path).address);
        if (address.kind != AddressKind::Operation)
            result.push_back(address.module == nothing
                                 ? "?"
                                 : std::filesystem::path(definitions.modules.at(address.module).path).filename().string());
    }
    std::reverse(result.begin(), result.end());
    return result;
}

std::string warningsOf(const RecordingFile &file) {
    std::string result;
    for (const Warning &warning : file.warnings())
        result += warning.message + "\n";
    return result;
}
