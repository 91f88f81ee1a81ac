// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/TextParts.h"
#include "trace/Trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace laggard::otf2 {

/// Texts with a tabulator between them; tabulators in them become spaces.
[[nodiscard]] std::string listText(const std::vector<std::string> &texts);
[[nodiscard]] std::vector<std::string> listIn(std::string_view text);

/// "COMMUNICATOR NAME" for each window, with "-" for a communicator that is not known.
[[nodiscard]] std::string textOf(const std::vector<Window> &windows);
[[nodiscard]] std::vector<Window> windowsIn(std::string_view text, const IdMap &communicators);

/// Function, file and line of each frame, as a list.
[[nodiscard]] std::string textOf(const std::vector<Frame> &stack);
[[nodiscard]] std::vector<Frame> stackIn(std::string_view text);

/// "0:12,3:4": communicators, and how many collectives on each.
[[nodiscard]] std::string textOf(const std::vector<EarlierCollectives> &earlier);
[[nodiscard]] std::vector<EarlierCollectives> earlierCollectivesIn(std::string_view text, const IdMap &communicators);

/// Location (or "-"), place and message of each warning that is about lost data, as a list; if very many, the first.
[[nodiscard]] std::string lossesText(const std::vector<Warning> &warnings);
[[nodiscard]] std::vector<Warning> lossesIn(std::string_view text);

} // namespace laggard::otf2
