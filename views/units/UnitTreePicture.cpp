// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/units/UnitTreePicture.h"

#include "analysis/words/UnitWords.h"
#include "trace/Quantity.h"
#include "views/graph/FunctionName.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal mostTextWidth = 220;
constexpr qreal margin = 9; ///< pixels around the text of a node

using Presence = UnitTreeCall::Presence;

QString fitting(const QString &name, TextRole role) {
    const QFontMetricsF metrics = metricsOf(role);
    return elided(
        shortenFunctionName(name, [&](const QString &text) { return metrics.horizontalAdvance(text) <= mostTextWidth; }), role,
        mostTextWidth);
}

/// "98 %"; never 0 or 100 of what is between.
QString shareText(double probability) {
    return QString::number(std::clamp(std::round(100 * probability), 1.0, 99.0)) + QObject::tr(" %");
}

QString presenceText(const UnitTreeCall &call, bool hasModel) {
    switch (call.presence) {
    case Presence::UnitOnly:
        return hasModel ? QObject::tr("not in the model") : QString();
    case Presence::ModelOnly:
        return call.probability >= 1 ? QObject::tr("not called; else always")
                                     : QObject::tr("not called; else in %1").arg(shareText(call.probability));
    case Presence::Both:
        return call.probability >= 1 ? QString() : QObject::tr("else in %1").arg(shareText(call.probability));
    }
    return {};
}

QString fullTextOf(const UnitTreeCall &call, bool hasModel) {
    QStringList lines{toLine(call.function)};
    if (const QString place = placeText(call.file, call.line, true); !place.isEmpty())
        lines << place;
    if (!call.site.empty())
        lines << QObject::tr("called at %1").arg(toLine(call.site));
    if (const QString presence = presenceText(call, hasModel); !presence.isEmpty())
        lines << presence;
    if (call.counts)
        lines << QObject::tr("adds %1 to the sum of which the score is the mean").arg(call.score, 0, 'f', 2);
    return lines.join(QLatin1Char('\n'));
}

PictureNode nodeOf(const UnitTreeCall &call, bool hasModel) {
    PictureNode node;
    node.computing = true;
    node.absent = call.presence == Presence::ModelOnly;
    node.leastProgressed = call.presence == Presence::UnitOnly && hasModel;
    node.rows.push_back({{fitting(withoutProfilingPrefix(showable(call.function)), TextRole::Function), TextRole::Function}});
    const QString place = call.site.empty() ? placeText(call.file, call.line, true) : showable(call.site);
    if (!place.isEmpty())
        node.rows.push_back({{fitting(place, TextRole::Place), TextRole::Place}});
    if (const QString presence = presenceText(call, hasModel); !presence.isEmpty())
        node.rows.push_back({{presence, node.leastProgressed ? TextRole::LeastProgressed : TextRole::Activity}});
    for (const TextRow &row : node.rows) {
        qreal width = 0;
        for (const PictureText &piece : row)
            width += sizeOfText(piece).width();
        node.size.setWidth(std::max(node.size.width(), width + 2 * margin));
        node.size.rheight() += rowHeight(row);
    }
    node.size.rheight() += 2 * margin;
    node.fullText = fullTextOf(call, hasModel);
    return node;
}

/// How callers are joined to what they call; dashes as the outline of what is joined.
EdgeLook lookOf(const UnitTreeCall &call, bool hasModel) {
    EdgeLook look;
    look.hue = call.presence == Presence::UnitOnly && hasModel ? hue::vermilion : hue::grey;
    if (call.presence == Presence::ModelOnly)
        look.dashes = {4, 3};
    return look;
}

void addLegend(GraphPicture &picture, const UnitTree &tree) {
    using Sample = LegendEntry::Sample;
    const auto has = [&tree](Presence presence) {
        return std::any_of(tree.calls.begin(), tree.calls.end(), [&](const UnitTreeCall &c) { return c.presence == presence; });
    };
    if (has(Presence::Both))
        picture.legend.push_back({Sample::Computation, {}, QObject::tr("called, as in the model"), {}});
    if (has(Presence::UnitOnly) && tree.modelUnits != 0)
        picture.legend.push_back({Sample::LeastProgressed, {}, QObject::tr("called, and not in the model"), {}});
    if (has(Presence::ModelOnly))
        picture.legend.push_back({Sample::Absent, {}, QObject::tr("in the model, and not called"), {}});
}

} // namespace

GraphPicture unitTreePicture(const Trace &trace, const JudgedUnit &unit, const UnitTree &tree) {
    GraphPicture picture;
    picture.downwards = true;
    picture.sideways = true;
    picture.title = QObject::tr("Calls of a unit of rank %1, %2 from the start")
                        .arg(unit.rank)
                        .arg(toText(describeDuration(trace.seconds(unit.start))));
    picture.head.push_back({showable(trace.path), TextRole::Subtitle});
    picture.head.push_back({toText(describeKind(trace, unit)), TextRole::Verdict});
    picture.remarks.push_back({tree.modelUnits == 0
                                   ? QObject::tr("The model has no units of this kind and connection: score 1.")
                                   : QObject::tr("Suspect score %1; the model was made from %2 of this kind and connection.")
                                         .arg(unit.score, 0, 'f', 2)
                                         .arg(countText(tree.modelUnits, "unit")),
                               TextRole::Remark});
    if (!unit.isComplete)
        picture.remarks.push_back(
            {QObject::tr("Not all of the unit is there: what it lacks counts for nothing, and is not shown."), TextRole::Remark});
    for (std::uint32_t i = 0; i < tree.calls.size(); ++i) {
        const UnitTreeCall &call = tree.calls[i];
        picture.nodes.push_back(nodeOf(call, tree.modelUnits != 0));
        if (call.parent == none)
            continue;
        PictureEdge edge;
        edge.from = call.parent;
        edge.to = i;
        edge.style = EdgeStyle::Collective;
        edge.look = lookOf(call, tree.modelUnits != 0);
        edge.number = static_cast<std::uint32_t>(picture.edges.size());
        picture.edges.push_back(std::move(edge));
    }
    addLegend(picture, tree);
    return picture;
}

} // namespace laggard
