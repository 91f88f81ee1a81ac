// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/StatePlaces.h"
#include "views/graph/GraphPicture.h"

#include <QString>

#include <map>
#include <string>

namespace laggard {

struct SmmState;

/// A state as a box. `places`: placesOf the trace; `place`: in which function its time went, if that is known.
[[nodiscard]] PictureNode nodeOfState(const Trace &trace, const SmmState &state, const std::map<std::string, QString> &places,
                                      const StatePlace &place = {});

/// A part of a state that is split at the functions where its time went; the first says after which MPI call it begins.
[[nodiscard]] PictureNode nodeOfPart(const Trace &trace, const SmmState &state, const std::map<std::string, QString> &places,
                                     RegionId region, bool isFirst);

/// "file.c:12" of each function whose place is known, by name.
[[nodiscard]] std::map<std::string, QString> placesOf(const Trace &trace);

} // namespace laggard
