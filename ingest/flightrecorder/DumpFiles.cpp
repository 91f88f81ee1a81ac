// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/DumpFiles.h"

#include "ingest/flightrecorder/Dump.h"
#include "ingest/flightrecorder/FileBytes.h"
#include "ingest/flightrecorder/RasSnapshot.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

namespace laggard::flightrecorder {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t headBytes = 4096;   // the keys that tell a dump stand in it, also in JSON with long stacks
constexpr Rank mostRanks = 4'194'304;     // as many as a model dump may have
constexpr std::size_t ranksPerFile = 256; // at least one rank of so many left a dump: else the numbers are none of ranks

bool isDump(const std::string &path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && looksLikeDump(beginningOf(path, headBytes));
}

/// By prefix, the dumps of a folder.
std::map<std::string, std::vector<DumpFiles::Entry>> dumpsIn(const std::string &folder) {
    std::map<std::string, std::vector<DumpFiles::Entry>> dumps;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (const std::optional<DumpName> name = dumpName(at->path().filename().string()); name && isDump(at->path().string()))
            dumps[name->prefix].push_back({name->rank, at->path().string()});
    for (auto &[prefix, files] : dumps)
        std::sort(files.begin(), files.end(), [](const DumpFiles::Entry &a, const DumpFiles::Entry &b) {
            return a.rank != b.rank ? a.rank < b.rank : a.path < b.path;
        });
    return dumps;
}

std::string folderOf(const std::string &file) {
    const std::string folder = fs::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::vector<std::string> snapshotsIn(const std::string &folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (fs::is_regular_file(at->path(), ignored) && looksLikeRas(beginningOf(at->path().string(), headBytes)))
            files.push_back(at->path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Where one rank has two files, the first is read.
void dropRepeated(DumpFiles &files) {
    std::vector<DumpFiles::Entry> kept;
    for (DumpFiles::Entry &entry : files.entries) {
        if (!kept.empty() && kept.back().rank == entry.rank)
            files.warnings.push_back(
                {WarningId::SecondDump,
                 Warning::Severity::Note,
                 std::nullopt,
                 entry.path,
                 "It is another dump of rank " + std::to_string(entry.rank) + ", of which \"" + kept.back().path + "\" is read.",
                 {{"rank", entry.rank}}});
        else
            kept.push_back(std::move(entry));
    }
    files.entries = std::move(kept);
}

} // namespace

std::optional<DumpName> dumpName(const std::string &fileName) {
    std::string_view name = fileName;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos && !name.empty() && !isDigit(name.back()))
        name = name.substr(0, dot);
    std::size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1]))
        --digits;
    DumpName result{std::string(name.substr(0, digits))};
    const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), result.rank);
    if (error != std::errc() || result.rank >= mostRanks)
        return std::nullopt;
    return result;
}

std::vector<std::string> findDumps(const std::string &path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        return isDump(path) ? std::vector<std::string>{path} : std::vector<std::string>{};
    const auto dumps = dumpsIn(path);
    if (dumps.size() == 1)
        return {path};
    std::vector<std::string> first;
    for (const auto &[prefix, files] : dumps)
        first.push_back(files.front().path);
    return first;
}

DumpFiles filesOf(const std::string &path) {
    std::error_code error;
    const bool isFolder = fs::is_directory(path, error);
    const std::string folder = isFolder ? path : folderOf(path);
    const std::optional<DumpName> name = isFolder ? std::nullopt : dumpName(fs::path(path).filename().string());
    if (!isFolder && !name)
        throw ReadError("The dump \"" + path +
                        "\" has a name that does not end with the number of its rank, which only the name tells.");
    auto dumps = dumpsIn(folder);
    DumpFiles files;
    if (name)
        files.entries = std::move(dumps[name->prefix]);
    else if (!dumps.empty())
        files.entries = std::move(dumps.begin()->second);
    if (files.entries.empty())
        throw ReadError('"' + path + "\" has no dumps of the Flight Recorder that can be read.");
    dropRepeated(files);
    if (files.entries.back().rank >= ranksPerFile * (files.entries.size() + 1))
        throw ReadError('"' + path + "\" has " + plural(files.entries.size(), "dump") + ", and \"" + files.entries.back().path +
                        "\" would be of rank " + describeCount(files.entries.back().rank) +
                        ": the numbers in the names are not those of ranks.");
    files.snapshots = snapshotsIn(folder);
    return files;
}

} // namespace laggard::flightrecorder
