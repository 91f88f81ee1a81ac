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

constexpr std::size_t mostLabelLines = 4;
constexpr std::size_t mostLegendClusters = 12;
constexpr qreal boldWidth = 4;

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

/// What every rank does always needs no words.
bool isWhatAllDo(const ClusterCut &cut, const TransitionUse &use) {
    return use.uses.size() == cut.clusters.size() &&
           std::all_of(use.uses.begin(), use.uses.end(), [](const ClusterUse &each) { return each.probability >= 1; });
}

/// Colour is for what sets the unusual ranks apart. Where nobody is unusual, each cluster's own ways have the cluster's.
EdgeLook lookOf(const ClusterCut &cut, const TransitionUse &use, const SmmFilter &filter, bool separates) {
    if (separates) {
        EdgeLook look = unusualLook();
        look.width = boldWidth;
        return look;
    }
    if (filter.cluster && !cut.faulty)
        return clusterLook(cut, *filter.cluster);
    if (!filter.cluster && use.uses.size() == 1 && cut.clusters.size() > 1)
        return cut.faulty ? aloneLook() : clusterLook(cut, use.uses.front().cluster);
    return sharedLook();
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

/// The lines that say whose a transition is, as far as they are drawn.
void addLines(GraphPicture &picture, const ClusterCut &cut) {
    using Sample = LegendEntry::Sample;
    const auto isDrawn = [&picture](const EdgeLook &look) {
        return std::any_of(picture.edges.begin(), picture.edges.end(),
                           [&](const PictureEdge &edge) { return edge.look == look; });
    };
    EdgeLook apart = unusualLook();
    apart.width = boldWidth;
    if (cut.faulty && isDrawn(apart))
        picture.legend.push_back(
            {Sample::Edge, EdgeStyle::Collective, QObject::tr("sets %1 apart, and in what").arg(unusualName(cut)), apart});
    if (isDrawn(aloneLook()))
        picture.legend.push_back(
            {Sample::Edge, EdgeStyle::Collective, QObject::tr("one cluster alone, which its label names"), aloneLook()});
    if (isDrawn(sharedLook()))
        picture.legend.push_back({Sample::Edge, EdgeStyle::Collective,
                                  cut.clusters.size() > 1 ? QObject::tr("several clusters, or no difference to tell")
                                                          : QObject::tr("what the ranks do"),
                                  sharedLook()});
}

/// Which ranks the letters on the edges stand for.
void addClusters(GraphPicture &picture, const ClusterCut &cut, const SmmFilter &filter) {
    std::size_t listed = 0;
    QStringList names;
    const std::vector<std::uint32_t> order = clusterOrder(cut);
    for (const std::uint32_t cluster : order) {
        if (filter.cluster && filter.cluster != cluster)
            continue;
        if (listed++ == mostLegendClusters) {
            names << QObject::tr("and %1 smaller ones").arg(order.size() - mostLegendClusters);
            break;
        }
        if (!cut.faulty) {
            const QString text = cut.clusters.size() > 1 ? QObject::tr("only cluster %1").arg(clusterName(cut, cluster))
                                                         : QObject::tr("cluster %1").arg(clusterName(cut, cluster));
            const EdgeLook look = cut.clusters.size() > 1 || filter.cluster ? clusterLook(cut, cluster) : sharedLook();
            const bool drawn = std::any_of(picture.edges.begin(), picture.edges.end(),
                                           [&](const PictureEdge &edge) { return edge.look == look; });
            if (drawn && cut.clusters.size() > 1)
                picture.legend.push_back({LegendEntry::Sample::Edge, EdgeStyle::Collective, text, look});
        }
        names << clusterText(cut, cluster);
    }
    if (!names.isEmpty())
        picture.remarks.push_back({QObject::tr("Clusters: %1.").arg(names.join(QStringLiteral("; "))), TextRole::Remark});
}

void addLegend(GraphPicture &picture, const ClusterCut &cut, const SmmFilter &filter) {
    using Sample = LegendEntry::Sample;
    addClusters(picture, cut, filter);
    addLines(picture, cut);
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

/// The nodes that a state is drawn as: one, or one for each function in which a part of its time went.
struct DrawnState {
    std::vector<std::uint32_t> nodes;
    std::map<std::uint32_t, std::size_t> leaving; ///< as StatePlace::leaving

    [[nodiscard]] std::uint32_t leftBy(std::uint32_t transition) const {
        const auto last = leaving.find(transition);
        return last == leaving.end() ? nodes.back() : nodes[last->second];
    }
};

/// Edges from part to part of a state: all who are in it go that way.
void joinParts(SmmPicture &smm, const Trace &trace, const StatePlace &place, const DrawnState &state) {
    for (std::size_t part = 1; part < state.nodes.size(); ++part) {
        PictureEdge edge;
        edge.from = state.nodes[part - 1];
        edge.to = state.nodes[part];
        edge.observed = true;
        edge.look = sharedLook();
        edge.fullText = QObject::tr("%1, then %2: parts of one state, without an MPI call between them")
                            .arg(showable(trace.regions[place.parts[part - 1].region].name),
                                 showable(trace.regions[place.parts[part].region].name));
        smm.picture.edges.push_back(std::move(edge));
        smm.transitions.push_back(none);
    }
}

void addNode(SmmPicture &smm, PictureNode node, std::uint32_t state, RegionId function) {
    smm.picture.nodes.push_back(std::move(node));
    smm.states.push_back(state);
    smm.functions.push_back(function);
}

std::map<std::uint32_t, DrawnState> addNodes(SmmPicture &smm, const Trace &trace, const SemiMarkovReport &report,
                                             const std::set<std::uint32_t> &states) {
    const StateTable &table = report.histories.table;
    const std::map<std::string, QString> places = placesOf(trace);
    std::map<std::uint32_t, DrawnState> drawn;
    for (const std::uint32_t state : states) {
        if (state == table.notReturned)
            continue; // addEdges
        const StatePlace place = state < report.places.size() ? report.places[state] : StatePlace();
        const bool isSplit = place.parts.size() > 1 && table.states[state].isComputation();
        DrawnState &each = drawn[state];
        for (std::size_t part = 0; part < (isSplit ? place.parts.size() : 1); ++part) {
            StatePlace shown = place;
            if (isSplit)
                shown.region = place.parts[part].region;
            each.nodes.push_back(static_cast<std::uint32_t>(smm.picture.nodes.size()));
            addNode(smm,
                    isSplit ? nodeOfPart(trace, table.states[state], places, shown.region, part == 0)
                            : nodeOfState(trace, table.states[state], places, place),
                    state, isSplit ? shown.region : none);
        }
        if (isSplit) {
            each.leaving = place.leaving;
            joinParts(smm, trace, place, each);
        }
    }
    smm.drawnStates = states.size();
    return drawn;
}

/// Nodes, and the edges between them. Each state from which somebody did not return has an end of its own beside it: one for all
/// would lie behind the whole run, and the edge that is looked for would lead out of sight.
void addEdges(SmmPicture &smm, const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut, const SmmFilter &filter,
              const std::vector<TransitionUse> &uses, const std::set<std::uint32_t> &states) {
    const StateTable &table = report.histories.table;
    const std::map<std::uint32_t, DrawnState> drawn = addNodes(smm, trace, report, states);
    const std::vector<Separation> apart = separations(report, cut);
    for (const TransitionUse &use : uses) {
        const SmmTransition &t = table.transitions[use.transition];
        if (states.count(t.from) == 0 || states.count(t.to) == 0)
            continue;
        PictureEdge edge;
        edge.from = drawn.at(t.from).leftBy(use.transition);
        if (t.to == table.notReturned) {
            edge.to = static_cast<std::uint32_t>(smm.picture.nodes.size());
            addNode(smm, nodeOfState(trace, table.states[t.to], {}), t.to, none);
        } else {
            edge.to = drawn.at(t.to).nodes.front();
        }
        edge.observed = true;
        const auto separation =
            std::find_if(apart.begin(), apart.end(), [&](const Separation &each) { return each.transition == use.transition; });
        const bool separates = separation != apart.end() && (!filter.cluster || cut.faulty == filter.cluster);
        edge.label = separates               ? separationText(cut, *separation)
                     : isWhatAllDo(cut, use) ? QString()
                                             : usesText(cut, use, filter.cluster);
        edge.fullText = fullTextOf(table, cut, use);
        edge.look = lookOf(cut, use, filter, separates);
        smm.picture.edges.push_back(std::move(edge));
        smm.transitions.push_back(use.transition);
    }
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
        {QObject::tr("On the edges: the clusters that take a transition, and how probable it is once its state was entered; on "
                     "bold ones the mean time in the state before it, or the probability, and that of the others."),
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
        const QString what = probabilityText(each.probability);
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
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i + 1 == mostLabelLines && lines.size() > mostLabelLines) {
            text << QObject::tr("and %1 more").arg(lines.size() - i);
            break;
        }
        text << shortened(namesOf(lines[i].second), 20) + QStringLiteral("\u00a0\u00a0") + lines[i].first;
    }
    return text.join(QLatin1Char('\n'));
}

QString separationText(const ClusterCut &cut, const Separation &separation) {
    using What = Separation::What;
    switch (separation.what) {
    case What::Alone:
        return QObject::tr("only %1, %2").arg(unusualName(cut), formatDuration(separation.value, 3));
    case What::Probability:
        return QObject::tr("%1, others %2")
            .arg(probabilityText(separation.value),
                 probabilityText(separation.value > separation.high ? separation.high : separation.low));
    case What::Time:
        break;
    }
    const bool longer = separation.value >= separation.high;
    const bool several = separation.low < separation.high;
    return QObject::tr("%1, others %2%3")
        .arg(formatDuration(separation.value, 3),
             several ? (longer ? QStringLiteral("\u2264\u00a0") : QStringLiteral("\u2265\u00a0")) : QString(),
             formatDuration(longer ? separation.high : separation.low, 3));
}

SmmPicture makeSmmPicture(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut, const SmmFilter &filter,
                          SmmFlow flow) {
    const StateTable &table = report.histories.table;
    std::vector<TransitionUse> uses = transitionUses(cut);
    std::erase_if(uses, [&](const TransitionUse &use) { return !passes(use, cut, filter); });
    std::set<std::uint32_t> states;
    for (const TransitionUse &use : uses)
        states.insert({table.transitions[use.transition].from, table.transitions[use.transition].to});

    SmmPicture result;
    GraphPicture &picture = result.picture;
    picture.downwards = true;
    picture.sideways = flow == SmmFlow::Rightwards;
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
    addEdges(result, trace, report, cut, filter, uses, states);
    if (picture.nodes.empty())
        picture.remarks.push_back({QObject::tr("No transition passes the filter."), TextRole::Remark});
    addLegend(picture, cut, filter);
    return result;
}

} // namespace laggard
