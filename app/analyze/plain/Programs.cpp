// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/plain/Programs.h"

#include "app/replay/JobRun.h"
#include "app/report/WriteFile.h"
#include "trace/Work.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace laggard {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    m_path = (fs::temp_directory_path(error) / "laggard-XXXXXX").string();
    if (error || ::mkdtemp(m_path.data()) == nullptr)
        throw std::system_error(error ? error : std::error_code(errno, std::generic_category()), m_path);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(m_path, error);
}

std::string findProgram(const char *name, const char *variable, const char *folder) {
    const auto isProgram = [](const fs::path &path) {
        std::error_code error;
        return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
    };
    if (const char *chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0')
        return isProgram(chosen) ? chosen : std::string();
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path &place : {own, own / ".." / folder, own / LAGGARD_LIBEXEC_FROM_BIN})
        if (isProgram(place / name))
            return (place / name).string();
    return {};
}

ProgramEnd runProgram(const std::vector<std::string> &command, const std::string &input, std::chrono::milliseconds limit,
                      const std::stop_token &stop) {
    const TemporaryFolder folder;
    writeFile(folder.path("input"), input);
    std::vector<std::string> line{"/bin/sh", "-c", "input=$1; shift; exec \"$@\" <\"$input\"", "sh", folder.path("input")};
    line.insert(line.end(), command.begin(), command.end());
    const replay::JobEnd end = replay::runJob(line, folder.path("output"), folder.path("errors"), limit, stop);
    if (end.isCancelled)
        throw Cancelled();
    return {end.isOverdue, end.status.value_or(-1), contentOf(folder.path("output")), contentOf(folder.path("errors"))};
}

} // namespace laggard
