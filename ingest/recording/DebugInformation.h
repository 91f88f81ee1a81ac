// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/Symbols.h"

#include <elfutils/libdwfl.h>
#include <optional>
#include <string>

struct stat;

namespace laggard::recording {

/// What libdwfl asks for files: never of a network, unless `sources` says so. Lives as long as the program.
[[nodiscard]] const Dwfl_Callbacks &moduleCallbacks(DebugSources sources);

/// Opens a file that is a regular one, without waiting for anybody; -1 otherwise. The caller closes it.
[[nodiscard]] int openRegular(const std::string &path, struct stat &status);

/// The build-id of an ELF file, as bytes, empty if it has none; nothing if it is not an ELF file. `file` stays open.
[[nodiscard]] std::optional<std::string> buildIdOf(int file);

} // namespace laggard::recording
