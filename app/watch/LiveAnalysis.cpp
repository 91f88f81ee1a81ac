// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/LiveAnalysis.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace laggard::watch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array names{"verdict.txt", "report.json"};
constexpr char page[] = "report.html";

std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

[[noreturn]] void become(const std::vector<char *> &arguments, int output, int errors) {
    ::setpgid(0, 0);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

/// Its status as of waitpid(); nothing if it was ended because it was not wanted, or took too long.
std::optional<int> waitFor(pid_t child, Clock::time_point until, const std::function<bool()> &isWanted) {
    using namespace std::chrono_literals;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (Clock::now() >= until || !isWanted()) {
            ::kill(-child, SIGKILL);
            ::waitpid(child, &status, 0);
            return std::nullopt;
        }
        std::this_thread::sleep_for(50ms);
    }
    return status;
}

std::string problemOf(int status, const std::string &errors) {
    if (WIFSIGNALED(status))
        return "the analysis of the job was ended by signal " + std::to_string(WTERMSIG(status)) + ".";
    if (WEXITSTATUS(status) == 127)
        return "laggard-analyze cannot be started.";
    const std::string first = errors.substr(0, errors.find('\n'));
    return "the job could not be analysed: " + (first.empty() ? "laggard-analyze does not say why." : first);
}

} // namespace

LiveAnalysis::LiveAnalysis(std::string program, std::string folder)
    : m_program(std::move(program)), m_folder(std::move(folder)) {}

LiveAnalysis::~LiveAnalysis() {
    for (const char *name : names)
        ::unlink(half(name).c_str());
    for (const char *name : {page, "errors", "output"})
        ::unlink(half(name).c_str());
}

std::string LiveAnalysis::half(const char *name) const { return m_folder + "/.on-hang-" + name; }

bool LiveAnalysis::analyze(std::vector<std::string> options, const char *name, const std::function<bool()> &isWanted) {
    constexpr std::chrono::minutes longest{10}; // a recording of a gigabyte is analysed in less
    m_problem.clear();
    options.insert(options.begin(), {m_program, m_folder});
    std::vector<char *> arguments;
    for (std::string &word : options)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    const int output = ::open(half(name).c_str(), flags, 0600);
    const int errors = ::open(half("errors").c_str(), flags, 0600);
    const pid_t child = output < 0 || errors < 0 ? -1 : ::fork();
    if (child == 0)
        become(arguments, output, errors);
    const int error = errno;
    for (const int descriptor : {output, errors})
        if (descriptor >= 0)
            ::close(descriptor);
    if (child < 0) {
        m_problem = std::string("the analysis of the job cannot be started (") + std::strerror(error) + ").";
        return false;
    }
    ::setpgid(child, child); // whoever comes first, the parent or the child
    const Clock::time_point until = Clock::now() + longest;
    const std::optional<int> status = waitFor(child, until, isWanted);
    if (!status) {
        if (Clock::now() >= until)
            m_problem = "the analysis of the job was ended after ten minutes.";
        return false;
    }
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0)
        m_problem = problemOf(*status, contentOf(half("errors")));
    return m_problem.empty();
}

std::optional<Judged> LiveAnalysis::run(const std::function<bool()> &isWanted) {
    if (!analyze({"--json", half("report.json")}, "verdict.txt", isWanted))
        return std::nullopt;
    std::optional<Judged> judged = readReport(half("report.json"));
    if (!judged)
        m_problem = "the report on the job cannot be read.";
    return judged;
}

bool LiveAnalysis::makePage(const std::function<bool()> &isWanted) {
    // A machine whose processors are all taken by ranks that wait lays a graph out slowly.
    if (!analyze({"--report", half(page), "--layout-timeout", "60"}, "output", isWanted))
        return false;
    return std::rename(half(page).c_str(), (m_folder + "/" + page).c_str()) == 0;
}

void LiveAnalysis::keep() const {
    for (const char *name : names)
        if (std::rename(half(name).c_str(), (m_folder + "/" + name).c_str()) != 0)
            throw std::system_error(errno, std::generic_category(), name);
}

std::optional<Judged> readReport(const std::string &path) {
    const auto report = nlohmann::json::parse(contentOf(path), nullptr, false);
    const auto verdict = report.find("verdict");
    if (!report.is_object() || verdict == report.end() || !verdict->is_object())
        return std::nullopt;
    try {
        return Judged{.state = verdict->at("state").get<std::string>(),
                      .kind = verdict->at("facts").at("kind").get<std::string>(),
                      .confidence = verdict->at("confidence").get<double>()};
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

std::string answerOf(const std::string &text) {
    std::size_t end = 0;
    for (int paragraphs = 0; paragraphs < 2 && end != std::string::npos; ++paragraphs)
        end = text.find("\n\n", end == 0 ? 0 : end + 2);
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

} // namespace laggard::watch
