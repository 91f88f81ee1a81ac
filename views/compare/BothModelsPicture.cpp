// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/BothModelsPicture.h"

#include "views/kit/Text.h"
#include "views/semimarkov/SmmPicture.h"
#include "views/theme/Hues.h"
#include "views/timeline/TimeAxis.h"

#include <QObject>

#include <algorithm>
#include <map>
#include <set>

namespace laggard {
namespace {

constexpr std::size_t mostStates = 60; ///< what a picture of a panel's size can be looked through for

/// Solid where this run takes more time, dashed where the other does, so that no colour is needed to tell them.
EdgeLook lookOf(const BothTransition &transition) {
    if (!transition.differs)
        return {hue::grey, {}, 1.2};
    if (transition.times[0].count == 0)
        return {hue::green, {6, 4}, 2.4};
    if (transition.times[1].count == 0)
        return {hue::blue, {}, 2.4};
    return {hue::purple, transition.excess() > 0 ? std::vector<qreal>{} : std::vector<qreal>{10, 4}, 2.4};
}

QString fullTextOf(const StateTable &table, const BothTransition &transition) {
    QStringList lines{toLine(describeTransition(table, transition.transition))};
    for (const std::size_t run : {0, 1}) {
        const TimeMoments &times = transition.times[run];
        const QString who = run == 0 ? QObject::tr("This run") : QObject::tr("The other");
        lines << (times.count == 0 ? QObject::tr("%1: never").arg(who)
                                   : QObject::tr("%1: %2, %3, %4 ± %5")
                                         .arg(who, probabilityText(transition.probability[run]),
                                              countText(static_cast<std::uint64_t>(times.count), "time"),
                                              formatDuration(times.mean, 3), formatDuration(times.sigma(), 2)));
    }
    return lines.join(QLatin1Char('\n'));
}

void addLegend(GraphPicture &picture, const std::vector<BothTransition> &drawn) {
    const auto add = [&](auto test, const EdgeLook &look, const QString &text) {
        if (std::ranges::any_of(drawn, test))
            picture.legend.push_back({LegendEntry::Sample::Edge, EdgeStyle::Collective, text, look});
    };
    const auto both = [](const BothTransition &t) { return t.times[0].count > 0 && t.times[1].count > 0; };
    add([](const BothTransition &t) { return t.times[1].count == 0; }, {hue::blue, {}, 2.4}, QObject::tr("this run only"));
    add([](const BothTransition &t) { return t.times[0].count == 0; }, {hue::green, {6, 4}, 2.4}, QObject::tr("other run only"));
    add([&](const BothTransition &t) { return both(t) && t.differs && t.excess() > 0; }, {hue::purple, {}, 2.4},
        QObject::tr("longer in this run"));
    add([&](const BothTransition &t) { return both(t) && t.differs && t.excess() <= 0; }, {hue::purple, {10, 4}, 2.4},
        QObject::tr("longer in the other run"));
    add([](const BothTransition &t) { return !t.differs; }, {hue::grey, {}, 1.2}, QObject::tr("no difference to tell"));
}

} // namespace

std::optional<std::uint32_t> BothModelsPicture::edgeOf(std::size_t row) const {
    const auto found = std::ranges::find(rows, row);
    return found == rows.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - rows.begin()));
}

QString differenceText(const BothTransition &transition) {
    if (!transition.differs)
        return {};
    if (transition.times[1].count == 0)
        return QObject::tr("this run only, %1").arg(formatDuration(transition.times[0].mean, 3));
    if (transition.times[0].count == 0)
        return QObject::tr("other run only, %1").arg(formatDuration(transition.times[1].mean, 3));
    return QObject::tr("%1, other run %2")
        .arg(formatDuration(transition.times[0].mean, 3), formatDuration(transition.times[1].mean, 3));
}

BothModelsPicture makeBothModelsPicture(const Trace &trace, const BothModels &models, bool sideways) {
    BothModelsPicture result;
    GraphPicture &picture = result.picture;
    picture.downwards = true;
    picture.sideways = sideways;
    picture.title = QObject::tr("Semi-Markov models of both runs");
    picture.head.push_back({picture.title, TextRole::Title});
    std::set<std::uint32_t> all;
    std::set<std::uint32_t> states;
    for (const BothTransition &each : models.transitions) {
        const SmmTransition &t = models.table.transitions[each.transition];
        all.insert({t.from, t.to});
        if (states.size() + 2 <= mostStates)
            states.insert({t.from, t.to});
    }
    if (states.size() < all.size())
        picture.remarks.push_back({QObject::tr("%1 of %2 are drawn: those in which the runs differ most.")
                                       .arg(states.size())
                                       .arg(countText(all.size(), "state")),
                                   TextRole::Remark});
    const std::map<std::string, QString> places = placesOf(trace);
    std::map<std::uint32_t, std::uint32_t> nodeOfNumber;
    for (const std::uint32_t state : states) {
        nodeOfNumber[state] = static_cast<std::uint32_t>(picture.nodes.size());
        picture.nodes.push_back(nodeOfState(trace, models.table.states[state], places));
        result.states.push_back(state);
    }
    std::vector<BothTransition> drawn;
    for (std::size_t row = 0; row < models.transitions.size(); ++row) {
        const BothTransition &each = models.transitions[row];
        const SmmTransition &t = models.table.transitions[each.transition];
        if (!states.contains(t.from) || !states.contains(t.to))
            continue;
        PictureEdge edge;
        edge.from = nodeOfNumber[t.from];
        edge.to = nodeOfNumber[t.to];
        edge.observed = true;
        edge.label = differenceText(each);
        edge.fullText = fullTextOf(models.table, each);
        edge.look = lookOf(each);
        picture.edges.push_back(std::move(edge));
        result.rows.push_back(row);
        drawn.push_back(each);
    }
    addLegend(picture, drawn);
    return result;
}

} // namespace laggard
