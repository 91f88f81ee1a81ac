// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/Correction.h"
#include "analysis/verdict/Attach.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/HeadlineWords.h"
#include "analysis/words/VerdictWords.h"
#include "app/report/DivergenceSections.h"
#include "app/report/LatenessSections.h"
#include "app/report/Report.h"
#include "app/report/SliceSections.h"
#include "app/report/TextLines.h"
#include "app/report/TextSections.h"
#include "app/report/TimeSections.h"
#include "app/report/UnitSections.h"
#include "trace/Phrases.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <ostream>

namespace laggard {
namespace {

constexpr std::size_t mostNodes = 24;
constexpr std::size_t mostWarnings = 12;
constexpr std::size_t mostFrames = 20; // frames of a call stack that are shown
constexpr std::size_t outerFrames = 5; // outermost of those, where there are more

void writeHeader(std::ostream &out, const Report &report) {
    const Trace &trace = *report.trace;
    out << printable(trace.path) << ": " << printable(trace.format) << ", " << plural(trace.processes.size(), "rank");
    if (report.dump) {
        out << "\n\n";
        return;
    }
    if (trace.locations.size() != trace.processes.size())
        out << ", " << plural(trace.locations.size(), "location");
    out << ", " << plural(trace.eventCount, "event") << ", " << describeDuration(trace.durationSeconds());
    if (report.corrected && report.corrected->problem.empty())
        out << " without the recorder's time";
    out << "\n\n";
}

/// The open calls, innermost first. Of endless recursions the ends are enough.
std::string stackLine(const ProgressNode &node) {
    std::string text;
    for (std::size_t i = 0; i < node.stack.size(); ++i) {
        text += text.empty() ? "" : " < ";
        if (i == mostFrames - outerFrames && node.stack.size() > mostFrames) {
            i = node.stack.size() - outerFrames;
            text += "… " + describeCount(node.stack.size() - mostFrames) + " more … < ";
        }
        const Frame &frame = node.stack[i];
        text += frame.function;
        if (const std::string place = sourcePlace(frame); !place.empty())
            text += " (" + place + ")";
    }
    return text.empty() ? "outside all recorded calls" : text;
}

/// What a node waits for, for one reason.
struct WaitLine {
    const ProgressEdge *edge;
    RankSet on;
};

void addRanks(RankSet &ranks, const RankSet &more) {
    ranks.insert(ranks.end(), more.begin(), more.end());
    std::sort(ranks.begin(), ranks.end());
}

/// The waits of node `id`, those with the same reason together.
std::vector<WaitLine> waitsOf(const ProgressGraph &graph, std::uint32_t id) {
    std::vector<WaitLine> lines;
    for (const ProgressEdge &edge : graph.edges) {
        if (edge.from != id || edge.dependence != ProgressEdge::Dependence::Waits)
            continue;
        auto line = std::find_if(lines.begin(), lines.end(), [&](const WaitLine &l) {
            return l.edge->kind == edge.kind && l.edge->observed == edge.observed && l.edge->evidence == edge.evidence;
        });
        if (line == lines.end())
            line = lines.insert(lines.end(), {&edge, {}});
        addRanks(line->on, graph.nodes[edge.to].ranks);
    }
    return lines;
}

std::string waitText(const WaitLine &line) {
    const std::string how = line.edge->kind == ProgressEdge::Kind::Collective     ? "collective"
                            : line.edge->kind == ProgressEdge::Kind::PointToPoint ? "message"
                                                                                  : "loop";
    return "waits for " + describeRankSet(line.on) + " (" + how + (line.edge->observed ? "" : ", by probability") +
           ", confidence " + describeConfidence(line.edge->confidence) + ")";
}

/// The ranks whose order relative to node `id` could not be told.
RankSet unorderedWith(const ProgressGraph &graph, std::uint32_t id) {
    RankSet ranks;
    for (const ProgressEdge &edge : graph.edges)
        if (edge.dependence == ProgressEdge::Dependence::Undefined && (edge.from == id || edge.to == id))
            addRanks(ranks, graph.nodes[edge.from == id ? edge.to : edge.from].ranks);
    return ranks;
}

/// LP nodes first, then by number of ranks.
std::vector<std::uint32_t> nodesByInterest(const ProgressGraph &graph) {
    std::vector<std::uint32_t> order(graph.nodes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const ProgressNode &left = graph.nodes[a];
        const ProgressNode &right = graph.nodes[b];
        return left.leastProgressed != right.leastProgressed ? left.leastProgressed : left.ranks.size() > right.ranks.size();
    });
    return order;
}

bool meet(const RankSet &a, const RankSet &b) {
    return std::any_of(a.begin(), a.end(), [&](Rank rank) { return std::binary_search(b.begin(), b.end(), rank); });
}

/// Ranks of one group that wait for each other: the graph has no edge for them.
void writeWaitsWithin(std::ostream &out, const std::vector<Wait> &waits, const RankSet &ranks) {
    const Wait *first = nullptr;
    std::size_t count = 0;
    for (const Wait &wait : waits)
        if (ranks.size() > 1 && meet(wait.waiters, ranks) && meet(wait.on, ranks)) {
            first = first == nullptr ? &wait : first;
            ++count;
        }
    if (first == nullptr)
        return;
    writeWrapped(out, "      ",
                 std::string("wait for others of this group (") +
                     (first->kind == Wait::Kind::Collective ? "collective"
                      : first->kind == Wait::Kind::FileLock ? "lock of a file"
                                                            : "message") +
                     ", confidence " + describeConfidence(first->confidence) + ")");
    writeWrapped(out, "        ", first->evidence + (count > 1 ? " (and " + describeCount(count - 1) + " more)" : std::string()));
}

/// The second opinion: from the control flow, without the waits.
void writeRule(std::ostream &out, const Report &report) {
    const ProgressRule &rule = report.rule;
    const auto agreement = [&]() -> std::string {
        switch (agreementOf(rule, report.progress)) {
        case RuleAgreement::Same:
            return "the same as above";
        case RuleAgreement::Part:
            return "agrees with the above in part";
        case RuleAgreement::Other:
            return "not what is said above";
        case RuleAgreement::OnlyRule:
            return "nobody is named above";
        case RuleAgreement::NoRule:
        case RuleAgreement::NobodyTold:
            break;
        }
        return {};
    };
    std::string text = "By the rule of progress dependence alone: ";
    if (rule.leastProgressed.empty())
        text += "nobody can be singled out";
    else
        text += describeRankSet(rule.leastProgressed) + " (confidence " + describeConfidence(rule.confidence) + "; " +
                agreement() + ")";
    writeWrapped(out, "  ", text);
    out << '\n';
}

void writeNodes(std::ostream &out, const Report &report) {
    const ProgressGraph &graph = report.progress;
    const std::vector<Process> &processes = report.trace->processes;
    out << "Who waits for whom";
    if (!report.dump || report.dump->hasWaits)
        out << ", at " << describeDuration(report.trace->seconds(graph.at));
    out << '\n';
    std::size_t shown = 0;
    for (const std::uint32_t id : nodesByInterest(graph)) {
        if (shown++ == mostNodes) {
            out << "  … and " << plural(graph.nodes.size() - mostNodes, "more group") << " (all of them: --json)\n";
            break;
        }
        const ProgressNode &node = graph.nodes[id];
        out << "  " << describeRankSet(node.ranks);
        if (node.ranks.size() > 2)
            out << " (" << describeCount(node.ranks.size()) << ")";
        out << (node.leastProgressed ? "   << least progressed" : "") << (node.damaged ? "   [events lost]" : "") << '\n';
        writeWrapped(out, "      ",
                     (node.finished  ? node.ranks.size() == 1 ? "has ended, last in " : "have ended, last in "
                      : node.isExact ? "in "
                                     : "in or below ") +
                         stackLine(node));
        for (const WaitLine &line : waitsOf(graph, id)) {
            writeWrapped(out, "      ", waitText(line));
            if (line.edge->observed)
                writeWrapped(out, "        ", line.edge->evidence);
        }
        writeWaitsWithin(out, report.waits.waits, node.ranks);
        if (const RankSet unordered = unorderedWith(graph, id); !unordered.empty())
            writeWrapped(out, "      ", "its order relative to " + describeRankSet(unordered) + " is not known");
    }
    if (!graph.finished.empty()) {
        const auto leftEarly = [&](Rank rank) { // without MPI_Finalize
            return rank < processes.size() && processes[rank].end.kind == ProcessEnd::Kind::Exited &&
                   !processes[rank].end.finalized;
        };
        out << "  " << describeRankSet(graph.finished) << (graph.finished.size() == 1 ? " has" : " have")
            << (std::ranges::any_of(graph.finished, leftEarly) ? " ended\n" : " finished\n");
    }
    if (!graph.unknown.empty())
        out << "  nothing is known of " << describeRankSet(graph.unknown) << '\n';
    const bool isRuleAlone = report.dump && !report.dump->hasWaits; // then it is what is said above
    if (!isRuleAlone && report.verdict.state == Verdict::State::Hung && graph.nodes.size() > 1)
        writeRule(out, report);
    else
        out << '\n';
}

void writeUncertainties(std::ostream &out, const Report &report) {
    std::vector<std::string> doubts;
    const ProgressGraph &graph = report.progress;
    const auto undefined = std::count_if(graph.edges.begin(), graph.edges.end(), [](const ProgressEdge &e) {
        return e.dependence == ProgressEdge::Dependence::Undefined;
    });
    if (undefined > 0)
        doubts.push_back(plural(static_cast<std::uint64_t>(undefined), "pair") + " of groups could not be put in order.");
    const auto guessed = std::count_if(graph.edges.begin(), graph.edges.end(), [](const ProgressEdge &e) {
        return e.dependence == ProgressEdge::Dependence::Waits && e.confidence < 0.6;
    });
    if (guessed > 0)
        doubts.push_back(plural(static_cast<std::uint64_t>(guessed), "dependence") + " above " + (guessed == 1 ? "is" : "are") +
                         " a guess (confidence below 0.6).");
    if (report.trace->reversedMessages > 0 && report.repeated.empty())
        doubts.push_back(plural(report.trace->reversedMessages, "message") +
                         " arrived before being sent: clocks disagree by up to " +
                         describeDuration(static_cast<double>(report.trace->clock.resolution) /
                                          static_cast<double>(report.trace->clock.ticksPerSecond)) +
                         ".");
    if (doubts.empty())
        return;
    out << "What is uncertain\n";
    for (const std::string &doubt : doubts)
        writeWrapped(out, "  ", doubt);
    out << '\n';
}

void writeWarnings(std::ostream &out, const Trace &trace) {
    if (trace.warnings.empty())
        return;
    out << (trace.hasDataLoss() ? "What was damaged\n" : "Odd things in the trace\n");
    std::vector<const Warning *> warnings;
    for (const Warning &warning : trace.warnings)
        warnings.push_back(&warning);
    std::stable_partition(warnings.begin(), warnings.end(),
                          [](const Warning *w) { return w->severity == Warning::Severity::DataLoss; });
    for (std::size_t i = 0; i < warnings.size(); ++i) {
        if (i == mostWarnings) {
            out << "  … and " << describeCount(warnings.size() - mostWarnings) << " more (all of them: --json)\n";
            break;
        }
        writeWrapped(out, "  ", (warnings[i]->place.empty() ? "" : warnings[i]->place + ": ") + warnings[i]->message);
    }
    out << '\n';
}

/// The job still hangs: how to get into it.
void writeAttachable(std::ostream &out, const Report &report) {
    const std::vector<Attachable> processes = attachable(*report.trace, report.verdict);
    if (processes.empty())
        return;
    out << "Still running\n";
    for (const Attachable &process : processes)
        writeWrapped(out, "  ",
                     "rank " + std::to_string(process.rank) + (process.host.empty() ? "" : ", on " + printable(process.host)) +
                         ": " + process.command);
    out << '\n';
}

} // namespace

void writeText(std::ostream &out, const Report &report, const ReportSlice *slice) {
    const Verdict &verdict = report.verdict;
    writeHeader(out, report);
    const bool slow = isSlow(verdict.facts.kind);
    writeWrapped(out, "",
                 slow ? "Slow. " + headlineOf(verdict.facts) + '.'
                      : capitalised(std::string(name(verdict.state))) + ". " + verdict.summary);
    if (slow)
        writeWrapped(out, "", verdict.summary);
    if (verdict.state != Verdict::State::Finished || verdict.fromDamaged) // that a job has ended needs no confidence
        out << "Confidence " << describeConfidence(verdict.confidence) << ".\n";
    out << '\n';
    if (const std::string why = reasonByWaits(verdict, report.waits.verdict);
        !why.empty() && verdict.state != Verdict::State::Finished) {
        out << "Why\n";
        writeWrapped(out, "  ", why);
        if (report.since)
            writeWrapped(out, "  ",
                         "It has been so since " + describeDuration(report.trace->seconds(*report.since)) + ", " +
                             describeDuration(report.trace->durationSeconds() - report.trace->seconds(*report.since)) +
                             " before the end.");
        out << '\n';
    }
    writeAttachable(out, report);
    if (report.choice.progress && !report.progress.nodes.empty())
        writeNodes(out, report);
    if (slice != nullptr)
        writeSlice(out, *report.trace, *slice);
    writeDivergence(out, report);
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    if (report.delays && (moves || report.delays->standsOut)) // for a hung job the waits above are the answer
        writeDelays(out, *report.trace, *report.delays);
    if (moves && report.delays)
        writeAlwaysLast(out, report.alwaysLast, report.delays->total);
    writeRepeatedMessages(out, report.repeated);
    if (report.models)
        writeSemiMarkov(out, *report.trace, *report.models, report.verdict,
                        {report.choice.phases, report.choice.clusters, report.choice.transitions});
    if (report.outliers && report.choice.failStop)
        writeFailStop(out, *report.trace, report.outliers->failStop);
    if (report.outliers && report.choice.outliers)
        writeOutliers(out, *report.trace, *report.outliers);
    if (report.units)
        writeUnits(out, *report.trace, *report.units);
    writeRaces(out, report);
    writeClocks(out, report);
    if (report.choice.progress)
        writeUncertainties(out, report);
    writeWarnings(out, *report.trace);
}

} // namespace laggard
