// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutate/Inputs.h"

#include "app/convert/DumpText.h"
#include "app/convert/TraceDump.h"
#include "app/window/Session.h"
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"
#include "tests/support/SampleRecording.h"

#include <filesystem>

namespace laggard::test {
namespace {

namespace fs = std::filesystem;

Input recording(const std::string &folder) {
    fs::create_directory(folder);
    for (const std::int32_t rank : {0, 1})
        sampleOf(rank).write(folder + '/' + std::to_string(rank) + ".laggard");
    return {"recording", folder, {{folder + "/0.laggard", 0}, {folder + "/1.laggard", 1}}, false, true};
}

Input archive(const std::string &folder) {
    fs::create_directory(folder);
    ArchiveWriter writer(folder);
    writer.usualRegions().ranks(2).communicator(1, {1, 0}).mapRegions({0, 1, 2, 3, 4});
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
        const auto peer = static_cast<std::uint32_t>(1 - rank);
        writer.enter(rank, 10, 0);
        for (std::uint64_t t = 100; t < 5000; t += 100) {
            writer.enter(rank, t, 1).leave(rank, t + 10, 1);
            writer.enter(rank, t + 20, 2).send(rank, t + 21, peer, 7, 0, 1000).leave(rank, t + 30, 2);
            writer.enter(rank, t + 40, 3).receive(rank, t + 49, peer, 7, 0, 1000).leave(rank, t + 50, 3);
            writer.enter(rank, t + 60, 4).allreduce(rank, t + 69).leave(rank, t + 70, 4);
        }
        writer.leave(rank, 6000, 0);
    }
    writer.write();
    const std::string files = folder + "/traces";
    return {"archive",
            folder,
            {{files + ".otf2", {}}, {files + ".def", {}}, {files + "/0.evt", 0}, {files + "/1.evt", 1}, {files + "/0.def", 0}}};
}

Input callTrace(const std::string &folder) {
    fs::create_directory(folder);
    for (const char *name : {"a", "b"}) {
        std::string text = "# host n1\n# ticks-per-second 1000000\n# zero-utc 1000\n# load-address 0x1000\n";
        Tick now = 1'000'000;
        const auto line = [&](const char *kind, unsigned function) {
            text += std::string(kind) + " 0x" + std::to_string(2000 + function) + " pid " + (name[0] == 'a' ? "1" : "2") +
                    " tid 1 timestamp " + std::to_string(now += 10) + '\n';
        };
        for (unsigned round = 0; round < 100; ++round) {
            line("ENTER", round % 5);
            line("ENTER", 7);
            line("LEAVE", 7);
            line("LEAVE", round % 5);
        }
        setFileBytes(folder + '/' + name + ".trace", text);
    }
    return {"call trace", folder, {{folder + "/a.trace", 0}, {folder + "/b.trace", 1}}};
}

Input dump(const std::string &folder, const std::string &trace) {
    fs::create_directory(folder);
    const std::string path = folder + "/job.model";
    setFileBytes(path, dumpText(summarise(openTrace(trace, {}, {}), {}, {})));
    return {"dump", path, {{path, {}}}, false, true};
}

Input flightRecorder(const std::string &folder, bool json) {
    fs::create_directory(folder);
    writeDumps({.data = 1, .steps = 3, .fault = FlightJob::Fault::NotEnqueued, .faulty = {3}, .json = json}, folder);
    return {json ? "flight JSON" : "flight pickle", folder, {{folder + "/_dump_0", 0}, {folder + "/_dump_3", 3}}};
}

Input session(const std::string &folder) {
    fs::create_directory(folder);
    Session session;
    session.trace = "/data/run 7/traces.otf2";
    session.windowState = QByteArray("\x00\xff state", 8);
    session.notes["0-2,4-15 MPI_Allreduce"] = "waits since 3 a.m.";
    session.colours["compute_flux"] = QColor(10, 20, 30, 200);
    session.pathMap = {{"/build/x", "/home/me/x"}, {"/a", "/b"}};
    session.hiddenFunctions = {"pack"};
    session.onlyRanks = "0-3";
    session.zoom = std::pair(0.25, 0.75);
    const std::string path = folder + "/session.json";
    setFileBytes(path, toJson(session).toStdString());
    return {"session", path, {{path, {}}}, true, true};
}

} // namespace

std::vector<Input> makeInputs(const std::string &folder) {
    std::vector<Input> inputs;
    inputs.push_back(recording(folder + "/recording"));
    inputs.push_back(archive(folder + "/archive"));
    inputs.push_back(callTrace(folder + "/calls"));
    inputs.push_back(dump(folder + "/dump", folder + "/archive"));
    inputs.push_back(flightRecorder(folder + "/flight", false));
    inputs.push_back(flightRecorder(folder + "/flight-json", true));
    inputs.push_back(session(folder + "/session"));
    return inputs;
}

} // namespace laggard::test
