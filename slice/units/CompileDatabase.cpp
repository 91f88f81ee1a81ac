// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/CompileDatabase.h"

#include "slice/units/CommandLine.h"
#include "trace/Quantity.h"
#include "trace/Work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace laggard {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The system takes no longer command line (ARG_MAX is 2 MiB), and JSON at most doubles it.
constexpr std::size_t mostEntryBytes = std::size_t{4} << 20U;
/// The largest programs with a compile database (browsers, operating systems) have about a hundred thousand units.
constexpr std::size_t mostUnits = 500'000;
/// A folder with more is looked at no further for names that begin with "build".
constexpr std::size_t mostNames = 1'000;

/// Cuts the text of a JSON array, which comes in blocks, into the objects that are its elements.
class ElementSplitter {
  public:
    /// Calls `take(text, offset)` for each object that ends in the block, `skip()` for one that is too large.
    template <typename Take, typename Skip> void feed(std::string_view block, Take take, Skip skip) {
        for (std::size_t at = 0; at < block.size();) {
            const bool wasInString = m_isInString;
            const std::size_t end = wasInString ? stringEnd(block, at) : at + 1;
            if (m_depth >= elementDepth || (m_depth == 1 && block[at] == '{'))
                keep(block.substr(at, end - at), m_before + at);
            if (!wasInString)
                step(block[at], take, skip);
            at = end;
        }
        m_before += block.size();
    }
    [[nodiscard]] bool isArray() const { return m_isArray; }
    /// The text ended where it should.
    [[nodiscard]] bool isComplete() const { return m_isArray && m_depth == 0; }

  private:
    static constexpr std::size_t elementDepth = 2; // within an element of the array

    void keep(std::string_view text, std::uint64_t offset) {
        if (m_element.empty())
            m_offset = offset;
        if (!m_isTooLarge && m_element.size() + text.size() <= mostEntryBytes)
            m_element += text;
        else
            m_isTooLarge = true;
    }
    /// Behind the quote that ends the string in which `at` is, or the end of the block. Most of the text is in strings.
    std::size_t stringEnd(std::string_view block, std::size_t at) {
        for (std::size_t from = at;;) {
            const std::size_t quote = std::min(block.find('"', from), block.size());
            std::size_t backslashes = 0;
            while (backslashes < quote - at && block[quote - 1 - backslashes] == '\\')
                ++backslashes;
            const bool isEscaped = (backslashes + (backslashes == quote - at && m_isEscaped ? 1 : 0)) % 2 != 0;
            if (quote == block.size()) {
                m_isEscaped = isEscaped;
                return quote;
            }
            if (!isEscaped) {
                m_isEscaped = false;
                m_isInString = false;
                return quote + 1;
            }
            from = quote + 1;
        }
    }
    template <typename Take, typename Skip> void step(char c, Take &take, Skip &skip) {
        if (c == '"')
            m_isInString = true;
        else if (c == '[' || c == '{') {
            if (m_depth == 0 && c == '[')
                m_isArray = true;
            ++m_depth;
        } else if ((c == ']' || c == '}') && m_depth > 0 && --m_depth == 1 && !m_element.empty()) {
            if (m_isTooLarge)
                skip();
            else
                take(m_element, m_offset);
            m_element.clear();
            m_isTooLarge = false;
        }
    }

    std::string m_element;
    std::uint64_t m_before = 0; ///< bytes of the blocks before
    std::uint64_t m_offset = 0; ///< where the element begins in the file
    std::size_t m_depth = 0;
    bool m_isArray = false;
    bool m_isInString = false;
    bool m_isEscaped = false;
    bool m_isTooLarge = false;
};

/// What one element says, as far as it has to do with compiling.
struct Entry {
    std::string folder, file;
    std::vector<std::string> words;
};

std::optional<Entry> parseEntry(simdjson::dom::parser &parser, const std::string &text, bool withWords) {
    simdjson::dom::object object;
    if (parser.parse(text).get(object) != simdjson::SUCCESS)
        return std::nullopt;
    Entry entry;
    std::string_view part;
    if (object["file"].get(part) != simdjson::SUCCESS || part.empty() || part.find('\0') != std::string_view::npos)
        return std::nullopt;
    entry.file = part;
    if (object["directory"].get(part) == simdjson::SUCCESS && part.find('\0') == std::string_view::npos)
        entry.folder = part;
    simdjson::dom::array arguments;
    const bool hasArguments = object["arguments"].get(arguments) == simdjson::SUCCESS;
    if (!hasArguments && object["command"].get(part) != simdjson::SUCCESS)
        return std::nullopt;
    if (!withWords)
        return entry;
    if (hasArguments) {
        for (const simdjson::dom::element argument : arguments)
            if (argument.get(part) == simdjson::SUCCESS)
                entry.words.emplace_back(part);
    } else
        entry.words = wordsOf(part);
    std::erase_if(entry.words, [](const std::string &word) { return word.find('\0') != std::string::npos; });
    return entry;
}

} // namespace

/// Goes through the entries once.
class CompileDatabase::Reader {
  public:
    explicit Reader(CompileDatabase &database) : m_database(database) {}

    void read(Clock::time_point until) {
        ElementSplitter elements;
        bool isCut = false;
        std::vector<char> block(std::size_t{1} << 20U);
        while (!isCut) {
            const ssize_t size = ::read(m_database.m_descriptor, block.data(), block.size());
            if (size < 0 && errno == EINTR)
                continue;
            if (size <= 0) {
                m_error = size < 0 ? errno : 0;
                break;
            }
            elements.feed(
                {block.data(), static_cast<std::size_t>(size)},
                [this](const std::string &text, std::uint64_t offset) { take(text, offset); }, [this] { ++m_damaged; });
            isCut = Clock::now() >= until || m_database.m_units.size() >= mostUnits;
        }
        if (!elements.isArray())
            throw ReadError('"' + m_database.m_file + "\" is no compile database: it is not a JSON array of entries.");
        sayWhatIsMissing(isCut, elements.isComplete());
    }

  private:
    void take(const std::string &text, std::uint64_t offset) {
        ++m_entries;
        const std::optional<Entry> entry = parseEntry(m_parser, text, false);
        if (!entry) {
            ++m_damaged;
            return;
        }
        CompileUnit unit;
        unit.folder = mapped(absolutePath(entry->folder, m_database.m_folder), m_database.m_paths);
        unit.source = mapped(absolutePath(entry->file, unit.folder), m_database.m_paths);
        unit.language = languageOf(unit.source);
        if (!m_known.insert(unit.source).second || m_database.m_units.size() >= mostUnits)
            return;
        m_database.m_fortran += unit.language == Language::Fortran ? 1 : 0;
        if (unit.language != Language::C && unit.language != Language::Cxx)
            return;
        unit.entry = static_cast<std::uint32_t>(m_database.m_places.size());
        m_database.m_places.push_back({offset, static_cast<std::uint32_t>(text.size())});
        m_database.m_units.push_back(std::move(unit));
    }
    void sayWhatIsMissing(bool isCut, bool isComplete) {
        if (isCut)
            warn("was read up to entry " + describeCount(m_entries) + ", as it is too large for the time that there is");
        else if (m_error != 0)
            warn("could be read up to entry " + describeCount(m_entries) + ": " + std::strerror(m_error));
        else if (!isComplete)
            warn("breaks off behind entry " + describeCount(m_entries));
        if (m_damaged != 0)
            warn("has " + plural(m_damaged, "damaged element") + ", left out");
    }
    void warn(const std::string &what) {
        m_database.m_warnings.push_back("The compile database \"" + m_database.m_file + "\" " + what + '.');
    }

    CompileDatabase &m_database;
    simdjson::dom::parser m_parser;
    std::unordered_set<std::string> m_known;
    std::uint64_t m_entries = 0;
    std::uint64_t m_damaged = 0;
    int m_error = 0;
};

CompileDatabase::CompileDatabase(std::string file, PathMap paths, Clock::time_point until)
    : m_file(std::move(file)),
      m_folder(absolutePath(fs::path(m_file).parent_path().string(), currentFolder())),
      m_paths(std::move(paths)) {
    if (!isPlainFile(m_file))
        throw ReadError('"' + m_file + "\" is no file that can be read as a compile database.");
    m_descriptor = ::open(m_file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0)
        throw ReadError("The compile database \"" + m_file + "\" cannot be opened: " + std::strerror(errno) + '.');
    try {
        Reader(*this).read(until);
    } catch (...) {
        ::close(m_descriptor);
        throw;
    }
}

CompileDatabase::~CompileDatabase() { ::close(m_descriptor); }

CompileUnit CompileDatabase::completed(const CompileUnit &unit) const {
    if (!unit.entry || *unit.entry >= m_places.size())
        return unit;
    const Place &place = m_places[*unit.entry];
    std::string text(place.bytes, '\0');
    if (::pread(m_descriptor, text.data(), text.size(), static_cast<off_t>(place.offset)) != static_cast<ssize_t>(text.size()))
        return unit;
    simdjson::dom::parser parser;
    const std::optional<Entry> entry = parseEntry(parser, text, true);
    if (!entry)
        return unit;
    SafeSwitches switches = safeSwitches(entry->words, unit.folder, m_paths);
    CompileUnit whole = unit;
    whole.language = switches.language.value_or(unit.language);
    whole.standard = std::move(switches.standard);
    whole.switches = std::move(switches.kept);
    return whole;
}

namespace {

/// Files that others planted are not taken up by themselves.
bool isTrusted(const fs::path &file, uid_t ownerOfSource) {
    struct stat status {};
    return isPlainFile(file.string()) && ::stat(file.c_str(), &status) == 0 &&
           (status.st_uid == ::geteuid() || status.st_uid == 0 || status.st_uid == ownerOfSource);
}

/// The folders in `folder`, sorted; only those whose names begin so.
std::vector<fs::path> foldersIn(const fs::path &folder, std::string_view beginning) {
    std::vector<fs::path> found;
    std::error_code error;
    std::size_t names = 0;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end; !error && at != end;
         at.increment(error)) {
        std::error_code ignored;
        if (++names > mostNames)
            break;
        if (at->path().filename().string().starts_with(beginning) && at->is_directory(ignored))
            found.push_back(at->path());
    }
    std::ranges::sort(found);
    return found;
}

} // namespace

std::vector<std::string> compileDatabasesNear(const std::string &source) {
    std::vector<std::string> found;
    struct stat status {};
    const uid_t owner = ::stat(source.c_str(), &status) == 0 ? status.st_uid : ::geteuid();
    const auto look = [&](const fs::path &folder) {
        const fs::path file = folder / "compile_commands.json";
        if (isTrusted(file, owner))
            found.push_back(file.string());
    };
    for (fs::path folder = fs::path(source).parent_path();; folder = folder.parent_path()) {
        look(folder);
        for (const fs::path &build : foldersIn(folder, "build")) {
            look(build);
            for (const fs::path &below : foldersIn(build, ""))
                look(below);
        }
        if (folder == folder.parent_path() || folder.empty())
            return found;
    }
}

} // namespace laggard
