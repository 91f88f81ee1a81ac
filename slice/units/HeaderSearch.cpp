// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/HeaderSearch.h"

#include "slice/units/SourceFiles.h"

#include <algorithm>
#include <filesystem>

namespace laggard {
namespace {

namespace fs = std::filesystem;

/// Above that lie other projects.
constexpr unsigned mostLevels = 4;

/// Folders with headers of GCC's own: Clang's package has none for OpenMP.
std::vector<fs::path> gccFolders() {
    std::vector<fs::path> found;
    std::error_code error;
    for (const char *machine : {"/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/aarch64-linux-gnu"})
        for (fs::directory_iterator at(machine, error), end; !error && at != end; at.increment(error))
            found.push_back(at->path() / "include");
    std::ranges::sort(found, std::greater<>());
    return found;
}

std::string missingHeader(const std::string &error) {
    const std::size_t end = error.find("' file not found");
    const std::size_t begin = end == std::string::npos ? end : error.rfind('\'', end - 1);
    return begin == std::string::npos || end == 0 ? std::string() : error.substr(begin + 1, end - begin - 1);
}

} // namespace

std::string folderOfMissingHeader(const std::string &error, const std::string &source, const std::vector<std::string> &folders) {
    const std::string header = missingHeader(error);
    if (header.empty())
        return {};
    if (header == "omp.h")
        for (const fs::path &folder : gccFolders())
            if (isPlainFile((folder / header).string()))
                return folder.string();
    fs::path folder = fs::path(source).parent_path();
    for (unsigned level = 0; level < mostLevels && folder.has_relative_path(); ++level, folder = folder.parent_path())
        for (const char *name : {"", "include", "inc", "src", "lib"})
            if (const fs::path there = folder / name; isPlainFile((there / header).string()))
                return there.lexically_normal().string();
    for (const std::string &other : folders)
        if (isPlainFile((fs::path(other) / header).string()))
            return other;
    return {};
}

} // namespace laggard
