// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <vector>

namespace laggard::otf2 {

/// Where the files of an archive are. The names of all follow from the anchor's.
struct ArchiveFiles {
    std::string anchor;            ///< NAME.otf2
    std::string globalDefinitions; ///< NAME.def
    std::string localFolder;       ///< NAME/

    explicit ArchiveFiles(const std::string &anchorFile);
    [[nodiscard]] std::string events(std::uint64_t location) const;
    [[nodiscard]] std::string definitions(std::uint64_t location) const;
};

/// True if the file begins as an anchor file does.
[[nodiscard]] bool isAnchor(const std::string &path);

/// True if the file begins as definition and event files do.
[[nodiscard]] bool isRecordFile(const std::string &path);

/// Size of a regular file in bytes; nothing if it does not exist or cannot be reached.
[[nodiscard]] std::optional<std::uint64_t> fileSize(const std::string &path);

/// Why a regular file cannot be read, to go behind its name: "is missing", "is empty", "may not be read: you have no permission";
/// empty if it can.
[[nodiscard]] std::string whyUnreadable(const std::string &path);

/// Collects, for this thread and while it lives, what libotf2 would print to stderr. Collectors nest.
class ErrorLog {
  public:
    ErrorLog();
    ~ErrorLog();
    ErrorLog(const ErrorLog &) = delete;
    ErrorLog &operator=(const ErrorLog &) = delete;
    /// The first complaint since the last call, or `otherwise`.
    std::string takeFirst(const std::string &otherwise);

  private:
    static OTF2_ErrorCode receive(void *, const char *, std::uint64_t, const char *, OTF2_ErrorCode code, const char *format,
                                  va_list arguments);

    ErrorLog *m_outer;
    std::string m_first;
};

struct ReaderCloser {
    void operator()(OTF2_Reader *reader) const { OTF2_Reader_Close(reader); }
};
/// A handle of libotf2. Not to be shared between threads.
using ReaderHandle = std::unique_ptr<OTF2_Reader, ReaderCloser>;

/// Opens the archive for the calling thread. Throws ReadError.
[[nodiscard]] ReaderHandle openReader(const ArchiveFiles &files);

} // namespace laggard::otf2
