// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/UnitCompiler.h"

#include "slice/units/BoundedProcess.h"
#include "slice/units/HeaderSearch.h"
#include "slice/units/SourceFiles.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <system_error>

namespace laggard {
namespace {

using Clock = std::chrono::steady_clock;

/// What a compiler may take: units of some ten thousand lines of templates need up to 2 GB.
constexpr std::uint64_t mostMemory = std::uint64_t{4} << 30U;
constexpr std::uint64_t mostOutput = std::uint64_t{512} << 20U;
constexpr std::uint64_t mostMessage = 65536;
constexpr std::uint64_t mostDependencies = std::uint64_t{4} << 20U;
/// Folders of headers that may be missing of one unit, each found by a run of the compiler.
constexpr unsigned mostMissingFolders = 8;

/// GCC's default where none is said (since GCC 11); Clang 14 would take C++14.
std::string standardOf(const CompileUnit &unit) {
    const bool isCxx = unit.language == Language::Cxx;
    if (unit.standard.empty() || (unit.standard.find("++") != std::string::npos) != isCxx)
        return isCxx ? "gnu++17" : "gnu17";
    return unit.standard;
}

std::vector<std::string> argumentsFor(const std::string &program, const CompileUnit &unit, const std::vector<std::string> &more) {
    std::vector<std::string> words{program, "-x", unit.language == Language::Cxx ? "c++" : "c", "-std=" + standardOf(unit)};
    words.insert(words.end(), unit.switches.begin(), unit.switches.end());
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"-O0",
                               "-g",
                               "-fno-limit-debug-info",
                               "-Xclang",
                               "-disable-O0-optnone", // all variables stay
                               "-fdebug-compilation-dir=" + unit.folder,
                               "-Wno-everything",
                               "-ferror-limit=1",
                               "-fno-color-diagnostics",
                               "-fno-caret-diagnostics",
                               "-fno-crash-diagnostics",
                               "-fintegrated-cc1",
                               "-MD",
                               "-MF",
                               "/proc/self/fd/3",
                               "-MT",
                               "unit",
                               "-emit-llvm",
                               "-c",
                               "-o",
                               "-",
                               "--",
                               unit.source});
    return words;
}

/// The files of a rule for make ("unit: a.c b\ c.h \").
std::vector<std::string> filesOfRule(const std::string &rule) {
    std::vector<std::string> files;
    std::string file;
    const auto end = [&] {
        if (!file.empty())
            files.push_back(std::exchange(file, {}));
    };
    for (std::size_t i = std::min(rule.find(": "), rule.size()) + 1; i < rule.size(); ++i) {
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
        if (rule[i] == '\\' && next == '\n')
            ++i;
        else if ((rule[i] == '\\' && (next == ' ' || next == '#')) || (rule[i] == '$' && next == '$'))
            file += rule[++i];
        else if (rule[i] == ' ' || rule[i] == '\n')
            end();
        else
            file += rule[i];
    }
    end();
    return files;
}

/// "a.c:3:5: unknown type name 'x'" out of all that the compiler says.
std::string firstError(const std::string &messages) {
    for (std::size_t from = 0; from < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', from), messages.size());
        std::string line = messages.substr(from, end - from);
        for (const std::string_view mark : {"fatal error: ", "error: "})
            if (const std::size_t at = line.find(mark); at != std::string::npos)
                return line.erase(at, mark.size());
        from = end + 1;
    }
    return {};
}

std::string describe(const ChildEnd &end) {
    switch (end.kind) {
    case ChildEnd::Kind::NotStarted:
        return std::string("the compiler could not be started: ") + std::strerror(end.number);
    case ChildEnd::Kind::Signalled:
        return std::string("the compiler was ended by a signal (") + ::strsignal(end.number) + ")";
    default:
        return "the compiler failed without a message";
    }
}

/// Whether one of the files was written after that moment. Clocks of disks are coarse: to be sure, within the same instant
/// counts.
bool changedSince(const std::vector<std::string> &files, const timespec &moment) {
    return std::ranges::any_of(files, [&moment](const std::string &path) {
        struct stat status {};
        return ::stat(path.c_str(), &status) != 0 || status.st_mtim.tv_sec > moment.tv_sec ||
               (status.st_mtim.tv_sec == moment.tv_sec && status.st_mtim.tv_nsec > moment.tv_nsec);
    });
}

} // namespace

struct UnitCompiler::Attempt {
    ChildEnd end;
    MemoryFile bitcode, messages, rule;
};

UnitCompiler::UnitCompiler(std::string program, BitcodeCache &cache, std::vector<std::string> headerFolders)
    : m_program(std::move(program)), m_cache(cache), m_headerFolders(std::move(headerFolders)) {
    struct stat status {};
    if (::stat(m_program.c_str(), &status) == 0)
        m_identity = std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '\n';
}

UnitCompiler::Attempt UnitCompiler::attempt(const CompileUnit &unit, const std::vector<std::string> &more,
                                            Clock::time_point until, const std::stop_token &stop) {
    Attempt made;
    made.end = runBounded(argumentsFor(m_program, unit, more), {"PATH=/usr/bin:/bin", "LC_ALL=C"},
                          {made.bitcode.descriptor(), made.messages.descriptor(), made.rule.descriptor()},
                          {until, mostMemory, mostOutput}, stop);
    return made;
}

Compilation UnitCompiler::compile(const CompileUnit &unit, Clock::time_point until, const std::stop_token &stop) {
    std::string question = m_identity;
    for (const std::string &word : argumentsFor(m_program, unit, {}))
        question += word + '\0';
    Compilation result;
    if (auto cached = m_cache.find(question, m_hashes)) {
        result.kind = Compilation::Kind::Cached;
        result.bitcode = std::move(*cached);
        return result;
    }
    try {
        const Clock::time_point now = Clock::now();
        const Clock::time_point enough = now + (until - now) / 2;
        timespec start{};
        ::clock_gettime(CLOCK_REALTIME, &start);
        std::vector<std::string> more;
        Attempt made = attempt(unit, more, enough, stop);
        for (unsigned i = 0; i < mostMissingFolders && made.end.kind == ChildEnd::Kind::Exited && made.end.number != 0; ++i) {
            const std::string folder =
                folderOfMissingHeader(firstError(made.messages.content(mostMessage)), unit.source, m_headerFolders);
            if (folder.empty() || std::ranges::find(more, folder) != more.end())
                break;
            more.insert(more.end(), {"-I", folder});
            made = attempt(unit, more, enough, stop);
        }
        if (made.end.kind == ChildEnd::Kind::OutOfTime || made.end.kind == ChildEnd::Kind::Stopped) {
            result.kind = Compilation::Kind::OutOfTime;
            return result;
        }
        if (made.end.kind != ChildEnd::Kind::Exited || made.end.number != 0) {
            result.error = firstError(made.messages.content(mostMessage));
            if (result.error.empty())
                result.error = describe(made.end);
            return result;
        }
        result.kind = Compilation::Kind::Compiled;
        const std::vector<std::string> read = filesOfRule(made.rule.content(mostDependencies));
        if (!read.empty() && !changedSince(read, start))
            if (auto kept = m_cache.store(question, read, m_hashes, made.bitcode.content(mostOutput))) {
                result.bitcode = std::move(*kept);
                return result;
            }
        result.held = std::move(made.bitcode);
        result.bitcode = result.held->path();
    } catch (const std::system_error &error) {
        result.error = error.what();
    }
    return result;
}

std::string findClang(const std::string &searchPath) {
    std::string program = findProgram("clang-14", searchPath);
    return program.empty() ? findProgram("clang", "/usr/lib/llvm-14/bin") : program;
}

} // namespace laggard
