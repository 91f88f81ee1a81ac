// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/UnitSearch.h"

#include "slice/units/DebugUnits.h"
#include "trace/Quantity.h"
#include "trace/Work.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace laggard {
namespace {

namespace fs = std::filesystem;

/// Stacks are as long as the program is deep; their files are few.
constexpr std::size_t mostStackFiles = 256;

/// The files that the stacks name, each once, in the order of the frames.
std::vector<std::string> filesOf(const UnitRequest &request) {
    std::vector<std::string> files;
    std::unordered_set<std::string> known;
    for (const TaskStack &stack : request.stacks)
        for (const SourcePlace &frame : stack.frames)
            if (const std::string file = mapped(frame.file, request.paths);
                !file.empty() && files.size() < mostStackFiles && known.insert(file).second)
                files.push_back(file);
    return files;
}

/// Collects units from one place after the other; for each source, the first that is told counts.
class UnitSearch {
  public:
    explicit UnitSearch(const UnitRequest &request) : m_request(request), m_stackFiles(filesOf(request)) {}

    FoundUnits find() {
        for (const std::string &binary : m_request.binaries)
            readBinary(binary);
        if (!m_request.compileCommands.empty())
            readGivenDatabase();
        else if (m_request.bitcode.empty() || !m_request.sources.empty() || !m_result.units.empty())
            findDatabase();
        for (const std::string &source : m_request.sources)
            addSource(here(mapped(source, m_request.paths)));
        if (m_result.units.empty() && m_request.bitcode.empty())
            takeFilesOfStacks();
        sayWhatIsFortran();
        dropMissing();
        putStacksFirst();
        return std::move(m_result);
    }

  private:
    [[nodiscard]] std::string here(const std::string &path) const { return absolutePath(path, m_folder); }

    void readBinary(const std::string &binary) {
        try {
            DebugUnits read = readDebugUnits(binary, m_request.paths, m_request.until);
            m_fortran += read.fortran;
            m_result.built = std::max(m_result.built, read.modified);
            append(read.warnings);
            if (read.units.empty() && read.warnings.empty())
                warn('"' + binary + "\" has no debug information of C or C++.");
            for (CompileUnit &unit : read.units)
                add(std::move(unit));
        } catch (const ReadError &error) {
            warn(error.what());
        }
    }
    void readGivenDatabase() {
        try {
            useDatabase(std::make_shared<CompileDatabase>(m_request.compileCommands, m_request.paths, m_request.until));
        } catch (const ReadError &error) {
            warn(error.what());
        }
    }
    /// The nearest one that knows one of the program's sources.
    void findDatabase() {
        std::vector<std::string> sources;
        for (const std::string &file : m_stackFiles)
            sources.push_back(here(file));
        for (const CompileUnit &unit : m_result.units)
            sources.push_back(unit.source);
        for (const std::string &source : m_request.sources)
            sources.push_back(here(mapped(source, m_request.paths)));
        std::set<std::string> tried;
        for (const std::string &source : sources) {
            if (std::chrono::steady_clock::now() >= m_request.until)
                return;
            if (!isPlainFile(source))
                continue;
            for (const std::string &file : compileDatabasesNear(source))
                if (tried.insert(file).second && useFoundDatabase(file, sources))
                    return;
        }
    }
    bool useFoundDatabase(const std::string &file, const std::vector<std::string> &sources) {
        try {
            auto database = std::make_shared<CompileDatabase>(file, m_request.paths, m_request.until);
            const std::unordered_set<std::string> wanted(sources.begin(), sources.end());
            if (std::ranges::none_of(database->units(), [&](const CompileUnit &unit) { return wanted.contains(unit.source); }))
                return false;
            useDatabase(std::move(database));
            return true;
        } catch (const ReadError &) {
            return false; // nobody has asked for this one
        }
    }
    /// It knows best how a source is compiled; the debug information knows better which sources are the program.
    void useDatabase(const std::shared_ptr<const CompileDatabase> &database) {
        m_result.database = database;
        append(database->warnings());
        const bool isProgramKnown = !m_result.units.empty();
        if (!isProgramKnown)
            m_fortran += database->fortran();
        for (const CompileUnit &unit : database->units()) {
            if (const auto known = m_bySource.find(unit.source); known != m_bySource.end())
                m_result.units[known->second] = unit;
            else if (!isProgramKnown)
                add(unit);
            else
                m_others.emplace(unit.source, &unit);
        }
    }
    /// Stacks may tell some files with their folder and others, or the same, without.
    void takeFilesOfStacks() {
        for (const std::string &file : m_stackFiles)
            if (isUnit(file) && isPlainFile(here(file)))
                addSource(here(file));
        for (const std::string &file : m_stackFiles)
            if (isUnit(file) &&
                std::ranges::none_of(m_result.units, [&](const CompileUnit &unit) { return isSameSource(unit.source, file); }))
                addSource(here(file)); // to be told as missing
    }
    static bool isUnit(const std::string &file) {
        const Language language = languageOf(file);
        return language == Language::C || language == Language::Cxx;
    }
    void addSource(const std::string &source) {
        if (const auto known = m_others.find(source); known != m_others.end())
            return add(*known->second);
        const Language language = languageOf(source);
        m_fortran += language == Language::Fortran ? 1 : 0;
        if (isUnit(source))
            add({source, fs::path(source).parent_path().string(), language, {}, {}, {}});
        else if (language == Language::Other)
            warn('"' + source + "\" is no source in C or C++, by its name.");
    }
    void add(CompileUnit unit) {
        if (m_bySource.emplace(unit.source, m_result.units.size()).second)
            m_result.units.push_back(std::move(unit));
    }
    void sayWhatIsFortran() {
        for (const std::string &file : m_stackFiles)
            if (m_fortran == 0 && languageOf(file) == Language::Fortran)
                m_fortran = 1;
        if (m_fortran != 0)
            warn("Slices are made of C and C++: " + plural(m_fortran, "source") + " in Fortran " +
                 (m_fortran == 1 ? "is" : "are") + " left out.");
    }
    /// Folders in which the program's own units were compiled: those of sources that are here, or that the stacks name.
    [[nodiscard]] std::unordered_set<std::string> ownFolders() const {
        std::unordered_set<std::string_view> names;
        for (const std::string &file : m_stackFiles)
            names.insert(fileName(file));
        std::unordered_set<std::string> folders;
        for (const CompileUnit &unit : m_result.units)
            if (names.contains(fileName(unit.source)) || isPlainFile(unit.source))
                folders.insert(unit.folder);
        return folders;
    }
    void dropMissing() {
        const std::unordered_set<std::string> own = ownFolders();
        std::string first;
        std::size_t ofOthers = 0;
        const std::size_t all = std::erase_if(m_result.units, [&](const CompileUnit &unit) {
            if (isPlainFile(unit.source))
                return false;
            const bool isOwn = own.empty() || own.contains(unit.folder);
            ofOthers += isOwn ? 0 : 1;
            if (isOwn && first.empty())
                first = unit.source;
            return true;
        });
        const std::size_t missing = all - ofOthers;
        if (missing == 1)
            warn("The source \"" + first + "\" is not here; --path-map FROM=TO says where it is.");
        else if (missing != 0)
            warn(plural(missing, "source") + " are not here, \"" + first +
                 "\" among them; --path-map FROM=TO says where they are.");
        if (ofOthers != 0)
            warn(plural(ofOthers, "source") + " from other folders, as of libraries that are linked in, " +
                 (ofOthers == 1 ? "is" : "are") + " not here: what they define is a call without code.");
    }
    void putStacksFirst() {
        std::unordered_map<std::string_view, std::vector<std::ptrdiff_t>> byName; // units are many, the stacks' files few
        for (std::ptrdiff_t i = 0; i < std::ssize(m_stackFiles); ++i)
            byName[fileName(m_stackFiles[static_cast<std::size_t>(i)])].push_back(i);
        const auto rank = [&](const CompileUnit &unit) {
            if (const auto files = byName.find(fileName(unit.source)); files != byName.end())
                for (const std::ptrdiff_t i : files->second)
                    if (isSameSource(unit.source, m_stackFiles[static_cast<std::size_t>(i)]))
                        return i;
            return std::ssize(m_stackFiles);
        };
        std::vector<std::pair<std::ptrdiff_t, CompileUnit>> ranked;
        for (CompileUnit &unit : m_result.units)
            ranked.emplace_back(rank(unit), std::move(unit));
        std::ranges::stable_sort(ranked, {}, [](const auto &entry) { return entry.first; });
        m_result.units.clear();
        for (auto &[place, unit] : ranked) {
            m_result.ofStacks += place < std::ssize(m_stackFiles) ? 1 : 0;
            m_result.units.push_back(std::move(unit));
        }
    }
    void warn(std::string sentence) { m_result.warnings.push_back(std::move(sentence)); }
    void append(const std::vector<std::string> &warnings) {
        m_result.warnings.insert(m_result.warnings.end(), warnings.begin(), warnings.end());
    }

    const UnitRequest &m_request;
    std::vector<std::string> m_stackFiles;
    std::string m_folder = currentFolder();
    FoundUnits m_result;
    std::unordered_map<std::string, std::size_t> m_bySource;
    std::unordered_map<std::string, const CompileUnit *> m_others; ///< the database's, not known to be of the program
    std::size_t m_fortran = 0;
};

} // namespace

FoundUnits findUnits(const UnitRequest &request) { return UnitSearch(request).find(); }

} // namespace laggard
