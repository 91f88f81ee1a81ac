// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace laggard {

/// Where folders of the machine that built the program lie on this one: pairs of from and to, the first that fits counts.
using PathMap = std::vector<std::pair<std::string, std::string>>;

/// `path` with its folder replaced, if one of the map contains it.
[[nodiscard]] std::string mapped(const std::string &path, const PathMap &paths);

/// The folder in which the program runs; "/" if that has been removed.
[[nodiscard]] std::string currentFolder();

/// `path` as an absolute one without "." and "..": relative ones lie in `folder` (itself absolute).
[[nodiscard]] std::string absolutePath(const std::string &path, const std::string &folder);

/// True for a file whose content lies on a disk: no device, pipe or socket, and nothing that the kernel makes up (/proc, /sys).
/// The file is not opened.
[[nodiscard]] bool isPlainFile(const std::string &path);

/// The content of a plain file; nothing if it is none, cannot be read, or has more than `most` bytes.
[[nodiscard]] std::optional<std::string> contentOf(const std::string &path, std::uint64_t most);

/// True if one path ends in the other, component by component ("b/c.cpp" and "/a/b/c.cpp"), neither being empty.
[[nodiscard]] bool isSameSource(std::string_view a, std::string_view b);

/// The last component: "c.cpp" of "/a/b/c.cpp".
[[nodiscard]] std::string_view fileName(std::string_view path);

} // namespace laggard
