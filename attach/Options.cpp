// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Options.h"

#include "trace/NumberText.h"

#include <CLI/CLI.hpp>

namespace laggard::attach {

ParsedAttachCommand parseAttachCommand(int argc, char **argv) {
    AttachCommand command;
    CLI::App app("Takes the stacks of a job that runs or hangs and that nobody recorded, and writes them for laggard and "
                 "laggard-analyze. Without --pid and --launcher: of the only job of this user on this machine.",
                 "laggard-attach");
    app.set_version_flag("--version", "laggard-attach " LAGGARD_VERSION);
    CLI::Option *pids = app.add_option("-p,--pid", command.pids, "Processes that are ranks, in their order")
                            ->type_name("PID")
                            ->check(CLI::Range(1, 4194304));
    app.add_option("-l,--launcher", command.launcher, "The process that started them, such as mpiexec: all ranks below it")
        ->type_name("PID")
        ->check(CLI::Range(1, 4194304))
        ->excludes(pids);
    CLI::Option *cores =
        app.add_option("-c,--core", command.cores, "Core files of the ranks, in their order if they do not tell their rank")
            ->type_name("FILE")
            ->excludes(pids);
    app.add_option("--exe", command.executable, "With --core: the program, where it is not where the core files say")
        ->type_name("FILE")
        ->needs(cores);
    app.add_option("--sysroot", command.sysroot, "With --core: the folder with the programs and libraries of their machine")
        ->type_name("FOLDER")
        ->needs(cores);
    CLI::Option *job =
        app.add_option("-j,--job", command.slurmJob,
                       "A job of Slurm: this program starts itself on its nodes by srun --overlap. OUT is a folder")
            ->type_name("SLURMID")
            ->check(CLI::NonNegativeNumber)
            ->excludes(pids)
            ->excludes(cores);
    CLI::Option *hosts = app.add_option("--hosts", command.hosts,
                                        "A file with a node on each line: this program starts itself there. OUT is a folder")
                             ->type_name("FILE")
                             ->check(CLI::ExistingFile)
                             ->excludes(pids)
                             ->excludes(cores)
                             ->excludes(job);
    app.add_option("--via", command.via, "With --hosts: ssh (default) or mpiexec")
        ->type_name("HOW")
        ->check(CLI::IsMember({"ssh", "mpiexec"}))
        ->needs(hosts);
    app.add_flag("--stream", command.writesStream)->group(""); // what it calls itself with
    app.add_option("--branches", command.branches)->group("")->delimiter(',');
    app.add_option("--branch-job", command.slurmJob)->group("");
    app.add_option("--branch-via", command.via)->group("");
    app.add_option("-n,--samples", command.samples,
                   "How often to look (default: 4). From one sample nobody can tell a job that runs from one that hangs")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("-i,--interval", command.interval, "Seconds between samples (default: 0.5)")
        ->type_name("S")
        ->check(CLI::Range(0.0, 3600.0))
        ->check(notANumber);
    app.add_option("-o,--output", command.output,
                   "The model dump to write; in a folder that is there, a file named as this machine")
        ->type_name("OUT");
    try {
        app.parse(argc, argv);
        if (command.output.empty() && !command.writesStream)
            throw CLI::RequiredError("--output");
    } catch (const CLI::ParseError &error) {
        return {std::nullopt, app.exit(error) == 0 ? attachDone : attachUsage};
    }
    return {std::move(command), attachDone};
}

} // namespace laggard::attach
