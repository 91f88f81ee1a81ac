// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/MpiWrapper.h"

#include "slice/units/BoundedProcess.h"
#include "slice/units/CommandLine.h"
#include "slice/units/MemoryFile.h"

#include <array>
#include <unistd.h>

namespace laggard {
namespace {

constexpr std::uint64_t mostOutput = 65536; // a command line; wrappers say some hundred bytes

/// The wrapper belongs to the user's installation: modules of a cluster set what it needs.
std::vector<std::string> ownEnvironment() {
    std::vector<std::string> variables;
    for (char **variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
        variables.emplace_back(*variable);
    return variables;
}

std::string wrapperOf(Language language, const std::string &searchPath) {
    const std::array names =
        language == Language::Cxx ? std::array{"mpicxx", "mpic++", "mpicc"} : std::array{"mpicc", "mpicc.mpich", "mpicc.openmpi"};
    for (const char *name : names)
        if (std::string path = findProgram(name, searchPath); !path.empty())
            return path;
    return {};
}

} // namespace

std::vector<std::string> mpiSwitches(Language language, const std::string &searchPath, std::chrono::milliseconds patience,
                                     const std::stop_token &stop) {
    const std::string wrapper = wrapperOf(language, searchPath);
    if (wrapper.empty())
        return {};
    const MemoryFile output;
    const MemoryFile errors;
    const ProcessLimits limits{std::chrono::steady_clock::now() + patience, 0, mostOutput};
    const ChildEnd end =
        runBounded({wrapper, "-show"}, ownEnvironment(), {output.descriptor(), errors.descriptor()}, limits, stop);
    if (end.kind != ChildEnd::Kind::Exited || end.number != 0)
        return {};
    return safeSwitches(wordsOf(output.content(mostOutput)), "/").kept;
}

} // namespace laggard
