// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/SmmPicture.h"

#include "trace/Quantity.h"
#include "trace/Trace.h"
#include "views/graph/FunctionName.h"
#include "views/kit/Text.h"
#include "views/pdg/PdgPicture.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/timeline/TimeAxis.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace laggard {
namespace {

constexpr qreal mostTextWidth = 230;
constexpr std::size_t mostLabelLines = 4;
constexpr std::size_t mostLegendClusters = 12;
constexpr qreal boldWidth = 4;

/// file:line of functions, where the trace has it.
std::map<std::string, QString> placesOf(const Trace &trace) {
    std::map<std::string, QString> places;
    for (const Region &region : trace.regions)
        if (!region.file.empty() && !region.isMpi())
            places[region.name] = placeText(region.file, region.line);
    return places;
}

QString fitting(const QString &name, TextRole role) {
    const QFontMetricsF metrics = metricsOf(role);
    const QString shorter = shortenFunctionName(name, [&](const QString &text) {
        return text.size() <= mostTextWidth && metrics.horizontalAdvance(text) <= mostTextWidth;
    });
    return elided(shorter, role, mostTextWidth);
}

/// What a state is called, in pieces.
struct StateWords {
    QString what;   ///< the MPI call, or the function that computes
    QString caller; ///< of the MPI call
    QString place;  ///< file:line: where it is called, else where the function begins
    QString after;  ///< the MPI call before, while computing
};

StateWords wordsOf(const SmmState &state, const std::map<std::string, QString> &places) {
    StateWords words;
    switch (state.kind) {
    case SmmState::Kind::Start:
        words.what = QObject::tr("start");
        return words;
    case SmmState::Kind::Finished:
        words.what = QObject::tr("finished");
        return words;
    case SmmState::Kind::NotReturned:
        words.what = QObject::tr("not returned");
        return words;
    default:
        break;
    }
    if (state.path.empty())
        return words;
    const QString call = withoutProfilingPrefix(showable(state.path.back().function));
    const StateFrame *caller = state.path.size() > 1 ? &state.path[state.path.size() - 2] : nullptr;
    const QString callerName = caller ? showable(caller->function) : QString();
    if (state.isComputation()) {
        words.what = caller ? callerName : QObject::tr("between MPI calls");
        words.after = call;
    } else {
        words.what = call;
        words.caller = callerName;
    }
    if (!state.path.back().site.empty()) {
        words.place = showable(state.path.back().site);
    } else if (caller) {
        const auto place = places.find(caller->function);
        words.place = place == places.end() ? QString() : place->second;
    }
    return words;
}

PictureNode nodeOf(const SmmState &state, const std::map<std::string, QString> &places) {
    const StateWords words = wordsOf(state, places);
    PictureNode node;
    const bool isEnd = state.kind == SmmState::Kind::NotReturned;
    node.rows.push_back({{fitting(words.what, TextRole::Function), isEnd ? TextRole::LeastProgressed : TextRole::Function}});
    if (!words.caller.isEmpty())
        node.rows.push_back({{fitting(QObject::tr("in ") + words.caller, TextRole::Activity), TextRole::Activity}});
    if (!words.after.isEmpty())
        node.rows.push_back({{fitting(QObject::tr("after ") + words.after, TextRole::Place), TextRole::Place}});
    if (!words.place.isEmpty())
        node.rows.push_back({{elided(words.place, TextRole::Place, mostTextWidth), TextRole::Place}});
    node.computing = state.kind == SmmState::Kind::Computation || state.kind == SmmState::Kind::Start;
    QStringList lines{toLine(describe(state))};
    for (auto frame = state.path.rbegin(); frame != state.path.rend(); ++frame)
        lines << showable(frame->function) +
                     (frame->site.empty() ? QString() : QObject::tr(", called at ") + showable(frame->site));
    node.fullText = lines.join(QLatin1Char('\n'));
    qreal width = 70;
    qreal height = 0;
    for (const TextRow &row : node.rows) {
        width = std::max(width, metricsOf(row.front().role).horizontalAdvance(row.front().text));
        height += rowHeight(row);
    }
    node.size = {std::ceil(width + 24), std::ceil(height + 14)};
    return node;
}

bool passes(const TransitionUse &use, const ClusterCut &cut, const SmmFilter &filter) {
    return std::any_of(use.uses.begin(), use.uses.end(), [&](const ClusterUse &each) {
        if (filter.cluster && each.cluster != *filter.cluster)
            return false;
        return each.probability >= filter.minimum || (use.isCharacteristic() && each.cluster == cut.faulty);
    });
}

/// States within reach of the centres, level by level, as long as they are few enough.
std::set<std::uint32_t> neighbourhood(const std::vector<TransitionUse> &uses, const StateTable &table,
                                      const std::vector<std::uint32_t> &centres) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> near;
    for (const TransitionUse &use : uses) {
        const SmmTransition &t = table.transitions[use.transition];
        near[t.from].push_back(t.to);
        near[t.to].push_back(t.from);
    }
    std::set<std::uint32_t> reached;
    for (const std::uint32_t centre : centres)
        for (const std::uint32_t state : {table.transitions[centre].from, table.transitions[centre].to})
            if (reached.size() < mostStatesAtOnce && near.count(state) != 0)
                reached.insert(state);
    std::set<std::uint32_t> border = reached;
    while (!border.empty()) {
        std::set<std::uint32_t> next;
        for (const std::uint32_t state : border) {
            if (state == table.finished || state == table.notReturned)
                continue; // everything is near the ends
            for (const std::uint32_t other : near[state])
                if (reached.count(other) == 0)
                    next.insert(other);
        }
        if (reached.size() + next.size() > mostStatesAtOnce)
            break;
        reached.insert(next.begin(), next.end());
        border = std::move(next);
    }
    return reached;
}

/// The characteristic transitions and those that were asked for; where there are none, the one that took most time.
std::vector<std::uint32_t> centresOf(const std::vector<TransitionUse> &uses, const SmmFilter &filter) {
    std::vector<std::uint32_t> centres = filter.centres;
    for (const TransitionUse &use : uses)
        if (use.isCharacteristic())
            centres.push_back(use.transition);
    const auto time = [](const TransitionUse &use) {
        double sum = 0;
        for (const ClusterUse &each : use.uses)
            sum += each.times.count * each.times.mean;
        return sum;
    };
    if (centres.empty() && !uses.empty())
        centres.push_back(std::max_element(uses.begin(), uses.end(), [&](const auto &a, const auto &b) {
                              return time(a) < time(b);
                          })->transition);
    return centres;
}

EdgeLook lookOf(const ClusterCut &cut, const TransitionUse &use, const SmmFilter &filter) {
    EdgeLook look = sharedLook();
    if (filter.cluster)
        look = clusterLook(cut, *filter.cluster);
    else if (use.uses.size() == 1 && cut.clusters.size() > 1)
        look = clusterLook(cut, use.uses.front().cluster);
    // What sets a cluster apart may also be what it alone does not do.
    if (use.isCharacteristic())
        look.width = boldWidth;
    return look;
}

QString fullTextOf(const StateTable &table, const ClusterCut &cut, const TransitionUse &use) {
    QStringList lines{toLine(describeTransition(table, use.transition))};
    for (const ClusterUse &each : use.uses)
        lines << QObject::tr("%1: %2, %3, %4 ± %5")
                     .arg(clusterText(cut, each.cluster), probabilityText(each.probability),
                          countText(static_cast<std::uint64_t>(each.times.count), "time"), formatDuration(each.times.mean, 3),
                          formatDuration(each.times.sigma(), 2));
    if (use.isCharacteristic()) {
        const CharacteristicTransition &ct = cut.characteristic[use.place];
        lines << QObject::tr("Characteristic, place %1: it sets %2 apart most in %3 of the pairs")
                     .arg(use.place + 1)
                     .arg(unusualName(cut), probabilityText(ct.wins));
    }
    return lines.join(QLatin1Char('\n'));
}

/// Bold lines as they are drawn: one cluster's own, and those that several take, at other rates or after other times.
void addCharacteristic(GraphPicture &picture, const ClusterCut &cut) {
    EdgeLook shared = sharedLook();
    shared.width = boldWidth;
    const auto find = [&](bool isShared) {
        return std::find_if(picture.edges.begin(), picture.edges.end(), [&](const PictureEdge &edge) {
            return edge.look->width == boldWidth && (edge.look == shared) == isShared;
        });
    };
    for (const bool isShared : {false, true})
        if (const auto bold = find(isShared); cut.faulty && bold != picture.edges.end())
            picture.legend.push_back({LegendEntry::Sample::Edge, EdgeStyle::Collective,
                                      (isShared ? QObject::tr("bold, CT that several clusters take: how often, or after what "
                                                              "time, sets %1 apart")
                                                : QObject::tr("bold, CT: characteristic, sets %1 apart"))
                                          .arg(unusualName(cut)),
                                      *bold->look});
}

void addLegend(GraphPicture &picture, const ClusterCut &cut, const SmmFilter &filter) {
    using Sample = LegendEntry::Sample;
    const std::vector<std::uint32_t> order = clusterOrder(cut);
    std::size_t listed = 0;
    for (const std::uint32_t cluster : order) {
        if (filter.cluster && filter.cluster != cluster)
            continue;
        if (listed++ == mostLegendClusters) {
            picture.remarks.push_back({QObject::tr("Of %1 the legend has the first %2.")
                                           .arg(countText(order.size(), "cluster"))
                                           .arg(mostLegendClusters),
                                       TextRole::Remark});
            break;
        }
        QString text = cut.clusters.size() > 1 ? QObject::tr("only cluster %1").arg(clusterName(cut, cluster))
                                               : QObject::tr("cluster %1").arg(clusterName(cut, cluster));
        if (const QString note = clusterNote(cut, cluster); !note.isEmpty())
            text += QStringLiteral(", ") + note;
        picture.legend.push_back({Sample::Edge, EdgeStyle::Collective, text,
                                  cut.clusters.size() > 1 || filter.cluster ? clusterLook(cut, cluster) : sharedLook()});
    }
    const auto any = [&picture](auto test) { return std::any_of(picture.edges.begin(), picture.edges.end(), test); };
    if (cut.clusters.size() > 1 && any([](const PictureEdge &edge) { return edge.look == sharedLook(); }))
        picture.legend.push_back({Sample::Edge, EdgeStyle::Collective, QObject::tr("several clusters"), sharedLook()});
    addCharacteristic(picture, cut);
    const auto anyNode = [&picture](bool computing) {
        return std::any_of(picture.nodes.begin(), picture.nodes.end(),
                           [computing](const PictureNode &node) { return node.computing == computing; });
    };
    if (anyNode(false))
        picture.legend.push_back(
            {Sample::Communication, EdgeStyle::Collective, QObject::tr("round corners: inside an MPI call"), {}});
    if (anyNode(true))
        picture.legend.push_back(
            {Sample::Computation, EdgeStyle::Collective, QObject::tr("square corners: code between calls"), {}});
}

void addHead(GraphPicture &picture, const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut) {
    const PictureContext context = contextOf(trace, trace.range.end);
    picture.title = QObject::tr("Semi-Markov model of %1").arg(toLine(report.phases.describe(report.shownPhase)));
    picture.head.push_back({picture.title, TextRole::Title});
    if (!context.source.isEmpty())
        picture.head.push_back({context.source, TextRole::Subtitle});
    if (cut.faulty)
        picture.head.push_back({unusualText(cut), TextRole::Verdict});
    if (!report.verdict.why.empty())
        picture.head.push_back({showable(report.verdict.why), TextRole::Remark});
    picture.remarks.push_back(
        {QObject::tr("On the edges: the clusters that take a transition, and how probable it is once its state "
                     "was entered; of a characteristic transition (CT) also the mean time in the state before it."),
         TextRole::Remark});
    if (!context.dataLoss.isEmpty())
        picture.remarks.push_back({context.dataLoss, TextRole::Loss});
}

} // namespace

std::optional<std::uint32_t> SmmPicture::nodeOf(std::uint32_t state) const {
    const auto found = std::find(states.begin(), states.end(), state);
    return found == states.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - states.begin()));
}

std::optional<std::uint32_t> SmmPicture::edgeOf(std::uint32_t transition) const {
    const auto found = std::find(transitions.begin(), transitions.end(), transition);
    return found == transitions.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - transitions.begin()));
}

QString probabilityText(double probability) {
    const double percent = 100 * probability;
    if (percent > 0 && percent < 1)
        return QStringLiteral("<\u00a01\u00a0%");
    if (percent < 100 && percent > 99)
        return QStringLiteral(">\u00a099\u00a0%");
    return QString::number(std::lround(percent)) + QStringLiteral("\u00a0%");
}

QString usesText(const ClusterCut &cut, const TransitionUse &use, std::optional<std::uint32_t> onlyCluster) {
    std::vector<std::pair<QString, std::vector<std::uint32_t>>> lines; // what is said, and of which clusters
    std::size_t shown = 0;
    std::vector<ClusterUse> uses = use.uses;
    std::stable_partition(uses.begin(), uses.end(), [&](const ClusterUse &each) { return cut.faulty == each.cluster; });
    for (const ClusterUse &each : uses) {
        if (onlyCluster && each.cluster != *onlyCluster)
            continue;
        ++shown;
        QString what = probabilityText(each.probability);
        if (use.isCharacteristic())
            what += QStringLiteral(", ") + formatDuration(each.times.mean, 3);
        const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto &line) { return line.first == what; });
        if (same == lines.end())
            lines.push_back({what, {each.cluster}});
        else
            same->second.push_back(each.cluster);
    }
    const auto namesOf = [&](std::vector<std::uint32_t> clusters) {
        if (lines.size() == 1 && shown == cut.clusters.size() && shown > 2)
            return QObject::tr("all");
        std::sort(clusters.begin(), clusters.end());
        QStringList names;
        for (const std::uint32_t cluster : clusters)
            names << clusterLabel(cluster);
        return names.join(QStringLiteral(", "));
    };
    QStringList text;
    if (use.isCharacteristic())
        text << QObject::tr("CT %1").arg(use.place + 1);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i + 1 == mostLabelLines && lines.size() > mostLabelLines) {
            text << QObject::tr("and %1 more").arg(lines.size() - i);
            break;
        }
        text << shortened(namesOf(lines[i].second), 20) + QStringLiteral("\u00a0\u00a0") + lines[i].first;
    }
    return text.join(QLatin1Char('\n'));
}

SmmPicture makeSmmPicture(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut, const SmmFilter &filter) {
    const StateTable &table = report.histories.table;
    std::vector<TransitionUse> uses = transitionUses(cut);
    std::erase_if(uses, [&](const TransitionUse &use) { return !passes(use, cut, filter); });
    std::set<std::uint32_t> states;
    for (const TransitionUse &use : uses)
        states.insert({table.transitions[use.transition].from, table.transitions[use.transition].to});

    SmmPicture result;
    GraphPicture &picture = result.picture;
    picture.downwards = true;
    result.allStates = states.size();
    addHead(picture, trace, report, cut);
    if (!filter.allStates && states.size() > mostStatesAtOnce) {
        states = neighbourhood(uses, table, centresOf(uses, filter));
        picture.remarks.push_back({QObject::tr("%1 of %2 are drawn: those around %3.")
                                       .arg(toText(describeCount(states.size())), countText(result.allStates, "state"),
                                            cut.characteristic.empty() ? QObject::tr("the transition that took most time")
                                                                       : QObject::tr("the characteristic transitions")),
                                   TextRole::Remark});
    }
    if (filter.cluster)
        picture.remarks.push_back(
            {QObject::tr("Only what cluster %1 does.").arg(clusterText(cut, *filter.cluster)), TextRole::Remark});
    if (filter.minimum > 0)
        picture.remarks.push_back({QObject::tr("Transitions with a probability of less than %1 are left out, unless they are "
                                               "characteristic.")
                                       .arg(probabilityText(filter.minimum)),
                                   TextRole::Remark});
    const std::map<std::string, QString> places = placesOf(trace);
    std::map<std::uint32_t, std::uint32_t> nodeOfState;
    for (const std::uint32_t state : states) {
        nodeOfState[state] = static_cast<std::uint32_t>(picture.nodes.size());
        picture.nodes.push_back(nodeOf(table.states[state], places));
        result.states.push_back(state);
    }
    for (const TransitionUse &use : uses) {
        const SmmTransition &t = table.transitions[use.transition];
        if (states.count(t.from) == 0 || states.count(t.to) == 0)
            continue;
        PictureEdge edge;
        edge.from = nodeOfState[t.from];
        edge.to = nodeOfState[t.to];
        edge.observed = true;
        edge.label = usesText(cut, use, filter.cluster);
        edge.fullText = fullTextOf(table, cut, use);
        edge.look = lookOf(cut, use, filter);
        picture.edges.push_back(std::move(edge));
        result.transitions.push_back(use.transition);
    }
    if (picture.nodes.empty())
        picture.remarks.push_back({QObject::tr("No transition passes the filter."), TextRole::Remark});
    addLegend(picture, cut, filter);
    return result;
}

} // namespace laggard
