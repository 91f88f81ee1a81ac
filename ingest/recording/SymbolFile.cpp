// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/SymbolFile.h"

#include "ingest/assembly/BinaryState.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace laggard::recording {
namespace {

constexpr std::string_view firstLine = "laggard-symbols 1";
constexpr char kindLetters[] = {'E', 'R', 'I'}; // by PlaceKind
constexpr std::size_t mostFrames = 256;         // at a place: functions inlined in each other

std::string idField(std::string_view buildId) { return buildId.empty() ? "-" : hexOf(buildId); }

std::optional<std::string> bytesOf(std::string_view hex) {
    if (hex == "-")
        return std::string();
    if (hex.size() % 2 != 0)
        return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        unsigned value = 0;
        if (std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16).ptr != hex.data() + i + 2)
            return std::nullopt;
        bytes += static_cast<char>(value);
    }
    return bytes;
}

/// Names with tabs or line ends would break the file.
std::string field(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::vector<std::string_view> fieldsOf(std::string_view line) {
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t tab = line.find('\t');
        fields.push_back(line.substr(0, tab));
        if (tab == std::string_view::npos)
            return fields;
        line.remove_prefix(tab + 1);
    }
}

template <typename Number> bool parse(std::string_view text, Number &number, int base = 10) {
    return std::from_chars(text.data(), text.data() + text.size(), number, base).ptr == text.data() + text.size() &&
           !text.empty();
}

/// Takes the lines of a symbol file one after the other.
class SymbolLines {
  public:
    explicit SymbolLines(KnownPlaces &places) : m_places(places) {}

    /// False if the line makes no sense where it stands.
    bool take(std::string_view line) {
        const std::vector<std::string_view> fields = fieldsOf(line);
        if (fields[0] == "module")
            return takeModule(fields);
        if (fields[0] == "at")
            return takePlace(fields);
        return fields[0] == "in" && takeFrame(fields);
    }

  private:
    bool takeModule(const std::vector<std::string_view> &fields) {
        m_module = nullptr;
        m_place = nullptr;
        if (fields.size() != 3)
            return false;
        const std::optional<std::string> buildId = bytesOf(fields[1]);
        if (!buildId)
            return false;
        m_path = fields[2];
        m_module = &m_places[ModuleKey{m_path, *buildId}];
        return true;
    }
    bool takePlace(const std::vector<std::string_view> &fields) {
        m_place = nullptr;
        std::uint64_t offset = 0;
        if (m_module == nullptr || fields.size() != 3 || fields[1].size() != 1 || !parse(fields[2], offset, 16))
            return false;
        const auto *const kind = std::find(std::begin(kindLetters), std::end(kindLetters), fields[1][0]);
        if (kind == std::end(kindLetters))
            return false;
        m_place = &(*m_module)[{static_cast<PlaceKind>(kind - std::begin(kindLetters)), offset}];
        m_place->clear();
        return true;
    }
    bool takeFrame(const std::vector<std::string_view> &fields) {
        CodeFrame frame;
        if (m_place == nullptr || fields.size() != 7 || m_place->size() == mostFrames || fields[1].empty() ||
            !parse(fields[4], frame.line) || !parse(fields[6], frame.atLine))
            return false;
        frame.function = fields[1];
        frame.linkage = fields[2];
        frame.file = fields[3];
        frame.atFile = fields[5];
        frame.module = m_path;
        m_place->push_back(std::move(frame));
        return true;
    }

    KnownPlaces &m_places;
    std::string m_path;
    KnownPlaces::mapped_type *m_module = nullptr;
    CodeFrames *m_place = nullptr;
};

} // namespace

KnownPlaces readSymbolFile(const std::string &folder, std::vector<Warning> &warnings) {
    KnownPlaces places;
    const std::string name = folder + '/' + symbolFileName;
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error))
        return places;
    std::ifstream file(name, std::ios::binary);
    std::string line;
    if (!std::getline(file, line) || line != firstLine) {
        warnings.push_back({WarningId::UnusableSymbolFile, Warning::Severity::Note, std::nullopt, name,
                            "This is no file of symbols that can be used."});
        return places;
    }
    SymbolLines lines(places);
    std::uint64_t number = 1;
    std::uint64_t wrong = 0;
    std::uint64_t firstWrong = 0;
    while (std::getline(file, line)) {
        ++number;
        if (line.empty() || lines.take(line))
            continue;
        if (wrong++ == 0)
            firstWrong = number;
    }
    if (wrong > 0)
        warnings.push_back(
            {WarningId::OddSymbolLines,
             Warning::Severity::Note,
             std::nullopt,
             name + ":" + std::to_string(firstWrong),
             plural(wrong, "line") + (wrong == 1 ? " makes no sense and was left out." : " make no sense and were left out."),
             {{"lines", wrong}}});
    for (auto &[module, known] : places)
        std::erase_if(known, [](const auto &entry) { return entry.second.empty(); });
    return places;
}

void writeSymbolFile(const std::string &folder, const KnownPlaces &places) {
    const std::string name = folder + '/' + symbolFileName;
    const std::string temporary = name + ".new";
    // Only its owner may read it, as the recording; and others who may write to the folder have not laid a link there.
    ::unlink(temporary.c_str());
    if (const int made = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); made >= 0)
        ::close(made);
    else
        throw std::system_error(errno, std::generic_category(), "cannot write \"" + name + "\"");
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << firstLine << '\n';
    for (const auto &[module, known] : places) {
        file << "module\t" << idField(module.buildId) << '\t' << field(module.path) << '\n';
        for (const auto &[at, place] : known) {
            std::array<char, 16> offset{};
            const char *const end = std::to_chars(offset.data(), offset.data() + offset.size(), at.second, 16).ptr;
            file << "at\t" << kindLetters[static_cast<std::size_t>(at.first)] << '\t' << std::string_view(offset.data(), end)
                 << '\n';
            for (const CodeFrame &frame : place)
                file << "in\t" << field(frame.function) << '\t' << field(frame.linkage) << '\t' << field(frame.file) << '\t'
                     << frame.line << '\t' << field(frame.atFile) << '\t' << frame.atLine << '\n';
        }
    }
    file.close();
    std::error_code error(errno, std::generic_category());
    if (file)
        std::filesystem::rename(temporary, name, error);
    if (!file || error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw std::system_error(error, "cannot write \"" + name + "\"");
    }
}

} // namespace laggard::recording
