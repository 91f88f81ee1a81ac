// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlReport.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/HeadlineWords.h"
#include "analysis/words/VerdictWords.h"
#include "app/report/DivergenceSections.h"
#include "app/report/HtmlSections.h"
#include "app/report/HtmlText.h"
#include "app/report/LatenessSections.h"
#include "app/report/SliceSections.h"
#include "app/report/TextLines.h"
#include "app/report/UnitSections.h"
#include "trace/Quantity.h"

#include <filesystem>
#include <ostream>

namespace laggard {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --panel: #f4f6f8; --line: #d0d7de; --bad: #a33b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a8b3bf; --paper: #14181d; --panel: #1d232a; --line: #3a434d; --bad: #ffb38a; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
h1 { font-size: 1.35rem; margin: 0 0 .3rem } h2 { font-size: 1.05rem; margin: 2rem 0 .6rem } h3 { font-size: .95rem; margin: 1.2rem 0 .4rem }
.verdict { background: var(--panel); border-left: .35rem solid var(--bad); padding: 1rem 1.2rem; font-size: 1.1rem }
.verdict.finished { border-color: #0a7d55 } .verdict.slow { border-color: #b07a00 } .verdict.running { border-color: #57606a } .soft { color: var(--soft) }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--soft) } code { font-family: ui-monospace, monospace; font-size: .93em }
.picture { background: #fff; border: 1px solid var(--line); overflow: auto; padding: .5rem } .picture svg { max-width: 100%; height: auto }
.lp { font-weight: 700 } @media print { body { max-width: none } }
)";

/// The <svg> element of an SVG document: an XML declaration or DOCTYPE has no place inside a page.
std::string_view svgElement(std::string_view document) {
    const std::size_t begin = document.find("<svg");
    return begin == std::string_view::npos ? std::string_view() : document.substr(begin);
}

std::string placeOf(const std::string &file, std::uint32_t line) {
    // Compilers record "././main.c".
    const std::string path = std::filesystem::path(file).lexically_normal().string();
    return file.empty() ? std::string() : path + (line != 0 ? ":" + std::to_string(line) : "");
}

void writeFindings(std::ostream &out, const Verdict &verdict) {
    if (verdict.findings.empty())
        return;
    out << "<h2>Findings</h2>\n<table><tr><th>Method</th><th>Ranks</th><th>Function</th><th>Source</th><th>Score</th><th>Why</"
           "th></tr>\n";
    for (const Finding &finding : verdict.findings)
        out << "<tr><td>" << escaped(finding.method) << "</td><td>" << formatRanges(finding.ranks, ", ") << "</td><td><code>"
            << escaped(finding.function) << "</code></td><td><code>"
            << (finding.isDefinition && finding.line != 0 ? "defined at " : "") << escaped(placeOf(finding.file, finding.line))
            << "</code></td><td>" << describeConfidence(finding.score) << "</td><td>" << escaped(finding.why) << "</td></tr>\n";
    out << "</table>\n";
}

void writePicture(std::ostream &out, std::string_view title, const std::string &document) {
    if (const std::string_view svg = svgElement(document); !svg.empty())
        out << "<h2>" << title << "</h2>\n<div class=\"picture\">" << svg << "</div>\n";
}

void writeStack(std::ostream &out, const std::vector<Frame> &stack) {
    for (const Frame &frame : stack) {
        out << "<code>" << escaped(frame.function) << "</code>";
        if (const std::string place = placeOf(frame.file, frame.line); !place.empty())
            out << " <span class=\"soft\">" << (frame.isDefinition && frame.line != 0 ? "defined at " : "") << escaped(place)
                << "</span>";
        out << "<br>";
    }
}

void writeGroups(std::ostream &out, const ProgressGraph &graph) {
    if (graph.nodes.empty())
        return;
    out << "<h2>Who waits for whom</h2>\n<table><tr><th>Ranks</th><th>Number</th><th>Call stack, innermost first</th><th>Waits "
           "for</th></tr>\n";
    for (std::uint32_t id = 0; id < graph.nodes.size(); ++id) {
        const ProgressNode &node = graph.nodes[id];
        out << "<tr" << (node.leastProgressed ? " class=\"lp\"" : "") << "><td>" << formatRanges(node.ranks, ", ")
            << (node.leastProgressed ? "<br>least progressed" : "") << (node.damaged ? "<br>events lost" : "") << "</td><td>"
            << describeCount(node.ranks.size()) << "</td><td>";
        writeStack(out, node.stack);
        out << "</td><td>";
        for (const ProgressEdge &edge : graph.edges)
            if (edge.from == id)
                out << (edge.dependence == ProgressEdge::Dependence::Undefined ? "order unknown: " : "")
                    << escaped(describeRankSet(graph.nodes[edge.to].ranks)) << " <span class=\"soft\">" << escaped(edge.evidence)
                    << "</span><br>";
        out << "</td></tr>\n";
    }
    out << "</table>\n";
}

void writeWarnings(std::ostream &out, const Trace &trace) {
    if (trace.warnings.empty())
        return;
    out << "<h2>What was wrong with the trace</h2>\n<table><tr><th></th><th>Where</th><th>What</th></tr>\n";
    for (const Warning &warning : trace.warnings)
        out << "<tr><td>" << (warning.severity == Warning::Severity::DataLoss ? "events lost" : "note") << "</td><td>"
            << escaped(warning.place) << "</td><td>" << escaped(warning.message) << "</td></tr>\n";
    out << "</table>\n";
}

void writeFacts(std::ostream &out, const Trace &trace) {
    out << "<h2>The trace</h2>\n<table>\n";
    const auto fact = [&out](std::string_view what, const std::string &value) {
        out << "<tr><th>" << what << "</th><td>" << escaped(value) << "</td></tr>\n";
    };
    fact("File", trace.path);
    fact("Format", trace.format + (trace.creator.empty() ? "" : ", written by " + trace.creator));
    fact("Ranks", describeCount(trace.processes.size()));
    fact("Locations", describeCount(trace.locations.size()));
    fact("Events", describeCount(trace.eventCount));
    fact("Messages", describeCount(trace.messageCount) + " matched, " + plural(trace.unmatchedSends, "send") + " and " +
                         plural(trace.unmatchedReceives, "receive") + " without their other end");
    fact("Duration", describeDuration(trace.durationSeconds()));
    out << "</table>\n";
}

} // namespace

void writeHtml(std::ostream &out, const Report &report, const ReportPictures &pictures, const ReportSlice *slice) {
    const Trace &trace = *report.trace;
    const Verdict &verdict = report.verdict;
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width\">\n<title>"
        << escaped(std::string(name(verdict.state))) << ": " << escaped(trace.path) << "</title>\n<style>" << style
        << "</style></head><body>\n";
    out << "<h1>" << escaped(trace.path) << "</h1>\n<p class=\"soft\">" << plural(trace.processes.size(), "rank") << ", ";
    if (report.dump)
        out << escaped(trace.format) << "</p>\n";
    else
        out << plural(trace.eventCount, "event") << ", " << describeDuration(trace.durationSeconds()) << "; looked at "
            << describeDuration(trace.seconds(report.progress.at)) << " from the start</p>\n";
    const bool slow = isSlow(verdict.facts.kind);
    out << "<div class=\"verdict " << (slow ? "slow" : name(verdict.state)) << "\"><b>"
        << (slow ? std::string("Slow") : capitalised(std::string(name(verdict.state)))) << ": "
        << escaped(headlineOf(verdict.facts)) << "</b><br>" << escaped(verdict.summary) << "<br><span class=\"soft\">";
    if (verdict.state != Verdict::State::Finished || verdict.fromDamaged)
        out << "Confidence " << describeConfidence(verdict.confidence) << ". ";
    const std::string why = reasonByWaits(verdict, report.waits.verdict);
    out << escaped(capitalised(why)) << (why.empty() ? "" : ".") << "</span></div>\n";
    writeFindings(out, verdict);
    writePicture(out, "Progress dependence", pictures.progressGraph);
    writePicture(out, "Timeline", pictures.timeline);
    writeGroups(out, report.progress);
    writeHtmlDivergence(out, report);
    if (slice != nullptr)
        writeHtmlSlice(out, trace, *slice);
    if (verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running)
        writeHtmlAlwaysLast(out, report.alwaysLast);
    writePicture(out, "Phases", pictures.phases);
    writePicture(out, "State model", pictures.semiMarkovModel);
    if (report.models)
        writeHtmlSemiMarkov(out, trace, *report.models, report.verdict);
    if (report.outliers && report.choice.failStop)
        writeHtmlFailStop(out, trace, report.outliers->failStop);
    if (report.outliers && report.choice.outliers)
        writeHtmlOutliers(out, *report.outliers);
    if (report.units)
        writeHtmlUnits(out, trace, *report.units);
    writeWarnings(out, trace);
    writeFacts(out, trace);
    out << "<p class=\"soft\">Made by Laggard.</p>\n</body></html>\n";
}

} // namespace laggard
