// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-watch: what laggard-record --on-hang starts beside the first process of each node.
#include "app/watch/Watcher.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <sched.h>

using namespace laggard::watch;

namespace {

/// Launchers bind a rank to a processor of its own, which the rank of this one's starter needs itself.
void useAllProcessors() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
        CPU_SET(i, &all);
    static_cast<void>(::sched_setaffinity(0, sizeof all, &all)); // the system leaves out those that the job may not use
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Watches a job for laggard-record --on-hang", "laggard-watch");
    WatchRequest request;
    std::string timeout;
    bool isFirst = false;
    app.add_option("folder", request.folder)->required();
    app.add_option("job", request.job)->required();
    app.add_option("--action", request.action)->required();
    app.add_option("--analyzer", request.analyzer)->required();
    app.add_option("--starter", request.starter)->required();
    app.add_option("--device", request.errors.device)->required();
    app.add_option("--file", request.errors.number)->required();
    app.add_option("--hang-timeout", request.hangTimeout);
    app.add_flag("--first", isFirst);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    useAllProcessors();
    const std::int32_t starter = request.starter;
    const FileIdentity errors = request.errors;
    try {
        Watcher(std::move(request)).run();
        return 0;
    } catch (const std::exception &failure) {
        if (isFirst)
            writeToJobErrors({starter}, errors,
                             std::string("laggard-record: the job is not watched for hangs: ") + failure.what() + ".\n");
        return 1;
    }
}
