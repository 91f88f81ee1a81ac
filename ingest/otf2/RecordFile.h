// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace laggard::otf2 {

/// How far a definition or event file can be believed, by its bytes alone.
struct RecordScan {
    std::uint64_t size = 0;     ///< size of the file, in bytes
    std::uint64_t records = 0;  ///< whole records (events or definitions) up to the first byte that cannot be
    std::uint64_t declared = 0; ///< number of the last event by the header of the last chunk looked at; a hint
    bool complete = false;      ///< the mark of the end of the file was reached
    std::string reason;         ///< where not complete: why the scan stopped
};

enum class RecordKind : std::uint8_t { Definitions, Events };

/// Walks over the records of a file without decoding them. Needed before any file is given to libotf2: where a file is cut off it
/// reads on into whatever is in its buffer, and a wrong mark of the end of a chunk keeps it for ever. `chunkSize` is the
/// archive's for this kind of file, at least 1.
[[nodiscard]] RecordScan scanRecords(const std::string &path, RecordKind kind, std::uint64_t chunkSize);

} // namespace laggard::otf2
