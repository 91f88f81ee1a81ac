// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace laggard::otf2 {

/// How far a definition or event file can be believed, by its bytes alone.
struct RecordScan {
    std::uint64_t size = 0;    ///< of the file, in bytes
    std::uint64_t intact = 0;  ///< bytes up to the first that cannot be
    std::uint64_t records = 0; ///< whole records (events or definitions) in them
    bool complete = false;     ///< the marker of the end of the file was reached
    std::string reason;        ///< where not complete: why the scan stopped
};

enum class RecordKind : std::uint8_t { Definitions, Events };

/// True if the file ends as a file ends that was closed by its writer. Reads a few bytes.
[[nodiscard]] bool hasProperEnd(const std::string &path);

/// The number of the last event in the file, from the header of the file's last chunk; 0 if there is none. Reads a few bytes.
[[nodiscard]] std::uint64_t lastEventNumber(const std::string &path, std::uint64_t chunkSize);

/// Walks over the records of a file without decoding them. libotf2 reads on into whatever is in its buffer where a file was cut
/// off, so only the bytes tell where to stop. `chunkSize` is the archive's for this kind of file. Uncompressed files only.
[[nodiscard]] RecordScan scanRecords(const std::string &path, RecordKind kind, std::uint64_t chunkSize);

} // namespace laggard::otf2
