// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-replay-plan: reads a recording for laggard-record --replay, which starts it, and writes the plan of each rank.
#include "app/replay/ReplayPlans.h"
#include "trace/recording/ReplayPlan.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace laggard;

namespace {

void writePlans(const std::vector<std::string> &plans, const std::filesystem::path &folder) {
    const auto planOf = [&](std::size_t rank) { return folder / (std::to_string(rank) + recording::replay::planSuffix); };
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        errno = 0;
        std::ofstream file(planOf(rank), std::ios::binary | std::ios::trunc);
        file << plans[rank];
        file.close();
        if (file)
            continue;
        const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
        // Without all of them nothing is replayed; and the other ranks are told through a file, which needs room as well.
        for (std::size_t written = 0; written <= rank; ++written)
            std::filesystem::remove(planOf(written), error);
        throw replay::ReplayError('"' + planOf(rank).string() + "\" cannot be written" + reason + '.');
    }
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Writes what laggard-record --replay follows", "laggard-replay-plan");
    replay::ReplayRequest request;
    std::string folder;
    std::string exchange;
    app.add_option("recording", request.recording)->required();
    app.add_option("folder", folder)->required();
    app.add_option("--exchange", exchange);
    app.add_option("--ranks", request.ranks);
    app.add_option("--program", request.program);
    app.add_option("--wait", request.waitSeconds);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    ::umask(077); // as recordings are: for their owner only
    try {
        if (!exchange.empty()) {
            request.exchange = replay::readExchange(exchange);
            if (!request.exchange)
                throw replay::ReplayError(
                    "--exchange takes RANK:CALL=SENDER:CALL, as laggard-analyze --only races lists them, and not \"" + exchange +
                    "\".");
        }
        writePlans(replay::makePlans(request, {}), folder);
        return 0;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "laggard-record: %s\n", failure.what());
        return 1;
    }
}
