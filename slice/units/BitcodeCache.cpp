// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/BitcodeCache.h"

#include "slice/units/SourceFiles.h"
#include "slice/units/WholeFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <llvm/Support/xxhash.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view firstLine = "laggard-slice-unit 1";
constexpr std::uint64_t mostListBytes = std::uint64_t{16} << 20U;
constexpr std::uint64_t mostBitcodeBytes = std::uint64_t{1} << 30U;
/// Bitcode takes about as much room as the sources with their headers: units of some million lines.
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 30U;

/// Tells bitcode that the disk has damaged; who may write to the folder could do as they like.
std::string checksumOf(std::string_view bytes) { return std::to_string(llvm::xxHash64({bytes.data(), bytes.size()})); }

/// Makes the folder and those above it, for the owner only. 0, or the number of the error.
int makeFolder(const fs::path &folder) {
    fs::path made;
    for (const fs::path &part : folder) {
        made /= part;
        if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
            const int error = errno;
            struct stat status {};
            if (::stat(made.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) // (on a read-only disk, for one)
                return error;
        }
    }
    return 0;
}

/// Bitcode that others could put there would be read as the user's.
std::string whyNotTrusted(const std::string &folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0)
        return std::strerror(errno);
    if (!S_ISDIR(status.st_mode))
        return "it is no folder";
    if (status.st_uid != ::geteuid())
        return "it belongs to another user";
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others may write to it";
    return {};
}

/// What is known of the bitcode for a question.
struct List {
    std::string bitcode, checksum;
    std::vector<std::pair<std::string, std::string>> read; // hash, path
};

std::optional<List> parseList(const std::string &text) {
    std::istringstream lines(text);
    std::string line;
    List list;
    if (!std::getline(lines, line) || line != firstLine || !std::getline(lines, list.bitcode) ||
        !std::getline(lines, list.checksum))
        return std::nullopt;
    while (std::getline(lines, line) && line != "end") {
        const std::size_t blank = line.find(' ');
        if (blank == std::string::npos)
            return std::nullopt;
        list.read.emplace_back(line.substr(0, blank), line.substr(blank + 1));
    }
    const bool isHash = list.bitcode.size() == 64 && list.bitcode.find_first_not_of("0123456789abcdef") == std::string::npos;
    return line == "end" && isHash ? std::optional(list) : std::nullopt;
}

} // namespace

BitcodeCache::BitcodeCache(std::string folder) : m_folder(std::move(folder)) {
    if (m_folder.empty())
        return;
    const int error = makeFolder(m_folder);
    const std::string why = error != 0 ? std::strerror(error) : whyNotTrusted(m_folder);
    if (why.empty())
        return;
    complain(why);
    m_folder.clear();
}

std::string BitcodeCache::fileFor(const std::string &name, std::string_view ending) const {
    return m_folder + '/' + name + std::string(ending);
}

std::optional<std::string> BitcodeCache::find(const std::string &question, FileHashes &hashes) {
    if (m_folder.empty())
        return std::nullopt;
    const std::string listFile = fileFor(hashOf(question), ".unit");
    const auto text = contentOf(listFile, mostListBytes);
    const auto list = text ? parseList(*text) : std::nullopt;
    if (!list)
        return std::nullopt;
    for (const auto &[hash, path] : list->read)
        if (hashes.of(path) != hash)
            return std::nullopt;
    std::string file = fileFor(list->bitcode, ".bc");
    const auto bitcode = contentOf(file, mostBitcodeBytes);
    if (!bitcode || checksumOf(*bitcode) != list->checksum)
        return std::nullopt;
    // For trim().
    ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
    ::utimensat(AT_FDCWD, listFile.c_str(), nullptr, 0);
    return file;
}

std::optional<std::string> BitcodeCache::store(const std::string &question, const std::vector<std::string> &read,
                                               FileHashes &hashes, std::string_view bitcode) {
    if (m_folder.empty())
        return std::nullopt;
    std::string files;
    for (const std::string &path : read) {
        const std::string hash = hashes.of(path);
        if (hash.empty() || path.find('\n') != std::string::npos)
            return std::nullopt; // it has gone in the meantime
        files += hash + ' ' + path + '\n';
    }
    const std::string name = hashOf(question + '\n' + files);
    const std::string file = fileFor(name, ".bc");
    const std::string list = std::string(firstLine) + '\n' + name + '\n' + checksumOf(bitcode) + '\n' + files + "end\n";
    if (!publish(file, bitcode) || !publish(fileFor(hashOf(question), ".unit"), list))
        return std::nullopt;
    return file;
}

bool BitcodeCache::publish(const std::string &path, std::string_view content) {
    const int error = writeWhole(path, content, 0600);
    if (error != 0)
        complain(std::strerror(error));
    return error == 0;
}

void BitcodeCache::complain(const std::string &why) {
    const std::lock_guard lock(m_mutex);
    if (m_warning.empty())
        m_warning =
            "Compiled units cannot be kept in \"" + m_folder + "\", so that the next slice compiles them anew: " + why + '.';
}

std::string BitcodeCache::warning() const {
    const std::lock_guard lock(m_mutex);
    return m_warning;
}

void BitcodeCache::trim() {
    if (m_folder.empty())
        return;
    struct File {
        fs::file_time_type used;
        std::uint64_t size;
        fs::path path;
    };
    std::vector<File> files;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator at(m_folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone; // another process trims as well
        const fs::path &path = at->path();
        const auto size = at->file_size(gone);
        const auto used = gone ? fs::file_time_type() : at->last_write_time(gone);
        if (gone || (path.extension() != ".bc" && path.extension() != ".unit"))
            continue;
        files.push_back({used, size, path});
        total += size;
    }
    if (total <= mostBytes)
        return;
    std::ranges::sort(files, {}, &File::used);
    for (auto file = files.begin(); file != files.end() && total > mostBytes / 2; ++file) {
        fs::remove(file->path, error);
        total -= file->size;
    }
}

std::string userCacheFolder() {
    const auto absolute = [](const char *variable) {
        const char *value = std::getenv(variable);
        return value != nullptr && *value == '/' ? std::string(value) : std::string();
    };
    if (const std::string cache = absolute("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/laggard/slice";
    if (const std::string home = absolute("HOME"); !home.empty())
        return home + "/.cache/laggard/slice";
    return {};
}

} // namespace laggard
