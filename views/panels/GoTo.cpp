// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/GoTo.h"

#include "analysis/verdict/Describe.h"
#include "views/kit/FuzzyMatch.h"
#include "views/kit/Text.h"
#include "views/kit/UnitText.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t mostFunctions = 100;

QString translated(const char *text) { return QCoreApplication::translate("GoTo", text); }

void addRank(std::vector<PaletteEntry> &entries, const Trace &trace, const QString &typed, const GoToActions &actions) {
    static const QRegularExpression pattern(QStringLiteral("^(?:r|rank)?\\s*([0-9]+)$"),
                                            QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = pattern.match(typed);
    bool isNumber = false;
    const uint rank = match.captured(1).toUInt(&isNumber);
    if (isNumber && rank < trace.processes.size())
        entries.push_back({translated("Rank %1").arg(rank), toLine(trace.hostOf(rank)), [go = actions.rank, rank] { go(rank); }});
}

void addTime(std::vector<PaletteEntry> &entries, const Trace &trace, const QString &typed, const GoToActions &actions) {
    static const QRegularExpression word(QStringLiteral("^(?:t|time|at)\\s+"), QRegularExpression::CaseInsensitiveOption);
    const std::optional<double> seconds = parseSeconds(QString(typed).remove(word));
    if (!seconds || *seconds > trace.durationSeconds())
        return;
    const Tick tick = trace.tickAt(*seconds);
    entries.push_back({translated("Time %1").arg(toText(describeDuration(*seconds))), translated("from the start of the trace"),
                       [go = actions.time, tick] { go(tick); }});
}

void addFunctions(std::vector<PaletteEntry> &entries, const Trace &trace, const QString &typed, const GoToActions &actions) {
    std::vector<std::pair<int, RegionId>> found;
    for (RegionId region = 0; region < trace.regions.size(); ++region)
        if (const std::optional<FuzzyMatch> match = fuzzyMatch(typed, toLine(trace.regions[region].name)))
            found.emplace_back(match->score, region);
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    found.resize(std::min(found.size(), mostFunctions));
    for (const auto &[score, region] : found)
        entries.push_back({toLine(trace.regions[region].name), toText(sourcePlace(trace.regions[region])),
                           [go = actions.function, region = region] { go(region); }});
}

} // namespace

PaletteSource goToSource(TracePtr trace, GoToActions actions) {
    return [trace = std::move(trace), actions = std::move(actions)](const QString &typed) {
        std::vector<PaletteEntry> entries;
        if (!trace)
            return entries;
        const QString text = typed.trimmed();
        if (actions.rank)
            addRank(entries, *trace, text, actions);
        if (actions.time)
            addTime(entries, *trace, text, actions);
        if (actions.function)
            addFunctions(entries, *trace, text, actions);
        return entries;
    };
}

} // namespace laggard
