// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Attach.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/HeadlineWords.h"
#include "app/report/DivergenceSections.h"
#include "app/report/JsonSections.h"
#include "app/report/LatenessSections.h"
#include "app/report/Report.h"
#include "app/report/SliceSections.h"
#include "app/report/TimeSections.h"
#include "app/report/UnitSections.h"
#include "trace/Printable.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

Json warningsOf(const Trace &trace) {
    Json list = Json::array();
    for (const Warning &warning : trace.warnings) {
        Json entry{{"id", name(warning.id)},
                   {"severity", warning.severity == Warning::Severity::DataLoss ? "data_loss" : "note"}};
        entry["location"] = warning.location ? Json(*warning.location) : Json(nullptr);
        entry["message"] = warning.message;
        if (!warning.place.empty())
            entry["place"] = warning.place;
        entry["data_loss"] = warning.severity == Warning::Severity::DataLoss;
        for (const Warning::Datum &datum : warning.data)
            std::visit([&](const auto &value) { entry["data"][datum.key] = value; }, datum.value);
        list.push_back(std::move(entry));
    }
    return list;
}

Json traceSection(const Trace &trace) {
    Json unshown = Json::object();
    for (const auto &[kind, count] : trace.unshown)
        unshown[kind] = count;
    return {{"path", trace.path},
            {"format", trace.format},
            {"creator", trace.creator},
            {"ranks", trace.processes.size()},
            {"locations", trace.locations.size()},
            {"events", trace.eventCount},
            {"messages", trace.messageCount},
            {"unmatched_sends", trace.unmatchedSends},
            {"unmatched_receives", trace.unmatchedReceives},
            {"duration_s", trace.durationSeconds()},
            {"clock_resolution_s", static_cast<double>(trace.clock.resolution) / static_cast<double>(trace.clock.ticksPerSecond)},
            {"events_not_shown", unshown},
            {"warnings", warningsOf(trace)}};
}

Json findingOf(const Finding &finding) {
    Json entry{{"method", finding.method}, {"ranks", formatRanges(finding.ranks)}, {"function", finding.function}};
    if (!finding.file.empty()) {
        entry["file"] = finding.file;
        entry["line"] = finding.line;
        if (finding.isDefinition)
            entry["definition"] = true;
    }
    entry["score"] = finding.score;
    entry["why"] = finding.why;
    return entry;
}

/// The answer as facts: keys that are not known are left out.
Json factsOf(const HeadlineFacts &facts) {
    Json entry{{"kind", name(facts.kind)}};
    if (!facts.ranks.empty())
        entry["ranks"] = formatRanges(facts.ranks);
    if (facts.others != 0)
        entry["others"] = facts.others;
    if (!facts.function.empty())
        entry["function"] = facts.function;
    if (const std::string ending = endingOf(facts); !ending.empty())
        entry["detail"] = ending;
    const auto add = [&entry](const char *key, const std::optional<double> &value) {
        if (value)
            entry[key] = *value;
    };
    add("at_s", facts.at);
    add("duration_s", facts.seconds);
    add("usual_s", facts.usual);
    add("times_slower", facts.times);
    add("share", facts.share);
    return entry;
}

Json verdictSection(const Trace &trace, const Verdict &verdict) {
    Json findings = Json::array();
    for (const Finding &finding : verdict.findings)
        findings.push_back(findingOf(finding));
    Json section{{"state", name(verdict.state)},        {"headline", headlineOf(verdict.facts)},
                 {"facts", factsOf(verdict.facts)},     {"summary", verdict.summary},
                 {"confidence", verdict.confidence},    {"damaged_ranks_involved", verdict.fromDamaged},
                 {"rests_on_a_part", verdict.fromPart}, {"findings", findings}};
    for (const OtherThread &thread : verdict.threads) {
        const Frame place = placeOf(trace, thread.callPath, thread.site);
        Json entry{{"rank", thread.rank},
                   {"thread", trace.locations[thread.location].name},
                   {"function", trace.region(thread.callPath).name}};
        if (!place.file.empty()) {
            entry["file"] = place.file;
            entry["line"] = place.line;
        }
        entry["in_mpi"] = thread.isInMpi;
        entry["awaited"] = thread.isAwaited;
        entry["since_s"] = trace.seconds(thread.since);
        if (!thread.waitsFor.empty())
            entry["waits_for"] = formatRanges(thread.waitsFor);
        section["other_threads"].push_back(std::move(entry));
    }
    for (const Attachable &process : attachable(trace, verdict))
        section["still_running"].push_back(
            {{"rank", process.rank}, {"host", process.host}, {"pid", process.pid}, {"command", process.command}});
    return section;
}

Json stackOf(const std::vector<Frame> &stack) {
    Json frames = Json::array();
    for (const Frame &frame : stack) {
        Json entry{{"function", frame.function}};
        if (!frame.file.empty()) {
            entry["file"] = frame.file;
            entry["line"] = frame.line;
            if (frame.isDefinition)
                entry["definition"] = true;
        }
        frames.push_back(std::move(entry));
    }
    return frames;
}

Json nodeOf(const ProgressNode &node, std::size_t id) {
    const bool communication = node.kind == ModelState::Kind::Communication;
    return {{"id", id},
            {"ranks", formatRanges(node.ranks)},
            {"count", node.ranks.size()},
            {"least_progressed", node.leastProgressed},
            {"damaged", node.damaged},
            {"state",
             {{"kind", communication ? "communication" : "computation"},
              {"function", node.stack.empty() ? std::string() : node.stack.front().function},
              {"exact", node.isExact},
              {"stack", stackOf(node.stack)}}}};
}

std::string_view kindName(ProgressEdge::Kind kind) {
    return kind == ProgressEdge::Kind::Collective ? "collective" : kind == ProgressEdge::Kind::PointToPoint ? "p2p" : "loop";
}

Json edgeOf(const ProgressEdge &edge) {
    return {{"from", edge.from},
            {"to", edge.to},
            {"kind", kindName(edge.kind)},
            {"dependence", edge.dependence == ProgressEdge::Dependence::Waits ? "waits" : "undefined"},
            {"confidence", edge.confidence},
            {"observed", edge.observed},
            {"evidence", edge.evidence}};
}

Json deadlockOf(const Report &report) {
    Json calls = Json::array();
    for (const Rank rank : report.waits.verdict.ranks) {
        const CallPathId path = report.waits.activities[rank].callPath;
        calls.push_back({{"rank", rank}, {"function", path == none ? std::string() : report.trace->region(path).name}});
    }
    return {{"ranks", formatRanges(report.waits.verdict.ranks)}, {"calls", calls}};
}

Json lostMessagesOf(const Report &report) {
    Json list = Json::array();
    for (const LostMessage &lost : report.waits.verdict.lostMessages) {
        Json entry = {{"from", lost.from}, {"to", lost.to}, {"tag", lost.tag}};
        if (lost.sent != openEnd)
            entry["sent_s"] = report.trace->seconds(lost.sent);
        if (lost.callPath != none)
            entry["function"] = report.trace->region(lost.callPath).name;
        list.push_back(std::move(entry));
    }
    return list;
}

Json missingSendsOf(const Report &report) {
    Json list = Json::array();
    for (const MissingSend &missing : report.waits.verdict.missingSends) {
        list.push_back({{"from", missing.from},
                        {"to", missing.to},
                        {"due_s", report.trace->seconds(missing.due)},
                        {"function", missing.callPath == none ? std::string() : report.trace->region(missing.callPath).name},
                        {"times_before", missing.times},
                        {"confidence", missing.confidence},
                        {"evidence", missing.evidence}});
        if (missing.asked != none) {
            list.back()["answers_tag"] = missing.asked;
            list.back()["asked_received"] = missing.isAskTaken;
        }
    }
    return list;
}

const char *whyName(QueueStop::Why why) {
    switch (why) {
    case QueueStop::Why::NotEnqueued:
        return "not_enqueued";
    case QueueStop::Why::NotStarted:
        return "not_started";
    case QueueStop::Why::NotCompleted:
        return "not_completed";
    case QueueStop::Why::NoDump:
        return "no_dump";
    case QueueStop::Why::Together:
        break;
    }
    return "together";
}

Json stopsOf(const Report &report) {
    const Trace &trace = *report.trace;
    Json list = Json::array();
    for (const QueueStop &stop : report.waits.verdict.stops) {
        Json entry{{"rank", stop.rank}, {"why", whyName(stop.why)}};
        if (stop.callPath != none)
            entry["operation"] = trace.region(stop.callPath).name;
        if (stop.communicator != none)
            entry["communicator"] = trace.communicators[stop.communicator].name;
        if (stop.number != none)
            entry["number"] = std::uint64_t{stop.number} + 1;
        if (stop.peer != none)
            entry["other"] = stop.peer;
        list.push_back(std::move(entry));
    }
    return list;
}

const char *agreementName(RuleAgreement agreement) {
    switch (agreement) {
    case RuleAgreement::Same:
        return "same";
    case RuleAgreement::Part:
        return "part";
    case RuleAgreement::Other:
        return "other";
    case RuleAgreement::NoRule:
        return "waits_only";
    case RuleAgreement::OnlyRule:
        return "rule_only";
    case RuleAgreement::NobodyTold:
        break;
    }
    return "nobody";
}

Json ruleOf(const Report &report) {
    const ProgressRule &rule = report.rule;
    return {{"least_progressed", rule.leastProgressed},
            {"confidence", rule.confidence},
            {"why", rule.why},
            {"groups", rule.groups},
            {"alone", formatRanges(rule.alone)},
            {"edges", {{"collective", rule.probabilities}, {"loop", rule.loops}, {"undefined", rule.undefined}}},
            {"agreement", agreementName(agreementOf(rule, report.progress))}};
}

Json habitBreakOf(const Report &report) {
    const Trace &trace = *report.trace;
    const HabitBreak &habit = *report.waits.verdict.habitBreak;
    if (habit.isKept)
        return {{"rank", habit.rank},
                {"kept_since_s", trace.seconds(habit.time)},
                {"from", habit.did.peer},
                {"tag", habit.did.tag},
                {"received_by", habit.after == none ? std::string() : describeCall(trace, habit.after)},
                {"times", habit.times},
                {"longest_s", trace.seconds(habit.longest) - trace.seconds(0)},
                {"amongst", habit.amongst}};
    Json entry{{"rank", habit.rank},
               {"at_s", trace.seconds(habit.time)},
               {"made", describeCall(trace, habit.made)},
               {"expected", describeCall(trace, habit.expected)},
               {"times", habit.times},
               {"amongst", habit.amongst}};
    if (habit.isOneOfSeveral)
        entry["one_of_several"] = true;
    if (habit.did.peer != none)
        entry["sent_to"] = habit.did.peer;
    if (habit.usual.peer != none)
        entry["usually_to"] = habit.usual.peer;
    return entry;
}

Json progressSection(const Report &report) {
    const ProgressGraph &graph = report.progress;
    Json nodes = Json::array();
    for (std::size_t id = 0; id < graph.nodes.size(); ++id)
        nodes.push_back(nodeOf(graph.nodes[id], id));
    Json edges = Json::array();
    for (const ProgressEdge &edge : graph.edges)
        edges.push_back(edgeOf(edge));
    Json section{{"at_s", report.trace->seconds(graph.at)},
                 {"kind", name(report.waits.verdict.kind)},
                 {"least_progressed", graph.leastProgressed},
                 {"confidence", graph.confidence},
                 {"why", graph.why},
                 {"finished", formatRanges(graph.finished)},
                 {"unknown", formatRanges(graph.unknown)},
                 {"nodes", nodes},
                 {"edges", edges},
                 {"rule", ruleOf(report)}};
    if (report.since)
        section["since_s"] = report.trace->seconds(*report.since);
    // A circle at a moment after which the job went on was none.
    if (report.waits.verdict.kind == WaitForVerdict::Kind::Deadlock && report.verdict.state == Verdict::State::Hung)
        section["deadlock"] = deadlockOf(report);
    if (!report.waits.verdict.stops.empty())
        section["stops"] = stopsOf(report);
    if (const std::optional<HeldLock> &held = report.waits.verdict.heldLock) {
        section["held_lock"] = {{"rank", held->holder}, {"waiting", held->waiters}};
        if (held->takenBy != none)
            section["held_lock"]["taken_by"] = describeCall(*report.trace, held->takenBy);
    }
    if (report.waits.verdict.habitBreak)
        section["habit_break"] = habitBreakOf(report);
    if (!report.waits.verdict.missingSends.empty())
        section["missing_sends"] = missingSendsOf(report);
    if (!report.waits.verdict.lostMessages.empty() && report.verdict.state == Verdict::State::Hung)
        section["lost_messages"] = lostMessagesOf(report);
    return section;
}

Json repeatedMessagesOf(const Report &report) {
    const Trace &trace = *report.trace;
    Json list = Json::array();
    for (const RepeatedMessage &message : report.repeated)
        list.push_back({{"from", message.from},
                        {"to", message.to},
                        {"tag", message.tag},
                        {"evidence", name(message.evidence)},
                        {"sent_s", trace.seconds(message.sent)},
                        {"candidates", message.candidates},
                        {"earliest_s", trace.seconds(message.earliest)},
                        {"noticed_s", trace.seconds(message.noticed)},
                        {"function", message.callPath == none ? std::string() : trace.region(message.callPath).name},
                        {"confidence", message.confidence},
                        {"why", message.why}});
    return list;
}

} // namespace

void writeJson(std::ostream &out, const Report &report, const ReportSlice *slice) {
    Json document{{"schema", "laggard.report/1"},
                  {"trace", traceSection(*report.trace)},
                  {"verdict", verdictSection(*report.trace, report.verdict)}};
    if (report.dump)
        document["trace"]["dump"] = true;
    if (report.choice.progress)
        document["progress"] = progressSection(report);
    if (report.delays)
        addDelaySection(document, *report.trace, *report.delays);
    if (!report.alwaysLast.empty())
        addAlwaysLastSection(document, report.alwaysLast);
    if (!report.repeated.empty())
        document["repeated_messages"] = repeatedMessagesOf(report);
    if (report.models && !report.models->empty()) {
        if (report.choice.phases)
            addPhaseSection(document, *report.trace, *report.models);
        if (report.choice.clusters)
            addClusterSection(document, *report.models);
        if (report.choice.transitions)
            addTransitionSections(document, *report.trace, *report.models);
    }
    if (report.outliers && report.choice.failStop)
        addFailStopSection(document, *report.trace, report.outliers->failStop);
    if (report.outliers && report.choice.outliers)
        addOutlierSections(document, *report.outliers);
    if (report.units)
        addUnitSections(document, *report.trace, *report.units);
    if (report.divergence)
        addDivergenceSection(document, report);
    addTimeSections(document, report);
    if (slice != nullptr)
        addSliceSection(document, *report.trace, *slice);
    // Names in a trace may be in any encoding; JSON is UTF-8.
    out << printableJson(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

} // namespace laggard
