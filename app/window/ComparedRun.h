// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace laggard {

/// What a session keeps of a comparison.
struct ComparedRun {
    QString path; ///< path of the other run; empty: none
    QString alignment = QStringLiteral("start");
    double here = 0; ///< for "moments": seconds from the start of each run
    double there = 0;
    bool operator==(const ComparedRun &) const = default;
};

} // namespace laggard
