// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/automaded/AutomadedDump.h"
#include "ingest/callmodel/CallModelReader.h"
#include "ingest/calltrace/CallTrace.h"
#include "ingest/modeldump/ModelDumpReader.h"
#include "ingest/otf2/Otf2.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/ScratchFolder.h"
#include "tests/support/ArchiveWriter.h"
#include "trace/DumpCheck.h"

#include <array>
#include <fstream>
#include <iterator>

namespace laggard::test {

namespace {

/// Two ranks with messages and a collective; the second one has a send that is never received.
class HealthyArchive {
  public:
    HealthyArchive() {
        ArchiveWriter writer(m_folder.path());
        writer.usualRegions().ranks(2).communicator(1, {1, 0}).mapRegions({0, 1, 2, 3, 4});
        writer.enter(0, 10, 0).enter(0, 20, 2).send(0, 21, 1, 7, 0, 100).leave(0, 30, 2);
        writer.enter(1, 10, 0).enter(1, 20, 3).receive(1, 29, 0, 7, 0, 100).leave(1, 30, 3);
        for (const std::uint64_t rank : {0, 1})
            writer.enter(rank, 40, 4).allreduce(rank, 49).leave(rank, 50, 4);
        writer.enter(1, 60, 2).send(1, 61, 0, 8, 0, 100);
        writer.write();
        for (const char *name : names) {
            std::ifstream file(m_folder.path() + '/' + name, std::ios::binary);
            m_files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }

    static constexpr std::array names = {"traces.otf2", "traces.def", "traces/0.evt", "traces/1.evt", "traces/0.def"};
    [[nodiscard]] const std::vector<std::string> &files() const { return m_files; } ///< as `names`

    /// With one of the files replaced.
    void readWith(std::size_t which, std::string_view bytes) const {
        m_folder.write(names[which], bytes);
        readOrRefuse([&] { judgeTrace(otf2::open(m_folder.path() + "/traces.otf2", {}, oneThread())); });
        m_folder.write(names[which], m_files[which]);
    }

  private:
    ScratchFolder m_folder;
    std::vector<std::string> m_files;
};

const HealthyArchive &healthyArchive() {
    static const HealthyArchive archive;
    return archive;
}

void readDump(const std::string &text) {
    static const ScratchFolder folder;
    const std::string path = folder.write("job.model", text);
    readOrRefuse([&] { static_cast<void>(modeldump::open(path, oneThread())); });
}

} // namespace

void takeArchive(std::string_view bytes) {
    if (!bytes.empty())
        healthyArchive().readWith(static_cast<unsigned char>(bytes[0]) % HealthyArchive::names.size(), bytes.substr(1));
}

void takeCallTrace(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("a.trace", bytes);
    readOrRefuse([&] { judgeTrace(calltrace::open(path, {}, oneThread())); });
}

void takeModelDump(std::string_view bytes) {
    readDump(std::string(bytes));
    const std::size_t known = bytes.rfind(dumpCheckMember);
    const std::string text(bytes.substr(0, known == std::string_view::npos ? bytes.rfind('}') : known));
    readDump(text + std::string(dumpCheckMember) + '"' + dumpCheck(text) + "\"}\n");
}

void takeAutomadedDump(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("job.dump", bytes);
    readOrRefuse([&] { static_cast<void>(automaded::open(path, oneThread())); });
}

std::vector<std::string> archiveSeeds() {
    std::vector<std::string> seeds;
    for (const std::string &file : healthyArchive().files())
        seeds.push_back(static_cast<char>(seeds.size()) + file);
    return seeds;
}

std::vector<std::string> callTraceSeeds() {
    const std::string head = "# host n1\n# ticks-per-second 1000000\n# zero-utc 1000\n# load-address 0x1000\n";
    return {head + "ENTER 0x2001 pid 1 tid 1 timestamp 10\nENTER 0x2002 pid 1 tid 1 timestamp 20\n"
                   "LEAVE 0x2002 pid 1 tid 1 timestamp 30\nLEAVE 0x2001 pid 1 tid 1 timestamp 40\n"};
}

/// A longer one, as written from a trace, is in inputs/model-dump.
std::vector<std::string> modelDumpSeeds() {
    return {R"({"schema": "laggard.model/2", "job": {"ranks": 2, "ticks_per_second": 1000, "ticks": 100},
"functions": [{"name": "main", "file": "a.c", "line": 1}, {"name": "MPI_Recv", "mpi": true}], "sites": [["a.c", 3]],
"call_paths": [[null, 0], [0, 1, 0]],
"states": [{"kind": "start", "call_path": null}, {"kind": "communication", "call_path": 1}, {"kind": "computation", "call_path": 1}],
"models": [{"ranks": "0-1", "transitions": [[0, 1, 1], [1, 2, 9], [2, 1, 8]]}],
"tasks": [{"ranks": "0", "state": 1, "last": 1}, {"ranks": "1", "state": 2, "last": 2}]})"};
}

std::vector<std::string> automadedDumpSeeds() {
    return {"#START_DEPENDENCY_GRAPH\n0,3,\n3,0,\n#END_DEPENDENCY_GRAPH\n#START_STATES\n"
            "0:./tool.so(MPI_Recv+0x43) [0x2a]|./app(_ZN4Flow4stepEv+0x68) [0x40]|/lib/libc.so.6(__libc_start_main+0xfc) [0x2b]\n"
            "1:./app(main+0x11) [0x41]\n#END_STATES\n#START_TASK_LOC\n0:0:1\n1:1:1\n#END_TASK_LOC\n#START_SOURCE_CODE_LINES\n"
            "0,/x/wrappers.h:5|MPI_Recv|*\n/x/flow.C:38|_ZN4Flow4stepEv\n??:0|__libc_start_main\n1,/x/main.C:4|main\n"
            "#END_SOURCE_CODE_LINES\n#START_STATE_TYPES\n0:COMMUNICATION_CODE\n1:COMPUTATION_CODE\n#END_STATE_TYPES\n"};
}

void takeCallModel(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("calls.json", bytes);
    readOrRefuse([&] {
        const CallModel model = callmodel::read(path);
        CallModel twice = model;
        twice.merge(model);
        for (const CallModel::Role &role : twice.roles)
            for (const CallModel::UnitModel &unit : role.units)
                for (std::uint32_t call = 0; call < unit.calls.size(); ++call)
                    if (!(unit.probability(call) >= 0 && unit.probability(call) <= 1))
                        breakOff("probabilities of a call model lie between 0 and 1");
    });
}

std::vector<std::string> callModelSeeds() {
    return {R"({"schema":"laggard.call-model/1","runs":2,"roles":[{"signature":[["main","bind @ a.c:1"]],"processes":2,)"
            R"("loops":[["main","poll"]],"units":[{"kind":"handler","connection":[["main","accept"]],"units":8,"calls":[)"
            R"({"parent":null,"function":"f","site":"a.c:3","file":"f.c","line":1,"units":8},)"
            R"({"parent":0,"function":"recv","units":6}]}]}]})"};
}

} // namespace laggard::test
