// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Messages.h"
#include "slice/Stacks.h"
#include "slice/units/CompileDatabase.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/ScratchFolder.h"

namespace laggard::test {

void takeStackFile(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("stack", bytes);
    readOrRefuse([&] { static_cast<void>(readStackFile(path)); });
}

void takeMessagesFile(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("messages.json", bytes);
    readOrRefuse([&] { static_cast<void>(readMessagesFile(path)); });
}

void takeCompileDatabase(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("compile_commands.json", bytes);
    readOrRefuse([&] {
        const CompileDatabase database(path, {{"/b", "/elsewhere"}}, std::chrono::steady_clock::time_point::max());
        for (const CompileUnit &unit : database.units())
            static_cast<void>(database.completed(unit));
    });
}

std::vector<std::string> stackFileSeeds() {
    return {"# ranks 0-2,4-15\nMPI_Recv\ncompute_flux stencil.c:44\nstep(int, char const*) src/step.cpp:12\nmain stencil.c:90\n",
            "f.constprop.0 a.c:1\nmain._omp_fn.1 a.c\n"};
}

std::vector<std::string> messagesFileSeeds() {
    return {R"({"more":[1],"messages":[{"kind":"p2p","to":"3","receive":["get a.c:31","main a.c:60"],"from":"2",)"
            R"("send":["put a.c:27","main a.c:61"],"count":7},{"kind":"collective","receive":["f a.c:1"],"send":["g"]}]})"};
}

std::vector<std::string> compileDatabaseSeeds() {
    return {R"([{"directory":"/b","file":"x/a.c","arguments":["cc","-Ii","-isystem","/i","-DA=1","-std=c11","-c","x/a.c"]},)"
            R"({"directory":"/b","file":"/s/a.cc","command":"g++ '-DA=\"x y\"' -include z.h @words -fopenmp -o a.o a.cc"}])"};
}

} // namespace laggard::test
