// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-explore: runs a job in other orders of its racing messages, and tells what became of each.
#include "app/analyze/StopOnSignal.h"
#include "app/explore/Explorer.h"
#include "trace/NumberText.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace laggard;

namespace {

class UsageWithCommand : public CLI::Formatter {
  public:
    std::string make_usage(const CLI::App *, std::string) const override {
        return "Usage: laggard-explore -o DIR [OPTIONS] -- mpiexec -n RANKS laggard-record -- PROGRAM [ARGUMENTS…]\n\n";
    }
};

/// Options, or the status with which to leave at once.
int readOptions(int argc, char **argv, explore::ExploreOptions &options) {
    CLI::App app("Runs an MPI job in other orders of its racing messages, one exchange at a time (docs/replay.md)",
                 "laggard-explore");
    app.formatter(std::make_shared<UsageWithCommand>());
    app.add_option("-o,--output", options.folder, "New folder for the recordings of all runs")->required()->type_name("DIR");
    app.add_option("--recording", options.recording, "Begin with the order of this recording")
        ->check(CLI::ExistingPath)
        ->type_name("RECORDING");
    app.add_option("--runs", options.runs, "At most so many exchanges (default: 50)")->type_name("NUMBER");
    app.add_option("--time", options.seconds, "Begin no run after so long (default: 600)")
        ->check(CLI::NonNegativeNumber)
        ->check(notANumber)
        ->type_name("SECONDS");
    constexpr double leastLimit = 0.001, mostLimit = 1e9; // seconds: a millisecond, thirty years
    app.add_option("--limit", options.limit, "A run that takes longer hangs (default: 5 times the first run, at least 10)")
        ->check(CLI::Range(leastLimit, mostLimit))
        ->check(notANumber)
        ->type_name("SECONDS");
    app.set_version_flag("--version", "laggard-explore " LAGGARD_VERSION);
    app.prefix_command();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    options.command = app.remaining(true);
    if (!options.command.empty() && options.command.front() == "--")
        options.command.erase(options.command.begin());
    if (!options.command.empty())
        return -1;
    std::fputs("laggard-explore: no command is given: laggard-explore -o DIR -- mpiexec -n 4 laggard-record -- ./app\n", stderr);
    return 2;
}

void showProgress(std::size_t run, std::size_t most, const std::string &what) {
    if (::isatty(2) == 0)
        return;
    constexpr std::size_t width = 20;
    const std::size_t full = most == 0 ? width : std::min(width, run * width / most);
    std::fprintf(stderr, "\r\033[K[%s%s] run %zu of %zu: %s", std::string(full, '#').c_str(),
                 std::string(width - full, '.').c_str(), run, most, what.c_str());
}

} // namespace

int main(int argc, char **argv) {
    constexpr int interrupted = 130;
    explore::ExploreOptions options;
    if (const int status = readOptions(argc, argv, options); status >= 0)
        return status;
    const std::string folder = options.folder;
    StopOnSignal stop(interrupted);
    try {
        const explore::Exploration exploration = explore::Explorer(std::move(options), showProgress, stop.token()).explore();
        if (::isatty(2) != 0)
            std::fputs("\r\033[K", stderr);
        const std::string path = folder + "/explore.txt";
        std::ofstream kept(path);
        for (std::ostream *out : {static_cast<std::ostream *>(&std::cout), static_cast<std::ostream *>(&kept)}) {
            if (!exploration.problem.empty())
                *out << "laggard-explore: " << exploration.problem << '\n';
            writeTable(*out, exploration);
            out->flush();
        }
        kept.close();
        if (!kept) {
            const int reason = errno;
            std::remove(path.c_str());
            if (exploration.problem.empty())
                std::fprintf(stderr, "laggard-explore: \"%s\" cannot be written: %s.\n", path.c_str(), std::strerror(reason));
        }
        return exploration.isCancelled ? interrupted : exploration.problem.empty() ? 0 : 1;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "laggard-explore: %s\n", failure.what());
        return 1;
    }
}
