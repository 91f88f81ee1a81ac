// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Profiles.h"

#include <QStringList>

namespace laggard {

/// What the analyses that compare ranks and runs are to do, as the user has chosen; kept in the session.
struct Comparison {
    QStringList references; ///< files or folders of reference traces
    ProfileOptions::By by = ProfileOptions::By::CallPath;
    ProfileOptions::Measure measure = ProfileOptions::Measure::Time;
    QString callModel = {}; ///< file of a call model to judge execution units by; empty for none

    bool operator==(const Comparison &) const = default;
};

} // namespace laggard
