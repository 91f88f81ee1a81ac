// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/UnitText.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace laggard {

std::optional<double> parseSeconds(const QString &text) {
    static const QRegularExpression pattern(QStringLiteral("^([0-9.]+(?:[eE][-+]?[0-9]+)?)\\s*(ns|us|µs|μs|ms|s|sec|min|h)?$"));
    const QRegularExpressionMatch match = pattern.match(text.trimmed());
    if (!match.hasMatch())
        return {};
    bool isNumber = false;
    const double value = QLocale::c().toDouble(match.captured(1), &isNumber);
    const QString unit = match.captured(2);
    const double scale = unit == "ns"                                   ? 1e-9
                         : unit == "us" || unit == "µs" || unit == "μs" ? 1e-6
                         : unit == "ms"                                 ? 1e-3
                         : unit == "min"                                ? 60
                         : unit == "h"                                  ? 3600
                                                                        : 1;
    if (!isNumber || !std::isfinite(value * scale))
        return {};
    return value * scale;
}

} // namespace laggard
