// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/Symbols.h"

#include <string>
#include <vector>

namespace laggard::recording {

/// Name of the file, in the folder of a recording, that keeps functions and lines where the binaries are not.
inline constexpr char symbolFileName[] = "symbols.txt";

/// What the symbol file of a folder says (docs/recording-format.md, "Symbols beside a recording"); nothing if there is none.
/// Lines that make no sense are left out, with one warning for all.
[[nodiscard]] KnownPlaces readSymbolFile(const std::string &folder, std::vector<Warning> &warnings);

/// Writes it anew, by way of a temporary file. Throws std::system_error.
void writeSymbolFile(const std::string &folder, const KnownPlaces &places);

} // namespace laggard::recording
