// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgPicture.h"

#include "analysis/progress/ReducedEdges.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "trace/MadeUpName.h"
#include "trace/MpiName.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"
#include "views/graph/FunctionName.h"
#include "views/picture/PictureText.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace laggard {
namespace {

constexpr qreal mostTextWidth = 270;
constexpr int mostRankLines = 3;

QString seconds(double value) { return QString::number(value, 'g', 4) + QStringLiteral("\u00a0s"); }

QString ranksText(const RankSet &ranks) {
    return (ranks.size() == 1 ? QStringLiteral("rank ") : QStringLiteral("ranks ")) + showable(formatRanges(ranks, ", "));
}

QString countText(std::size_t count, const char *what) { return showable(plural(count, what)); }

/// Ranks as lines that fit; what does not fit is counted at the end.
QStringList rankLines(const RankSet &ranks) {
    const QFontMetricsF metrics = metricsOf(TextRole::Ranks);
    const QString whole = ranksText(ranks);
    const QStringList lines = wrapped(whole, TextRole::Ranks, mostTextWidth, mostRankLines + 1);
    if (lines.size() <= mostRankLines)
        return lines;
    RankSet shown = ranks;
    const auto attempt = [&](std::size_t count) {
        shown.assign(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(count));
        const QString rest = QStringLiteral(" and %1 more").arg(showable(describeCount(ranks.size() - count)));
        return wrapped(ranksText(shown) + rest, TextRole::Ranks, mostTextWidth, mostRankLines + 1);
    };
    std::size_t fits = 1;
    for (std::size_t low = 1, high = ranks.size() - 1; low <= high;) {
        const std::size_t middle = low + (high - low) / 2;
        if (attempt(middle).size() <= mostRankLines) {
            fits = middle;
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return attempt(fits);
}

/// What a node is doing, from its stack.
struct Doing {
    QString what;   ///< the MPI call, or the innermost function outside MPI
    QString caller; ///< the MPI call's caller
    QString place;  ///< file:line of the innermost function outside MPI
    QString after;  ///< the MPI call before, while computing
};

const Frame *firstMpi(const std::vector<Frame> &stack) {
    const auto isMpi = [](const Frame &frame) { return isMpiName(frame.function); };
    // The outermost one: below it are the library's own functions, some of them MPI calls again.
    const auto found = std::find_if(stack.rbegin(), stack.rend(), isMpi);
    return found == stack.rend() ? nullptr : &*found;
}

QString placeOf(const Frame &frame) { return showable(sourcePlace(frame)); }

QString callBefore(const ProgressGraph &graph, const ProgressNode &node) {
    const Frame *call = node.state < graph.models.states.size() ? firstMpi(graph.models.states[node.state].stack) : nullptr;
    if (!call)
        call = firstMpi(node.stack);
    return call ? withoutProfilingPrefix(showable(call->function)) : QString();
}

Doing doingOf(const ProgressGraph &graph, const ProgressNode &node) {
    const Frame *call = firstMpi(node.stack);
    QString function;
    Doing doing;
    // Callers of the MPI call; the whole stack where there is none.
    const std::size_t first = call ? static_cast<std::size_t>(call - node.stack.data()) + 1 : 0;
    for (std::size_t i = first; i < node.stack.size(); ++i) {
        if (function.isEmpty())
            function = showable(node.stack[i].function);
        if (doing.place.isEmpty())
            doing.place = placeOf(node.stack[i]);
    }
    if (node.finished) {
        doing.what = QStringLiteral("finished");
    } else if (node.kind == ModelState::Kind::Communication) {
        // Operations of other libraries (NCCL) have names of their own, and no caller in what is known of them.
        doing.what = call                 ? withoutProfilingPrefix(showable(call->function))
                     : function.isEmpty() ? QStringLiteral("an MPI call")
                                          : function;
        doing.caller = call ? function : QString();
    } else {
        const bool isMadeUp = isMadeUpName(function.toStdString()); // nothing is below it
        doing.what = function.isEmpty()         ? QStringLiteral("between MPI calls")
                     : node.isExact || isMadeUp ? function
                                                : QStringLiteral("in or below ") + function;
        if (node.kind == ModelState::Kind::Computation)
            doing.after = callBefore(graph, node);
    }
    return doing;
}

QString fittingName(const QString &name, TextRole role) {
    const QFontMetricsF metrics = metricsOf(role);
    const QString shorter = shortenFunctionName(name, [&](const QString &text) {
        return text.size() <= mostTextWidth &&
               metrics.horizontalAdvance(text) <= mostTextWidth; // long ones are not even measured
    });
    return elided(shorter, role, mostTextWidth);
}

std::vector<TextRow> rowsOf(const ProgressNode &node, const Doing &doing, const QString &note) {
    std::vector<TextRow> rows;
    if (node.leastProgressed)
        rows.push_back({{QStringLiteral("least progressed"), TextRole::LeastProgressed}});
    for (const QString &line : rankLines(node.ranks))
        rows.push_back({{line, TextRole::Ranks}});
    if (node.ranks.size() > 1)
        rows.push_back({{countText(node.ranks.size(), "rank"), TextRole::Count}});
    rows.push_back({{fittingName(doing.what, TextRole::Function), TextRole::Function}});
    if (!doing.caller.isEmpty())
        rows.push_back({{fittingName(QStringLiteral("in ") + doing.caller, TextRole::Activity), TextRole::Activity}});
    if (!doing.place.isEmpty())
        rows.push_back({{elided(doing.place, TextRole::Place, mostTextWidth), TextRole::Place}});
    if (!doing.after.isEmpty())
        rows.push_back({{fittingName(QStringLiteral("after ") + doing.after, TextRole::Place), TextRole::Place}});
    if (node.damaged)
        rows.push_back({{QStringLiteral("events are missing"), TextRole::Damaged}});
    for (const QString &line : wrapped(note, TextRole::Note, mostTextWidth, 6))
        rows.push_back({{line, TextRole::Note}});
    return rows;
}

/// The rows for several nodes drawn as one.
std::vector<TextRow> rowsOf(const ProgressNode &node, const PictureContext::Group &group) {
    std::vector<TextRow> rows;
    for (const QString &line : rankLines(node.ranks))
        rows.push_back({{line, TextRole::Ranks}});
    rows.push_back({{countText(node.ranks.size(), "rank"), TextRole::Count}});
    rows.push_back({{countText(group.nodes, "group"), TextRole::Function}});
    rows.push_back({{elided(QStringLiteral("all waiting for ") + ranksText(group.waitFor), TextRole::Activity, mostTextWidth),
                     TextRole::Activity}});
    if (node.damaged)
        rows.push_back({{QStringLiteral("events are missing"), TextRole::Damaged}});
    return rows;
}

QString fullTextOf(const ProgressNode &node, const PictureContext::Group &group) {
    return ranksText(node.ranks) + QLatin1Char('\n') + countText(group.nodes, "group") + QStringLiteral(" of ") +
           countText(node.ranks.size(), "rank") + QStringLiteral(", all waiting for ") + ranksText(group.waitFor) +
           QStringLiteral(", directly or through others. A double click or Enter shows them one by one.");
}

QString fullTextOf(const ProgressNode &node, const Doing &doing) {
    QStringList lines{ranksText(node.ranks) + (node.leastProgressed ? QStringLiteral(" (least progressed)") : QString())};
    lines << countText(node.ranks.size(), "rank") + QStringLiteral(", ") + doing.what +
                 (doing.after.isEmpty() ? QString() : QStringLiteral(", after ") + doing.after);
    for (const Frame &frame : node.stack) {
        const QString place = placeOf(frame);
        lines << showable(frame.function) + (place.isEmpty() ? QString() : QStringLiteral(" (") + place + QLatin1Char(')'));
    }
    if (node.damaged)
        lines << QStringLiteral("Some events of these ranks could not be read.");
    return lines.join(QLatin1Char('\n'));
}

QSizeF sizeOf(const PictureNode &node) {
    qreal width = 90;
    qreal height = 0;
    for (const TextRow &row : node.rows) {
        qreal rowWidth = 0;
        for (const PictureText &piece : row)
            rowWidth += metricsOf(piece.role).horizontalAdvance(piece.text);
        width = std::max(width, rowWidth);
        height += rowHeight(row);
    }
    const qreal outline = node.leastProgressed ? 10 : 0; // room for the second outline
    return {std::ceil(width + 28 + outline), std::ceil(height + 20 + outline)};
}

/// Nothing is known of where they are: they stand beside the graph, and not left out of it without a word.
PictureNode nodeOfLost(const RankSet &ranks) {
    PictureNode node;
    node.rows.push_back({{QStringLiteral("events lost"), TextRole::Damaged}});
    for (const QString &line : rankLines(ranks))
        node.rows.push_back({{line, TextRole::Ranks}});
    if (ranks.size() > 1)
        node.rows.push_back({{countText(ranks.size(), "rank"), TextRole::Count}});
    node.damaged = node.computing = true;
    node.fullText = ranksText(ranks) + QLatin1Char('\n') +
                    QStringLiteral("Events were lost: where they are, and whom they wait for, is not known.");
    node.size = sizeOf(node);
    return node;
}

EdgeStyle styleOf(const ProgressEdge &edge) {
    if (edge.dependence == ProgressEdge::Dependence::Undefined)
        return EdgeStyle::Undefined;
    switch (edge.kind) {
    case ProgressEdge::Kind::Collective:
        return EdgeStyle::Collective;
    case ProgressEdge::Kind::PointToPoint:
        return EdgeStyle::PointToPoint;
    case ProgressEdge::Kind::Loop:
        return EdgeStyle::Loop;
    }
    return EdgeStyle::Collective;
}

QString edgeText(EdgeStyle style) {
    switch (style) {
    case EdgeStyle::Collective:
        return QStringLiteral("A waits for B in a collective");
    case EdgeStyle::PointToPoint:
        return QStringLiteral("A waits for B in a send or receive");
    case EdgeStyle::Loop:
        return QStringLiteral("A waits for B, which is behind in a loop");
    case EdgeStyle::Undefined:
        return QStringLiteral("order undefined: both are possible");
    }
    return {};
}

PictureEdge edgeOf(const ProgressEdge &edge) {
    PictureEdge drawn{
        edge.from, edge.to, styleOf(edge), edge.observed, std::clamp(edge.confidence, 0.0, 1.0), {}, showable(edge.evidence)};
    const int percent = confidencePercent(drawn.confidence);
    if (drawn.style != EdgeStyle::Undefined && percent < 100)
        drawn.label = percent == 0 ? QStringLiteral("<\u00a01\u00a0% sure") : QStringLiteral("%1\u00a0% sure").arg(percent);
    return drawn;
}

/// `ofMpi`: the nodes that communicate are in calls of MPI.
std::vector<LegendEntry> legendOf(const GraphPicture &picture, bool ofMpi) {
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend;
    const auto anyNode = [&](auto test) { return std::any_of(picture.nodes.begin(), picture.nodes.end(), test); };
    const auto anyEdge = [&](auto test) { return std::any_of(picture.edges.begin(), picture.edges.end(), test); };
    const auto waits = [](const PictureEdge &edge) { return edge.style != EdgeStyle::Undefined; };
    const auto add = [&](bool occurs, Sample sample, const char *text) {
        if (occurs)
            legend.push_back({sample, EdgeStyle::Collective, QString::fromUtf8(text)});
    };
    add(anyNode([](const PictureNode &node) { return node.leastProgressed; }), Sample::LeastProgressed,
        "double outline: least progressed (LP)");
    for (const EdgeStyle style : {EdgeStyle::Collective, EdgeStyle::PointToPoint, EdgeStyle::Loop, EdgeStyle::Undefined}) {
        if (anyEdge([&](const PictureEdge &edge) { return edge.style == style; }))
            legend.push_back({Sample::Edge, style, edgeText(style)});
    }
    add(anyEdge([&](const PictureEdge &edge) { return waits(edge) && edge.observed; }), Sample::Observed,
        "filled head: seen in calls and messages");
    add(anyEdge([&](const PictureEdge &edge) { return waits(edge) && !edge.observed; }), Sample::Inferred,
        "open head: inferred from earlier behaviour");
    add(anyEdge([](const PictureEdge &edge) { return !edge.label.isEmpty(); }), Sample::Doubt,
        "thinner, with a percentage: less sure");
    add(anyNode([](const PictureNode &node) { return !node.computing; }), Sample::Communication,
        ofMpi ? "round corners: inside an MPI call" : "round corners: in communication");
    add(anyNode([](const PictureNode &node) { return node.computing; }), Sample::Computation, "square corners: computing");
    add(anyNode([](const PictureNode &node) { return node.damaged; }), Sample::Damaged,
        "cut corner: some events could not be read");
    return legend;
}

QString titleOf(const PictureContext &context) {
    QString title = QStringLiteral("Progress dependence");
    if (!context.atSeconds)
        return title;
    const bool atEnd = context.durationSeconds && *context.atSeconds >= *context.durationSeconds;
    title += atEnd ? QStringLiteral(" at the end of the trace, ") : QStringLiteral(" at ");
    title += seconds(*context.atSeconds);
    if (!atEnd && context.durationSeconds)
        title += QStringLiteral(" of ") + seconds(*context.durationSeconds);
    return title;
}

/// "rank 3 in compute_flux (stencil.c:41)", for each least-progressed node.
QString verdictOf(const ProgressGraph &graph) {
    QStringList parts;
    for (const ProgressNode &node : graph.nodes) {
        if (!node.leastProgressed)
            continue;
        const Doing doing = doingOf(graph, node);
        QString part =
            (node.ranks.size() == 1 ? QStringLiteral("rank ") : QStringLiteral("ranks ")) + showable(describeRanges(node.ranks));
        part += (node.finished ? QStringLiteral(", ") : QStringLiteral(" in ")) + fittingName(doing.what, TextRole::Verdict);
        if (!doing.caller.isEmpty())
            part += QStringLiteral(", called from ") + fittingName(doing.caller, TextRole::Verdict);
        if (!doing.place.isEmpty())
            part += QStringLiteral(" (") + doing.place + QLatin1Char(')');
        parts << part;
    }
    if (parts.isEmpty())
        return {};
    return QStringLiteral("Least progressed: %1 (%2\u00a0%\u00a0sure)")
        .arg(parts.join(QStringLiteral("; ")))
        .arg(confidencePercent(graph.confidence));
}

std::vector<PictureText> remarksOf(const ProgressGraph &graph, const PictureContext &context) {
    std::vector<PictureText> remarks;
    if (graph.nodes.empty())
        remarks.push_back({QStringLiteral("No rank was in a state to show: the graph is empty."), TextRole::Remark});
    RankSet drawn;
    for (const ProgressNode &node : graph.nodes)
        drawn.insert(drawn.end(), node.ranks.begin(), node.ranks.end());
    std::sort(drawn.begin(), drawn.end());
    RankSet finished;
    std::set_difference(graph.finished.begin(), graph.finished.end(), drawn.begin(), drawn.end(), std::back_inserter(finished));
    const auto list = [](const RankSet &ranks) { return showable(describeRanges(ranks)); };
    if (!finished.empty())
        remarks.push_back({QStringLiteral("Finished, and not drawn: ") + countText(finished.size(), "rank") +
                               QStringLiteral(" (") + list(finished) + QLatin1Char(')'),
                           TextRole::Remark});
    if (!graph.unknown.empty())
        remarks.push_back(
            {QStringLiteral("Nothing is known of %1 (%2)").arg(countText(graph.unknown.size(), "rank"), list(graph.unknown)),
             TextRole::Loss});
    if (!context.dataLoss.isEmpty())
        remarks.push_back({context.dataLoss, TextRole::Loss});
    return remarks;
}

} // namespace

RankSet lostRanks(const ProgressGraph &graph, const PictureContext &context) {
    RankSet lost;
    std::set_intersection(graph.unknown.begin(), graph.unknown.end(), context.lost.begin(), context.lost.end(),
                          std::back_inserter(lost));
    return lost;
}

PictureContext contextOf(const Trace &trace, Tick at) {
    PictureContext context;
    const QFileInfo file(QString::fromStdString(trace.path));
    const QString folder = file.absoluteDir().dirName();
    context.source = showable((folder.isEmpty() ? file.fileName() : folder + QLatin1Char('/') + file.fileName()).toStdString());
    context.atSeconds = trace.seconds(std::clamp(at, trace.range.begin, trace.range.end));
    context.durationSeconds = trace.durationSeconds();
    context.lost = damagedRanks(trace);
    if (trace.hasDataLoss()) {
        const RankSet damaged = damagedRanks(trace);
        context.dataLoss = damaged.empty() ? QStringLiteral("Data loss: a part of the trace could not be read.")
                                           : QStringLiteral("Data loss: some events of %1 could not be read (%2).")
                                                 .arg(countText(damaged.size(), "rank"), showable(describeRanges(damaged)));
    }
    return context;
}

GraphPicture makePdgPicture(const ProgressGraph &graph, const PictureContext &context) {
    GraphPicture picture;
    picture.downwards = picture.sideways = context.sideways;
    picture.title = titleOf(context);
    picture.head.push_back({picture.title, TextRole::Title});
    if (!context.source.isEmpty())
        picture.head.push_back({context.source, TextRole::Subtitle});
    const QString verdict = verdictOf(graph);
    if (!verdict.isEmpty())
        picture.head.push_back({verdict, TextRole::Verdict});
    if (!graph.why.empty())
        picture.head.push_back({showable(graph.why), TextRole::Remark});
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const ProgressNode &node = graph.nodes[i];
        const Doing doing = doingOf(graph, node);
        const auto note = context.notes.find(i);
        const QString noteText = note == context.notes.end() ? QString() : showable(note->second.toStdString());
        PictureNode drawn{rowsOf(node, doing, noteText), {}, node.leastProgressed, node.damaged, false, fullTextOf(node, doing)};
        drawn.computing = node.kind != ModelState::Kind::Communication && !node.finished;
        if (const auto group = context.groups.find(i); group != context.groups.end()) {
            drawn.rows = rowsOf(node, group->second);
            drawn.fullText = fullTextOf(node, group->second);
            drawn.computing = false;
        }
        drawn.size = sizeOf(drawn);
        picture.nodes.push_back(std::move(drawn));
    }
    if (const RankSet lost = lostRanks(graph, context); !lost.empty() && !graph.nodes.empty())
        picture.nodes.push_back(nodeOfLost(lost));
    std::vector<std::uint32_t> shown(graph.edges.size());
    std::iota(shown.begin(), shown.end(), 0U);
    if (!context.allEdges)
        shown = essentialEdges(graph);
    for (const std::uint32_t edge : shown) {
        picture.edges.push_back(edgeOf(graph.edges[edge]));
        picture.edges.back().number = edge;
    }
    picture.remarks = remarksOf(graph, context);
    if (const std::size_t hidden = graph.edges.size() - shown.size(); hidden != 0)
        picture.remarks.push_back(
            {countText(hidden, "wait") + (hidden == 1 ? QStringLiteral(" that follows from those drawn is left out")
                                                      : QStringLiteral(" that follow from those drawn are left out")),
             TextRole::Remark});
    if (!context.groups.empty())
        picture.remarks.push_back({context.groups.size() == 1
                                       ? QStringLiteral("1 tree of waiting groups is drawn as one node")
                                       : QStringLiteral("%1 trees of waiting groups are drawn as one node each")
                                             .arg(showable(describeCount(context.groups.size()))),
                                   TextRole::Remark});
    const bool ofMpi = std::ranges::none_of(graph.nodes, [](const ProgressNode &node) {
        return node.kind == ModelState::Kind::Communication && !node.stack.empty() && firstMpi(node.stack) == nullptr;
    });
    picture.legend = legendOf(picture, ofMpi);
    return picture;
}

} // namespace laggard
