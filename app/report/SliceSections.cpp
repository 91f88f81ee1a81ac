// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/SliceSections.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/SliceWords.h"
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostHtmlSteps = 100; // a table that nobody reads to its end

/// "rank 3, in compute_flux (stencil.c:41)".
std::string whereOf(const ReportSlice &slice) {
    std::string text = describeRankSet(slice.ranks);
    if (slice.at.empty())
        return text;
    const Frame &frame = slice.at.front();
    text += ", in " + frame.function;
    if (!frame.file.empty())
        text += " (" + frame.file.substr(frame.file.find_last_of('/') + 1) + ':' + std::to_string(frame.line) + ')';
    return text;
}

/// Code is lined up with blanks, which say nothing where lines are wrapped.
std::string onOneBlank(const std::string &code) {
    std::string text;
    for (const char c : code)
        if (const char shown = c == '\t' ? ' ' : c; shown != ' ' || (!text.empty() && text.back() != ' '))
            text += shown;
    return text;
}

/// A step's first line has its number in the margin.
void writeNumbered(std::ostream &out, std::size_t number, const std::string &unsafe) {
    const std::string indent = "       ";
    std::ostringstream lines;
    writeWrapped(lines, indent, unsafe);
    std::string head = std::to_string(number) + ". ";
    head.insert(0, indent.size() - std::min(indent.size(), head.size()), ' ');
    out << head << lines.str().substr(std::min(indent.size(), lines.str().size()));
}

/// The ranks of the line if they are not those of the line before; empty where they are the same, or not told.
std::string ranksAt(const Trace &trace, const Slice &slice, std::size_t i) {
    const RankRanges &ranks = slice.lines[i].ranks;
    if (ranks.empty() || (i > 0 && slice.lines[i - 1].ranks == ranks))
        return {};
    return describeRankSet(spelledOut(ranks, trace.processes.size()));
}

} // namespace

void writeSlice(std::ostream &out, const Trace &trace, const ReportSlice &report) {
    out << "How it came to that\n";
    if (!report.slice) {
        writeWrapped(out, "  ", report.problem);
        out << '\n';
        return;
    }
    const Slice &slice = *report.slice;
    writeWrapped(out, "  ", "Lines that made it stop, nearest first: " + whereOf(report) + '.');
    const std::size_t shown = std::min(report.steps, slice.lines.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const SliceLine &line = slice.lines[i];
        writeNumbered(out, i + 1, placeOf(line) + (line.code.empty() ? "" : ": " + onOneBlank(line.code)));
        const std::string ranks = i == 0 ? std::string() : ranksAt(trace, slice, i);
        writeWrapped(out, "       ",
                     (ranks.empty() ? "" : "on " + ranks + ", ") + std::string(name(line.reason)) + ": " + describeReason(line));
    }
    if (slice.lines.empty())
        writeWrapped(out, "  ", "Nothing in the program decides it.");
    if (shown < slice.lines.size())
        out << "  … and " << plural(slice.lines.size() - shown, "more step") << " (all of them: --json, or --slice "
            << slice.lines.size() << ")\n";
    if (slice.truncated)
        writeWrapped(out, "  ", "There was no time for the whole slice: it may have more lines (--slice-timeout).");
    for (const std::string &warning : slice.warnings)
        writeWrapped(out, "  ", warning);
    out << '\n';
}

Json sliceJson(const Trace &trace, const Slice &slice) {
    Json lines = Json::array();
    for (std::size_t i = 0; i < slice.lines.size(); ++i) {
        const SliceLine &line = slice.lines[i];
        Json entry{
            {"file", line.file},         {"line", line.line}, {"distance", line.distance}, {"why", name(line.reason)},
            {"variable", line.variable}, {"step", i + 1},     {"function", line.function}, {"detail", describeReason(line)},
            {"code", line.code}};
        if (!line.ranks.empty())
            entry["ranks"] = formatRanges(spelledOut(line.ranks, trace.processes.size()));
        lines.push_back(std::move(entry));
    }
    return {{"schema", "laggard.slice/1"}, {"lines", lines}, {"truncated", slice.truncated}, {"warnings", slice.warnings}};
}

void addSliceSection(Json &report, const Trace &trace, const ReportSlice &slice) {
    if (!slice.slice)
        return;
    Json section = sliceJson(trace, *slice.slice);
    section["ranks"] = formatRanges(slice.ranks);
    section["stack"] = Json::array();
    for (const Frame &frame : slice.at) {
        Json entry{{"function", frame.function}};
        if (!frame.file.empty()) {
            entry["file"] = frame.file;
            entry["line"] = frame.line;
        }
        section["stack"].push_back(std::move(entry));
    }
    report["slice"] = std::move(section);
}

void writeHtmlSlice(std::ostream &out, const Trace &trace, const ReportSlice &report) {
    if (!report.slice || report.slice->lines.empty())
        return;
    const Slice &slice = *report.slice;
    out << "<h2>How it came to that</h2>\n<p>Lines that made it stop, nearest first: " << escaped(whereOf(report))
        << ".</p>\n<table><tr><th>Step</th><th>Ranks</th><th>Line</th><th>Code</th><th>Why</th></tr>\n";
    const std::size_t shown = std::min(mostHtmlSteps, slice.lines.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const SliceLine &line = slice.lines[i];
        out << "<tr><td>" << i + 1 << "</td><td>" << escaped(ranksAt(trace, slice, i)) << "</td><td><code>"
            << escaped(placeOf(line)) << "</code><br><span class=\"soft\">" << escaped(line.function) << "</span></td><td><code>"
            << escaped(line.code) << "</code></td><td>" << name(line.reason) << ": " << escaped(describeReason(line))
            << "</td></tr>\n";
    }
    out << "</table>\n";
    if (shown < slice.lines.size())
        out << "<p class=\"soft\">And " << plural(slice.lines.size() - shown, "more step") << ".</p>\n";
    if (slice.truncated)
        out << "<p class=\"soft\">There was no time for the whole slice.</p>\n";
    for (const std::string &warning : slice.warnings)
        out << "<p class=\"soft\">" << escaped(warning) << "</p>\n";
}

} // namespace laggard
