// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/Options.h"

#include "collect/inject/Spec.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

namespace laggard::collect {

namespace {

constexpr unsigned mostReplayWait = 1'000'000'000; // seconds, thirty years: in nanoseconds they fit into 64 bits

class UsageWithProgram : public CLI::Formatter {
  public:
    std::string make_usage(const CLI::App *, std::string) const override {
        return "Usage: laggard-record [OPTIONS] -- PROGRAM [ARGUMENTS…]\n\n";
    }
};

std::string checkTimeout(const std::string &text) {
    if (text == "auto")
        return {};
    char *end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' || !(seconds >= 0 && seconds < 1e9) ? "expected seconds (0: never) or auto"
                                                                            : std::string();
}

} // namespace

int readOptions(int argc, char **argv, Options &options) {
    CLI::App app(
        "Records an MPI job, so that it can be opened even if it hangs or is killed: mpiexec -n 16 laggard-record -- ./app args",
        "laggard-record");
    app.formatter(std::make_shared<UsageWithProgram>());
    app.add_option("-o,--output", options.folder,
                   "Folder for the recording; the same for all processes (default: laggard-PROGRAM-JOBID)")
        ->type_name("DIR");
    app.add_option("--buffer", options.buffer,
                   "Events kept of each thread, in bytes, or with K, M, G: a ring of the newest (default: 16M)")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE");
    auto *libc = app.add_flag(
        "--libc", options.libc,
        "Record calls of the C library that tell of connections, events and children (select, accept, recv, fork …), of "
        "programs of any kind and all that they start, instead of MPI");
    app.add_flag("--python", options.python, "Record the functions of Python programs as well, with files and lines");
    auto *spill = app.add_flag("--spill", options.spill, "Never overwrite events; drop and count those beyond --buffer");
    app.add_flag("--pool", options.pool,
                 "Never overwrite events, however many: --buffer is shared by the process's threads, and written to the disk "
                 "while it runs; what finds no room meanwhile is counted")
        ->excludes(spill);
    app.add_option("--mode", options.mode, "What is recorded: trace (events), model (statistics only), both")
        ->check(CLI::IsMember({"trace", "model", "both"}))
        ->type_name("MODE");
    app.add_option(
           "--hang-timeout", options.hangTimeout,
           "Seconds without a transition after which a process counts as hanging (0: never); auto: from its past, at least 60 "
           "(default; with --libc 0, as daemons wait for long)")
        ->check(checkTimeout)
        ->type_name("SECONDS|auto");
    app.add_option(
           "--on-hang", options.onHang,
           "When the job hangs: write verdict.txt, report.html and report.json into DIR and say the verdict; stop: then end "
           "the job with status 79; or run a command")
        ->check([](const std::string &text) { return text.empty() ? std::string("expected analyze, stop or a command") : ""; })
        ->type_name("analyze|stop|COMMAND");
    app.add_option("--stacks", options.stacks, "Call stacks at MPI calls, or those of the C library: on, off")
        ->check(CLI::IsMember({"on", "off"}))
        ->type_name("on|off");
    app.add_option("--fingerprints", options.fingerprints, "Of the contents of messages, to see which came twice: on, off")
        ->check(CLI::IsMember({"on", "off"}))
        ->type_name("on|off");
    app.add_option("--clock-sync", options.clockSync,
                   "Measure how the machines' clocks differ, at MPI_Init and MPI_Finalize: auto (between machines), off, on (of "
                   "all ranks, to try it out)")
        ->check(CLI::IsMember({"auto", "on", "off"}))
        ->type_name("auto|on|off");
    app.add_option("--inject", options.inject, "Inject a fault, to try out tools (docs/recording.md)")
        ->check([](const std::string &text) { return parseFaultSpec(text).error; })
        ->excludes(libc)
        ->type_name("SPEC");
    auto *replay = app.add_option("--replay", options.replay,
                                  "Run as in this recording: receives from any source, probes, MPI_Waitany, MPI_Test … get what "
                                  "they got (docs/replay.md)")
                       ->check(CLI::ExistingPath)
                       ->excludes(libc)
                       ->type_name("RECORDING");
    app.add_option("--exchange", options.exchange,
                   "With --replay: up to this call, where the message of that call comes first; laggard-analyze --only races "
                   "lists them")
        ->needs(replay)
        ->type_name("RANK:CALL=SENDER:CALL");
    app.add_option(
           "--replay-wait", options.replayWait,
           "With --replay: end the job when a call of it has taken so long (0: never; default: 4 times the recording, and "
           "30 more)")
        ->check(CLI::Range(0U, mostReplayWait))
        ->needs(replay)
        ->type_name("SECONDS");
    app.add_option("--mpi", options.mpi, "The program's MPI: mpich, openmpi, auto")
        ->check(CLI::IsMember({"mpich", "openmpi", "auto"}))
        ->excludes(libc)
        ->type_name("MPI");
    app.set_version_flag("--version", "laggard-record " LAGGARD_VERSION);
    app.prefix_command();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!options.onHang.empty() && options.givesHangTimeout() && std::strtod(options.hangTimeout.c_str(), nullptr) == 0) {
        std::fputs("laggard-record: --on-hang needs hangs to be noticed, and --hang-timeout is 0 (never)\n", stderr);
        return 2;
    }
    options.command = app.remaining(true);
    if (!options.command.empty() && options.command.front() == "--")
        options.command.erase(options.command.begin());
    if (options.command.empty()) {
        std::fputs("laggard-record: no program is given: laggard-record [OPTIONS] -- PROGRAM [ARGUMENTS…]\n", stderr);
        return 2;
    }
    if (options.command.front().empty() || options.command.front().front() == '-') {
        std::fprintf(stderr, "laggard-record: there is no option %s (see --help)\n", options.command.front().c_str());
        return 2;
    }
    return -1;
}

} // namespace laggard::collect
