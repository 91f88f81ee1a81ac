// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Archive.h"

#include "trace/Quantity.h"
#include "trace/Work.h"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string_view>
#include <unistd.h>

namespace laggard::otf2 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view anchorEnding = ".otf2";

thread_local ErrorLog *currentLog = nullptr; // libotf2 has one callback for the whole program

/// The first bytes of a regular file; shorter if the file is, and empty for anything else, which may never answer (a pipe).
std::string head(const std::string &path, std::size_t size) {
    if (std::error_code ignored; !fs::is_regular_file(path, ignored))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

std::uint64_t number(const std::string &bytes, std::size_t position, std::size_t size, bool littleEndian) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes[position + (littleEndian ? size - 1 - i : i)]);
    return value;
}

/// What is wrong with an anchor file; empty if it may be given to libotf2, which runs for hours on a wrong count of properties
/// and trusts the sizes of chunks. Anchors of OTF2 1 have another layout and are not looked at.
///
/// Layout: 12 bytes of magic and versions, two sizes of chunks (8 bytes each), 2 + 8 + 8 bytes (substrate, compression, counts of
/// locations and definitions), three strings, the count of properties (4 bytes), two strings for each.
std::string anchorProblem(const std::string &path) {
    constexpr std::uint64_t smallestChunk = 1024;
    constexpr std::uint64_t largestChunk = std::uint64_t{256} << 20U; // libotf2 writes 16 MiB at most
    constexpr std::size_t fixedSize = 46;
    const std::string bytes = head(path, std::size_t{1} << 20U);
    if (bytes.size() < fixedSize)
        return "it is cut off";
    const bool littleEndian = bytes[1] == 'B';
    for (const std::size_t position : {12U, 20U})
        if (const std::uint64_t chunk = number(bytes, position, 8, littleEndian); chunk < smallestChunk || chunk > largestChunk)
            return "it gives a chunk size of " + plural(chunk, "byte");
    if (bytes[9] < 2)
        return {};
    std::size_t position = fixedSize;
    const auto skipString = [&] {
        const std::size_t end = bytes.find('\0', position);
        position = end == std::string::npos ? bytes.size() + 1 : end + 1;
        return position <= bytes.size();
    };
    if (!skipString() || !skipString() || !skipString() || bytes.size() - position < 4)
        return "it is cut off";
    const std::uint64_t properties = number(bytes, position, 4, littleEndian);
    position += 4;
    for (std::uint64_t i = 0; i < properties; ++i)
        if (!skipString() || !skipString())
            return "it says that it has " + std::to_string(properties) + " properties, more than fit in it";
    return {};
}

} // namespace

ArchiveFiles::ArchiveFiles(const std::string &anchorFile) : anchor(anchorFile) {
    std::string stem = anchorFile;
    if (stem.ends_with(anchorEnding))
        stem.resize(stem.size() - anchorEnding.size());
    globalDefinitions = stem + ".def";
    localFolder = stem + '/';
}

std::string ArchiveFiles::events(std::uint64_t location) const { return localFolder + std::to_string(location) + ".evt"; }
std::string ArchiveFiles::definitions(std::uint64_t location) const { return localFolder + std::to_string(location) + ".def"; }

// All files of an archive begin with the byte 3 and the writer's byte order ('B' or '#'), anchors then with their magic word.
bool isAnchor(const std::string &path) {
    const std::string bytes = head(path, 6);
    return bytes.size() == 6 && bytes[0] == 3 && bytes.substr(2) == "OTF2";
}

bool isRecordFile(const std::string &path) {
    const std::string bytes = head(path, 6);
    return bytes.size() == 6 && bytes[0] == 3 && (bytes[1] == 'B' || bytes[1] == '#') && bytes.substr(2) != "OTF2";
}

std::optional<std::uint64_t> fileSize(const std::string &path) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    return error ? std::nullopt : std::optional(size);
}

std::string whyUnreadable(const std::string &path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return "is missing";
    if (error == std::errc::permission_denied ||
        (fs::is_regular_file(status) && ::access(path.c_str(), R_OK) != 0 && errno == EACCES))
        return "may not be read: you have no permission";
    if (error)
        return "cannot be read: " + error.message();
    if (!fs::is_regular_file(status))
        return "is not a file";
    return fs::file_size(path, error) == 0 ? "is empty" : "";
}

ErrorLog::ErrorLog() : m_outer(currentLog) {
    static std::once_flag registered;
    std::call_once(registered, [] { OTF2_Error_RegisterCallback(&ErrorLog::receive, nullptr); });
    currentLog = this;
}

ErrorLog::~ErrorLog() { currentLog = m_outer; }

std::string ErrorLog::takeFirst(const std::string &otherwise) {
    std::string text = m_first.empty() ? otherwise : m_first;
    m_first.clear();
    return text;
}

OTF2_ErrorCode ErrorLog::receive(void *, const char *, std::uint64_t, const char *, OTF2_ErrorCode code, const char *format,
                                 va_list arguments) {
    if (currentLog == nullptr || !currentLog->m_first.empty())
        return code;
    std::array<char, 512> text{};
    if (format != nullptr)
        std::vsnprintf(text.data(), text.size(), format, arguments);
    const char *description = OTF2_Error_GetDescription(code);
    currentLog->m_first =
        std::string(description != nullptr ? description : "unknown error") + (text[0] != '\0' ? ": " : "") + text.data();
    return code;
}

ReaderHandle openReader(const ArchiveFiles &files) {
    if (!files.anchor.ends_with(anchorEnding))
        throw ReadError(
            '"' + files.anchor +
            "\" is an OTF2 anchor file, but its name does not end in \".otf2\", from which the names of the other files follow.");
    if (const std::string problem = anchorProblem(files.anchor); !problem.empty())
        throw ReadError("The OTF2 anchor file \"" + files.anchor + "\" is damaged: " + problem + '.');
    ErrorLog log;
    ReaderHandle reader(OTF2_Reader_Open(files.anchor.c_str()));
    if (!reader)
        throw ReadError("The OTF2 anchor file \"" + files.anchor + "\" is damaged: " + log.takeFirst("it cannot be opened") +
                        '.');
    OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
    return reader;
}

} // namespace laggard::otf2
