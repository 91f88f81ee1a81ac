// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Options.h"

#include "slice/units/BitcodeCache.h"
#include "trace/NumberText.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

std::string checkFileName(const std::string &file) { return file.empty() ? "the name of the file is empty" : ""; }

std::string checkPathMap(const std::string &text) {
    const std::size_t equals = text.find('=');
    return equals == std::string::npos || equals == 0 || equals + 1 == text.size() ? "\"" + text + "\" is not FROM=TO" : "";
}

/// Options that take several files take all that follow; bitcode is told by its name.
void takeBitcode(std::vector<std::string> &files, std::vector<std::string> &bitcode) {
    const auto isBitcode = [](const std::string &file) { return file.ends_with(".bc"); };
    std::ranges::copy_if(files, std::back_inserter(bitcode), isBitcode);
    std::erase_if(files, isBitcode);
}

void addOptions(CLI::App &app, SliceCommand &command, std::vector<std::string> &maps) {
    app.add_option("--stack", command.stacks,
                   "Call stacks, one file for each group of tasks, the least progressed first; a frame a line, innermost first: "
                   "\"function file:line\"")
        ->required()
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("bitcode", command.bitcode, "Bitcode of LLVM 14 with debug information, not optimised")
        ->type_name("FILE.bc")
        ->check(checkFileName);
    app.add_option("--compile-commands", command.compileCommands,
                   "How the sources are compiled: compile_commands.json (default: looked for beside and above the sources)")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--binary", command.binaries, "The program and libraries of its own, with debug information")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--source", command.sources, "Sources of the program in C and C++")->type_name("FILE")->check(checkFileName);
    app.add_option("--messages", command.messages, "Messages that the run has matched (JSON): the slice goes on at their senders")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--path-map", maps, "Folder FROM of the machine that built the program lies at TO on this one")
        ->type_name("FROM=TO")
        ->check(checkPathMap);
    app.add_option("--cache", command.cache, "Folder that keeps compiled units (default: laggard/slice in the user's cache)")
        ->type_name("DIR")
        ->check(checkFileName);
    app.add_option("--depth", command.slice.depth, "Only lines up to so many dependences away (default: all)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    app.add_flag("--thin", command.slice.thin, "Follow values only: neither pointers nor what decides about execution");
    app.add_option_function<double>(
           "--timeout",
           [&command](double seconds) { command.slice.limit = std::chrono::milliseconds(std::llround(seconds * 1000)); },
           "How long all of it may take, in seconds (default: 10); what there is then is told")
        ->type_name("S")
        ->check(CLI::Range(0.1, 86'400.0))
        ->check(notANumber);
    app.add_option("--json", command.json,
                   "Write the slice as JSON; \"-\" writes it to standard output and the text to standard error")
        ->type_name("FILE")
        ->check(checkFileName);
}

} // namespace

ParsedSliceCommand parseSliceCommand(int argc, char **argv) {
    SliceCommand command;
    std::vector<std::string> maps;
    CLI::App app("Finds the lines of a program that decide what made tasks stop where they stand: a backward slice.",
                 "laggard-slice");
    app.set_version_flag("--version", "laggard-slice " LAGGARD_VERSION);
    addOptions(app, command, maps);
    app.footer("Exit status: 0 there is a slice; 1 the input is unreadable, or nothing of it could be sliced; 2 wrong usage or "
               "output that cannot be written.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &wanted) {
        return {std::nullopt, app.exit(wanted)};
    } catch (const CLI::ParseError &mistake) {
        app.exit(mistake);
        return {std::nullopt, sliceUsage};
    }
    for (std::vector<std::string> *files : {&command.stacks, &command.binaries, &command.sources})
        takeBitcode(*files, command.bitcode);
    for (const std::string &map : maps)
        command.paths.emplace_back(map.substr(0, map.find('=')), map.substr(map.find('=') + 1));
    if (command.cache.empty())
        command.cache = userCacheFolder();
    return {command, sliceDone};
}

} // namespace laggard
