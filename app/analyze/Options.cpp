// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Options.h"

#include "views/graph/ExportPicture.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>

namespace laggard {
namespace {

std::string checkPicture(const std::string &file) {
    return isPictureFile(file) ? std::string() : "\"" + file + "\" must end in .svg, .png, .pdf or .dot";
}

std::string checkFileName(const std::string &file) { return file.empty() ? "the name of the file is empty" : ""; }

std::string checkRanks(const std::string &text) {
    try {
        if (!parseRanges(text).empty())
            return {};
    } catch (const std::invalid_argument &) {
        // said below
    }
    return "\"" + text + "\" is not a list of ranks (0-99,128)";
}

/// "FROM:TO" in seconds; nothing if it is not.
std::optional<SecondsRange> parseWindow(const std::string &text) {
    const std::size_t colon = text.find(':');
    SecondsRange window;
    if (colon == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, colon), window.begin) ||
        !CLI::detail::lexical_cast(text.substr(colon + 1), window.end) || !std::isfinite(window.end) || !(window.begin >= 0) ||
        !(window.begin < window.end))
        return std::nullopt;
    return window;
}

std::string checkWindow(const std::string &text) {
    return parseWindow(text) ? std::string() : "\"" + text + "\" is not a time FROM:TO in seconds from the start of the trace";
}

std::string checkSeconds(const std::string &text) {
    double seconds = 0;
    if (!CLI::detail::lexical_cast(text, seconds) || !std::isfinite(seconds) || seconds < 0)
        return "\"" + text + "\" is not a time in seconds from the start of the trace";
    return {};
}

} // namespace

ParsedOptions parseAnalyzeOptions(int argc, char **argv) {
    AnalyzeOptions options;
    double atSeconds = 0;
    CLI::App app("Finds out which task of a parallel job made the least progress, from the trace the job left behind.",
                 "laggard-analyze");
    app.set_version_flag("--version", "laggard-analyze " LAGGARD_VERSION);
    app.add_option("trace", options.trace, "Trace: its anchor file (traces.otf2), another of its files, or the folder it lies in")
        ->required()
        ->type_name("TRACE");
    CLI::Option *at =
        app.add_option("--at", atSeconds, "Look at this moment, in seconds from the start of the trace (default: its end)")
            ->type_name("SECONDS")
            ->check(checkSeconds);
    std::string ranks;
    std::string window;
    app.add_option("--ranks", ranks, "Read the events of these ranks only (0-99,128)")->type_name("RANKS")->check(checkRanks);
    app.add_option("--window", window, "Read only what overlaps this time, in seconds from the start of the trace")
        ->type_name("FROM:TO")
        ->check(checkWindow);
    app.add_option("--only", options.only, "Analyses to run, separated by commas (there is one: progress; default: all)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::IsMember({"progress"}));
    app.add_option("--json", options.json,
                   "Write the report as JSON; \"-\" writes it to standard output and the text to standard error")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--pdg", options.pdg, "Draw the progress-dependence graph; .svg, .png, .pdf or .dot, by the name's ending")
        ->type_name("FILE")
        ->check(checkPicture);
    app.add_option("--report", options.html, "Write the report as one HTML page with graph and timeline")
        ->type_name("FILE.html")
        ->check(checkFileName);
    app.add_option("--threads", options.threads, "Number of threads (default: as many as the machine has)")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    app.footer("Exit status: 0 analysed, whatever was found; 1 the input is unreadable; 2 wrong usage or output that cannot be "
               "written.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &wanted) {
        return {std::nullopt, app.exit(wanted)};
    } catch (const CLI::ParseError &mistake) {
        app.exit(mistake);
        return {std::nullopt, exitUsage};
    }
    if (at->count() != 0)
        options.atSeconds = atSeconds;
    if (!ranks.empty())
        options.part.ranks = parseRanges(ranks);
    if (!window.empty())
        options.part.time = parseWindow(window);
    if (options.atSeconds && options.part.time && (atSeconds < options.part.time->begin || atSeconds > options.part.time->end)) {
        std::cerr << "--at: " << atSeconds << " s is not in the time that is to be read (--window " << window << ")\n";
        return {std::nullopt, exitUsage};
    }
    return {options, exitAnalysed};
}

} // namespace laggard
