// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Archive.h"

#include "trace/Work.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string_view>

namespace laggard::otf2 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view anchorEnding = ".otf2";

thread_local ErrorLog *currentLog = nullptr; // libotf2 has one callback for the whole program

/// The first bytes of a file; shorter if the file is.
std::string head(const std::string &path, std::size_t size) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
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
    ErrorLog log;
    ReaderHandle reader(OTF2_Reader_Open(files.anchor.c_str()));
    if (!reader)
        throw ReadError("The OTF2 anchor file \"" + files.anchor + "\" is damaged: " + log.takeFirst("it cannot be opened") +
                        '.');
    OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
    return reader;
}

} // namespace laggard::otf2
