// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/Damage.h"

#include "analysis/verdict/DamagedRanks.h"
#include "views/kit/Text.h"

#include <QCoreApplication>

#include <algorithm>

namespace laggard {

QString describeDamage(const Trace &trace) {
    const auto isLoss = [](const Warning &warning) { return warning.severity == Warning::Severity::DataLoss; };
    const auto losses = std::count_if(trace.warnings.begin(), trace.warnings.end(), isLoss);
    if (losses == 0)
        return {};
    if (losses == 1) {
        const QString message = toLine(std::find_if(trace.warnings.begin(), trace.warnings.end(), isLoss)->message);
        return QCoreApplication::translate("Damage", "Some of the trace could not be read: %1").arg(message);
    }
    const RankSet ranks = damagedRanks(trace);
    const QString whose = ranks.empty() ? QCoreApplication::translate("Damage", "the trace") : rankPhrase(ranks);
    return QCoreApplication::translate("Damage", "Some of %1 could not be read: %2 losses are listed in the warnings.")
        .arg(whose)
        .arg(losses);
}

} // namespace laggard
