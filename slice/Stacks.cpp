// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Stacks.h"

#include "slice/units/SourceFiles.h"
#include "slice/units/Switches.h"
#include "trace/Quantity.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace laggard {
namespace {

constexpr std::uint64_t mostFileBytes = std::uint64_t{64} << 20U;
/// Behind this the slice does not come in the time there is: recursion without end has millions of frames.
constexpr std::size_t mostFrames = 10'000;
constexpr std::size_t mostNameBytes = 65'536;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The number behind the last colon.
std::optional<std::uint32_t> lineOf(std::string_view place) {
    const std::size_t colon = place.rfind(':');
    std::uint32_t line = 0;
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == place.size())
        return std::nullopt;
    const char *const end = place.data() + place.size();
    const auto read = std::from_chars(place.data() + colon + 1, end, line);
    return read.ec == std::errc() && read.ptr == end ? std::optional(line) : std::nullopt;
}

/// "f" of "f.constprop.0": the source knows it by that name.
std::string_view withoutPart(std::string_view function) {
    for (const std::string_view part : {".constprop.", ".isra.", ".part.", ".cold", "._omp_fn.", ".lto_priv.", ".llvm."})
        function = function.substr(0, std::max<std::size_t>(std::min(function.find(part), function.size()), 1));
    return function;
}

/// "SIGSEGV", "exit": a name and nothing that could be text of somebody else's making.
bool isWord(std::string_view text) {
    constexpr std::size_t longest = 32;
    return !text.empty() && text.size() <= longest &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Takes the lines of a stack file.
class StackLines {
  public:
    void take(std::string_view line) {
        ++m_number;
        line = trimmed(line);
        if (line.starts_with('#'))
            return takeComment(trimmed(line.substr(1)));
        if (line.empty())
            return;
        auto frame = parseFrame(line);
        if (!frame)
            noteWrong();
        else if (m_read.stack.frames.size() < mostFrames)
            m_read.stack.frames.push_back(std::move(*frame));
        else
            ++m_more;
    }
    StackFile finish(const std::string &file) {
        if (m_read.stack.frames.empty())
            throw ReadError("The stack file \"" + file + "\" has no frame (\"function file:line\").");
        if (m_wrong != 0)
            m_read.warnings.push_back("The stack file \"" + file + "\" has " + plural(m_wrong, "line") +
                                      " that cannot be a frame or ranks, the first of them line " + std::to_string(m_firstWrong) +
                                      '.');
        if (m_more != 0)
            m_read.warnings.push_back("The stack file \"" + file + "\" has " + plural(m_more, "frame") + " more than are used.");
        return std::move(m_read);
    }

  private:
    void takeComment(std::string_view comment) {
        if (comment.starts_with("ended ")) {
            const std::string_view how = trimmed(comment.substr(6));
            if (isWord(how))
                m_read.stack.end = how;
            else
                noteWrong();
            return;
        }
        if (!comment.starts_with("ranks"))
            return;
        try {
            const std::string ranks = formatRanges(parseRanges(trimmed(comment.substr(5))));
            if (m_read.stack.ranks.empty())
                m_read.stack.ranks = ranks;
        } catch (const std::invalid_argument &) {
            noteWrong();
        }
    }
    void noteWrong() {
        if (m_wrong++ == 0)
            m_firstWrong = m_number;
    }

    StackFile m_read;
    std::uint64_t m_number = 0, m_wrong = 0, m_firstWrong = 0, m_more = 0;
};

} // namespace

std::optional<SourcePlace> parseFrame(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.size() > mostNameBytes || line.find('\0') != std::string_view::npos)
        return std::nullopt;
    SourcePlace place;
    const std::size_t blank = line.find_last_of(" \t");
    std::string_view last = line.substr(blank == std::string_view::npos ? 0 : blank + 1);
    const auto number = lineOf(last);
    if (number && blank == std::string_view::npos)
        return std::nullopt; // a place without a function
    if (number) {
        place.line = *number;
        last = last.substr(0, last.rfind(':'));
    }
    if (!number && last.ends_with(':') && languageOf(last.substr(0, last.size() - 1)) != Language::Other)
        last.remove_suffix(1); // "f a.c:", the line being unknown
    const bool hasFile = blank != std::string_view::npos && (number || languageOf(last) != Language::Other);
    place.function = withoutPart(hasFile ? trimmed(line.substr(0, blank)) : line);
    if (hasFile)
        place.file = last;
    return place;
}

StackFile readStackFile(const std::string &file) {
    const auto text = contentOf(file, mostFileBytes);
    if (!text)
        throw ReadError("The stack file \"" + file + "\" cannot be read: it is not there, or no file of a stack.");
    StackLines lines;
    for (std::size_t from = 0; from < text->size();) {
        const std::size_t end = std::min(text->find('\n', from), text->size());
        lines.take(std::string_view(*text).substr(from, end - from));
        from = end + 1;
    }
    return lines.finish(file);
}

} // namespace laggard
