// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/ProgramUnits.h"

#include "slice/units/BitcodeCache.h"
#include "slice/units/MpiWrapper.h"
#include "slice/units/NeededUnits.h"
#include "slice/units/UnitCompiler.h"
#include "slice/units/UnitSearch.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sys/stat.h>

namespace laggard {
namespace {

using Clock = std::chrono::steady_clock;

/// So many are compiled without asking which are needed: two processors take some seconds for them (bench/README.md).
constexpr std::size_t fewUnits = 64;
/// Sentences about units; what follows is counted.
constexpr std::size_t mostSentences = 10;
/// `mpicc -show` takes some milliseconds.
constexpr std::chrono::milliseconds mpiPatience{2000};

std::int64_t modifiedAt(const std::string &file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 ? std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec : 0;
}

/// Folders of headers that the units name, each once.
std::vector<std::string> headerFolders(const std::vector<CompileUnit> &units) {
    std::set<std::string> folders;
    for (const CompileUnit &unit : units)
        for (std::size_t i = 0; i + 1 < unit.switches.size(); ++i)
            if (unit.switches[i] == "-I" || unit.switches[i] == "-iquote" || unit.switches[i] == "-isystem")
                folders.insert(unit.switches[i + 1]);
    return {folders.begin(), folders.end()};
}

class Preparation {
  public:
    Preparation(const UnitRequest &request, const FoundUnits &found, const std::stop_token &stop)
        : m_request(request),
          m_found(found),
          m_stop(stop),
          m_cache(request.cache),
          m_compiler(request.compiler, m_cache, headerFolders(found.units)) {}

    ProgramUnits prepare() {
        m_result.warnings = m_found.warnings;
        m_result.bitcode = m_request.bitcode;
        if (!m_found.units.empty() && m_request.compiler.empty())
            warn("Clang 14 is not here, which sources are compiled with for slices (Debian package clang-14).");
        else if (!m_found.units.empty()) {
            askForMpi();
            compileAll();
            say();
            m_cache.trim();
        }
        return std::move(m_result);
    }

  private:
    /// Where MPI's headers are is often known to the compiler that was called (mpicc) alone. Folders of the unit's own come
    /// first.
    void askForMpi() {
        for (const CompileUnit &unit : m_found.units) {
            if (m_mpi.contains(unit.language))
                continue;
            std::vector<std::string> switches = mpiSwitches(unit.language, m_request.searchPath, mpiPatience, m_stop);
            std::ranges::replace(switches, "-I", "-idirafter");
            m_mpi.emplace(unit.language, std::move(switches));
        }
    }
    [[nodiscard]] CompileUnit completed(std::size_t index) const {
        CompileUnit unit = m_found.database ? m_found.database->completed(m_found.units[index]) : m_found.units[index];
        const auto mpi = m_mpi.contains(unit.language) ? m_mpi.find(unit.language) : m_mpi.begin(); // C compiled as C++
        if (mpi != m_mpi.end())
            unit.switches.insert(unit.switches.end(), mpi->second.begin(), mpi->second.end());
        return unit;
    }
    void compileAll() {
        m_compilations.resize(m_found.units.size());
        if (m_found.units.size() <= fewUnits) {
            std::vector<std::size_t> all(m_found.units.size());
            std::iota(all.begin(), all.end(), 0);
            compile(all);
            return;
        }
        NeededUnits needed(m_found, m_request.stacks, m_request.until);
        std::vector<std::size_t> batch = needed.first();
        if (batch.empty())
            warn("Of " + plural(m_found.units.size(), "unit") + " none seems to define a function of the stacks.");
        while (!batch.empty() && Clock::now() < m_request.until) {
            compile(batch);
            for (const std::size_t index : batch)
                needed.compiled(m_compilations[index].bitcode);
            batch = needed.next();
        }
    }
    void compile(const std::vector<std::size_t> &batch) {
        const Work work{m_stop, {}, m_request.threads};
        forEachParallel(batch.size(), work, [&](std::size_t i, unsigned) {
            m_compilations[batch[i]] = m_compiler.compile(completed(batch[i]), m_request.until, m_stop);
        });
        m_asked.insert(m_asked.end(), batch.begin(), batch.end());
    }
    /// Sorts what came out, and says what did not.
    void say() {
        std::vector<std::string> failed;
        std::vector<std::string> newer;
        std::size_t late = 0;
        std::sort(m_asked.begin(), m_asked.end());
        for (const std::size_t index : m_asked) {
            Compilation &made = m_compilations[index];
            const std::string &source = m_found.units[index].source;
            late += made.kind == Compilation::Kind::OutOfTime ? 1 : 0;
            m_result.cached += made.kind == Compilation::Kind::Cached ? 1 : 0;
            m_result.compiled += made.kind == Compilation::Kind::Compiled ? 1 : 0;
            if (made.kind == Compilation::Kind::Failed)
                failed.push_back('"' + source + "\" does not compile and is left out: " + made.error + '.');
            if (made.bitcode.empty())
                continue;
            m_result.bitcode.push_back(made.bitcode);
            m_result.sources.push_back(source);
            if (made.held)
                m_result.held.push_back(std::move(*made.held));
            if (m_found.built != 0 && modifiedAt(source) > m_found.built)
                newer.push_back('"' + source + "\" is newer than the program: its lines may not be those that ran.");
        }
        warnAll(failed, "does not compile", "do not compile");
        warnAll(newer, "is newer than the program", "are newer than the program");
        if (late != 0) {
            m_result.truncated = true;
            warn(
                "The time was not enough to compile " + plural(late, "unit") + " of " + std::to_string(m_asked.size()) +
                (m_cache.warning().empty() && !m_request.cache.empty() ? "; what is compiled is kept for the next slice." : "."));
        }
        if (!m_cache.warning().empty())
            warn(m_cache.warning());
    }
    void warnAll(const std::vector<std::string> &sentences, const std::string &one, const std::string &several) {
        const std::size_t most = std::min(sentences.size(), mostSentences);
        m_result.warnings.insert(m_result.warnings.end(), sentences.begin(),
                                 sentences.begin() + static_cast<std::ptrdiff_t>(most));
        if (const std::size_t more = sentences.size() - most; more != 0)
            warn("So it is with " + plural(more, "further unit") + ", which " + (more == 1 ? one : several) + '.');
    }
    void warn(std::string sentence) { m_result.warnings.push_back(std::move(sentence)); }

    const UnitRequest &m_request;
    const FoundUnits &m_found;
    const std::stop_token &m_stop;
    BitcodeCache m_cache;
    UnitCompiler m_compiler;
    std::map<Language, std::vector<std::string>> m_mpi;
    std::vector<Compilation> m_compilations; ///< by unit
    std::vector<std::size_t> m_asked;        ///< units that were to be compiled
    ProgramUnits m_result;
};

} // namespace

ProgramUnits prepareUnits(const UnitRequest &request, const std::stop_token &stop) {
    const FoundUnits found = findUnits(request);
    return Preparation(request, found, stop).prepare();
}

} // namespace laggard
