// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Preferences.h"

#include <QSettings>

namespace laggard {
namespace {

const QString appearanceKey = QStringLiteral("appearance");
const QString budgetKey = QStringLiteral("memoryBudgetMb");
const QString callLinesKey = QStringLiteral("callLines");
const QString debugServersKey = QStringLiteral("askDebugServers");
const QString sourcePointsKey = QStringLiteral("sourcePoints");

/// The stored value of an enumeration whose last value is `last`.
template <typename Choice> Choice choiceFrom(const QSettings &settings, const QString &key, Choice last) {
    const int value = settings.value(key, 0).toInt();
    return value < 0 || value > static_cast<int>(last) ? Choice{} : static_cast<Choice>(value);
}

} // namespace

Preferences loadPreferences() {
    const QSettings settings;
    Preferences preferences;
    preferences.appearance = choiceFrom(settings, appearanceKey, Appearance::Dark);
    preferences.callLines = choiceFrom(settings, callLinesKey, CallLines::Single);
    preferences.askDebugServers = settings.value(debugServersKey).toString() == QLatin1String("true");
    bool isNumber = false;
    if (const qulonglong megabytes = settings.value(budgetKey).toULongLong(&isNumber); isNumber)
        preferences.memoryBudgetMb = megabytes;
    if (const int points = settings.value(sourcePointsKey).toInt(); points >= leastSourcePoints && points <= mostSourcePoints)
        preferences.sourcePoints = points;
    return preferences;
}

void savePreferences(const Preferences &preferences) {
    QSettings settings;
    // What is as at first is not stored, so that it follows what later versions find better.
    const auto store = [&settings](const QString &key, const QVariant &value, bool isDefault) {
        if (isDefault)
            settings.remove(key);
        else
            settings.setValue(key, value);
    };
    const Preferences usual;
    store(appearanceKey, static_cast<int>(preferences.appearance), preferences.appearance == usual.appearance);
    store(budgetKey, qulonglong{preferences.memoryBudgetMb.value_or(0)}, !preferences.memoryBudgetMb);
    store(callLinesKey, static_cast<int>(preferences.callLines), preferences.callLines == usual.callLines);
    store(debugServersKey, preferences.askDebugServers, preferences.askDebugServers == usual.askDebugServers);
    store(sourcePointsKey, preferences.sourcePoints, preferences.sourcePoints == usual.sourcePoints);
}

} // namespace laggard
