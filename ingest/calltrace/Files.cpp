// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/Files.h"

#include "ingest/calltrace/Record.h"
#include "ingest/calltrace/TextFile.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::calltrace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t sniffedLines = 100;
constexpr std::size_t sniffedBytes = 16384;
constexpr std::uintmax_t mostSymbolBytes = std::uintmax_t{1} << 30U;

/// The first bytes of a regular file; nothing of what else there may be. Never waits.
std::string headOf(const std::string &path) {
    std::string head;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return head;
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        head.resize(sniffedBytes);
        const ssize_t size = ::read(file, head.data(), head.size());
        head.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    }
    ::close(file);
    return head;
}

std::string_view takeLine(std::string_view &text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

/// True for files of other formats: a folder may have very many of them.
bool isOfOtherFormat(const fs::path &path) {
    static constexpr std::array<std::string_view, 4> endings = {".evt", ".def", ".otf2", ".nm"};
    const std::string ending = path.extension().string();
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// Files or folders in a folder, in order.
std::vector<fs::path> entriesOf(const fs::path &folder, bool folders) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->path().filename().string().starts_with('.'))
            continue;
        if (folders ? entry->is_directory(ignored) : entry->is_regular_file(ignored) && !isOfOtherFormat(entry->path()))
            paths.push_back(entry->path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

template <typename Number> bool readNumber(std::string_view text, Number &number) {
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16)
        text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

/// One "# key value" line. False if the key is known and its value is not one.
bool readHeaderLine(std::string_view line, FileHeader &header) {
    line.remove_prefix(line.find('#') + 1);
    const auto trim = [](std::string_view text) {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
            text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
            text.remove_suffix(1);
        return text;
    };
    line = trim(line);
    const std::string_view key = line.substr(0, line.find_first_of(" \t"));
    const std::string_view value = trim(line.substr(key.size()));
    std::uint64_t number = 0;
    if (key == "host") {
        header.host = value;
    } else if (key == "program") {
        header.program = value;
    } else if (key == "ticks-per-second") {
        if (!readNumber(value, number) || number == 0)
            return false;
        header.ticksPerSecond = number;
    } else if (key == "zero-utc") {
        if (!readNumber(value, number) || number > openEnd / 4)
            return false;
        header.zeroUtc = number;
    } else if (key == "load-address") {
        return readNumber(value, header.loadAddress);
    }
    return true;
}

FileHeader readHeader(const std::string &path, std::vector<Warning> &warnings) {
    FileHeader header;
    const std::string head = headOf(path);
    std::string_view text = head;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = takeLine(text);
        if (!isBlankOrComment(line))
            break;
        if (line.find('#') != std::string_view::npos && !readHeaderLine(line, header))
            warnings.push_back({WarningId::OddHeaderValue, Warning::Severity::Note, std::nullopt,
                                path + ':' + std::to_string(number),
                                "The value in this comment is not a number that it can be; it is not used."});
    }
    return header;
}

std::vector<std::string> partsOf(const std::string &name) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('.', at), name.size());
        parts.push_back(name.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

bool isNumber(const std::string &text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

/// What tells the names of the files apart, apart from process numbers and the ending: "n014" of "scored.n014.5095.trace".
void takeHostsFromNames(std::vector<TraceFile> &files) {
    std::vector<std::vector<std::string>> names;
    for (const TraceFile &file : files) {
        std::vector<std::string> parts = partsOf(fs::path(file.path).filename().string());
        if (parts.size() > 1 && !isNumber(parts.back()))
            parts.pop_back();
        std::erase_if(parts, isNumber);
        names.push_back(std::move(parts));
    }
    std::size_t shortest = names.front().size();
    for (const auto &name : names)
        shortest = std::min(shortest, name.size());
    const auto isCommon = [&](auto part) {
        return std::all_of(names.begin(), names.end(), [&](const auto &name) { return part(name) == part(names.front()); });
    };
    std::size_t front = 0;
    while (front < shortest && isCommon([&](const auto &name) { return name[front]; }))
        ++front;
    std::size_t back = 0;
    while (front + back < shortest && isCommon([&](const auto &name) { return name[name.size() - 1 - back]; }))
        ++back;
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::string host;
        for (std::size_t part = front; part + back < names[i].size(); ++part)
            host += (host.empty() ? "" : ".") + names[i][part];
        if (files[i].host.empty())
            files[i].host = host;
    }
}

void assignHosts(std::vector<TraceFile> &files, bool inSubfolders) {
    for (TraceFile &file : files) {
        file.host = file.header.host;
        if (file.host.empty() && inSubfolders)
            file.host = fs::path(file.path).parent_path().filename().string();
    }
    takeHostsFromNames(files);
}

/// Symbol files, each read once.
class SymbolFiles {
  public:
    explicit SymbolFiles(std::vector<Warning> &warnings) : m_warnings(warnings) {}

    void attach(TraceFile &file, bool inSubfolder) {
        const fs::path path = file.path;
        const fs::path folder = path.parent_path();
        std::vector<fs::path> candidates = {path.string() + ".nm", folder / (path.stem().string() + ".nm")};
        const std::vector<fs::path> folders =
            inSubfolder ? std::vector<fs::path>{folder, folder.parent_path()} : std::vector<fs::path>{folder};
        const std::string program = fs::path(file.header.program).filename().string();
        for (const fs::path &where : folders) {
            if (!program.empty())
                candidates.push_back(where / (program + ".nm"));
            candidates.push_back(where / "symbols.nm");
        }
        file.symbols = m_empty;
        for (const fs::path &candidate : candidates)
            if (const std::shared_ptr<const SymbolTable> table = tableOf(candidate.string())) {
                file.symbols = table;
                file.symbolPath = candidate.string();
                return;
            }
    }

  private:
    std::shared_ptr<const SymbolTable> tableOf(const std::string &path) {
        const auto [entry, isNew] = m_tables.try_emplace(path);
        if (isNew)
            entry->second = read(path);
        return entry->second;
    }

    std::shared_ptr<const SymbolTable> read(const std::string &path) {
        std::error_code error;
        if (!fs::is_regular_file(path, error))
            return nullptr;
        const auto note = [&](const std::string &message, WarningId id = WarningId::UnusableSymbolFile,
                              std::vector<Warning::Datum> data = {}) {
            m_warnings.push_back({id, Warning::Severity::Note, std::nullopt, path, message, std::move(data)});
        };
        if (fs::file_size(path, error) > mostSymbolBytes) {
            note("The symbol file is too large to be one; it is not used.");
            return nullptr;
        }
        std::string text;
        try {
            TextFile file(path);
            for (std::string_view lines = file.next(); !lines.empty(); lines = file.next())
                text += lines;
            text += file.remainder();
        } catch (const ReadError &failure) {
            note(failure.what());
            return nullptr;
        }
        auto table = std::make_shared<const SymbolTable>(text);
        if (table->unreadableLines() != 0)
            note(plural(table->unreadableLines(), "line") + " of the symbol file " +
                     (table->unreadableLines() == 1 ? "is not as nm prints it; " : "are not as nm prints them; ") +
                     plural(table->size(), "function") + (table->size() == 1 ? " was read." : " were read."),
                 WarningId::OddSymbolLines, {{"lines", table->unreadableLines()}});
        else if (table->size() == 0)
            note("The symbol file has no functions.");
        return table->size() == 0 ? nullptr : table;
    }

    std::vector<Warning> &m_warnings;
    std::shared_ptr<const SymbolTable> m_empty = std::make_shared<const SymbolTable>();
    std::map<std::string, std::shared_ptr<const SymbolTable>> m_tables;
};

/// Why a file gives nothing, in a sentence.
std::string whyUnused(const std::string &path) {
    try {
        const TextFile file(path);
        return "The file has no records of calls: nothing is known of the process that was to write it.";
    } catch (const ReadError &failure) {
        return std::string(failure.what()) + " Nothing is known of the process that wrote it.";
    }
}

/// Files of the same ending that hold nothing, or cannot be read: a process was to write one and did not.
void noteEmptyFiles(const std::vector<std::string> &paths, std::vector<Warning> &warnings) {
    std::set<fs::path> folders;
    std::set<fs::path> endings;
    for (const std::string &path : paths) {
        folders.insert(fs::path(path).parent_path());
        endings.insert(fs::path(path).extension());
    }
    const std::set<std::string> used(paths.begin(), paths.end());
    for (const fs::path &folder : folders)
        for (const fs::path &entry : entriesOf(folder, false))
            if (endings.contains(entry.extension()) && !used.contains(entry.string()))
                warnings.push_back({WarningId::UnreadableFile, Warning::Severity::DataLoss, std::nullopt, entry.string(),
                                    whyUnused(entry.string())});
}

} // namespace

bool isCallTrace(const std::string &path) {
    const std::string head = headOf(path);
    std::string_view text = head;
    CallRecord record;
    for (std::size_t i = 0; i < sniffedLines && !text.empty(); ++i) {
        const std::string_view line = takeLine(text);
        if (parseRecord(line, record))
            return true;
        if (line.find('\0') != std::string_view::npos && !line.starts_with("ENTER") && !line.starts_with("LEAVE"))
            return false;
    }
    return false;
}

std::vector<std::string> callTracesIn(const std::string &folder) {
    std::vector<std::string> found;
    const auto take = [&](const fs::path &where) {
        for (const fs::path &path : entriesOf(where, false))
            if (isCallTrace(path.string()))
                found.push_back(path.string());
    };
    take(folder);
    if (found.empty())
        for (const fs::path &inner : entriesOf(folder, true))
            take(inner);
    return found;
}

TraceFiles surveyFiles(const std::string &path, const Work &work) {
    TraceFiles result;
    std::error_code error;
    const bool isFolder = fs::is_directory(path, error);
    const std::vector<std::string> paths = isFolder ? callTracesIn(path) : std::vector<std::string>{path};
    if (paths.empty())
        throw ReadError("The folder \"" + path + "\" does not contain a call trace any more.");
    const auto folderOf = [](const fs::path &file) { return file.parent_path().lexically_normal(); };
    const bool inSubfolders = isFolder && folderOf(paths.front()) != folderOf(fs::path(path) / "x");
    SymbolFiles symbols(result.warnings);
    for (const std::string &name : paths) {
        throwIfCancelled(work);
        TraceFile &file = result.files.emplace_back();
        file.path = name;
        file.header = readHeader(name, result.warnings);
        file.bytes = fs::file_size(name, error);
        if (error)
            file.bytes = 0;
        symbols.attach(file, inSubfolders);
    }
    assignHosts(result.files, inSubfolders);
    if (isFolder)
        noteEmptyFiles(paths, result.warnings);
    return result;
}

bool comesBefore(const std::string &a, const std::string &b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; }

} // namespace laggard::calltrace
