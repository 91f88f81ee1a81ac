// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/SourceLines.h"

#include "slice/units/SourceFiles.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <set>

namespace laggard {
namespace {

constexpr std::uint64_t mostSourceBytes = std::uint64_t{64} << 20U;
constexpr std::size_t mostCode = 200; ///< bytes of a line that are shown; generated ones are long

/// The lines of files, each read once.
class SourceText {
  public:
    /// Nothing if the file cannot be read.
    const std::vector<std::string> *linesOf(const std::string &file) {
        auto known = m_files.find(file);
        if (known == m_files.end())
            known = m_files.emplace(file, read(file)).first;
        return known->second ? &*known->second : nullptr;
    }

  private:
    static std::optional<std::vector<std::string>> read(const std::string &file) {
        const auto text = contentOf(file, mostSourceBytes);
        if (!text)
            return std::nullopt;
        std::vector<std::string> lines;
        for (std::size_t from = 0; from < text->size();) {
            const std::size_t end = std::min(text->find('\n', from), text->size());
            lines.push_back(text->substr(from, end - from));
            from = end + 1;
        }
        return lines;
    }

    std::map<std::string, std::optional<std::vector<std::string>>> m_files;
};

/// Without blanks around it, and shortened where no letter ends up in two.
std::string shown(const std::string &line) {
    const std::size_t begin = line.find_first_not_of(" \t\r\f\v");
    if (begin == std::string::npos)
        return {};
    std::string code = line.substr(begin, line.find_last_not_of(" \t\r\f\v") - begin + 1);
    if (code.size() <= mostCode)
        return printable(code);
    std::size_t end = mostCode;
    while (end > 0 && (static_cast<unsigned char>(code[end]) & 0xC0U) == 0x80U)
        --end;
    return printable(code.substr(0, end)) + "…";
}

} // namespace

void fillInCode(std::vector<SliceStep> &steps) {
    SourceText text;
    for (SliceStep &step : steps) {
        const std::vector<std::string> *const lines = text.linesOf(step.file);
        if (lines != nullptr && step.line != 0 && step.line <= lines->size())
            step.code = shown((*lines)[step.line - 1]);
    }
    // Compilers put the jump back of a loop into the line of its last bracket, where nobody has written one.
    std::erase_if(steps, [](const SliceStep &step) {
        return step.why == Why::Control && !step.code.empty() && step.code.find_first_not_of("{}(); ") == std::string::npos;
    });
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i].step = static_cast<unsigned>(i + 1);
}

std::vector<std::string> linesBehindTheEnd(const std::vector<TaskStack> &stacks, const std::vector<std::string> &sources) {
    std::map<std::string, std::uint32_t> last; // by file: the last line that a stack is in
    for (const TaskStack &stack : stacks)
        for (const SourcePlace &frame : stack.frames)
            last[frame.file] = std::max(last[frame.file], frame.line);
    SourceText text;
    std::set<std::string> told;
    std::vector<std::string> sentences;
    for (const auto &[file, line] : last)
        for (const std::string &source : sources) {
            if (line == 0 || !isSameSource(source, file))
                continue;
            const std::vector<std::string> *const lines = text.linesOf(source);
            if (lines != nullptr && line > lines->size() && told.insert(source).second)
                sentences.push_back('"' + source + "\" is not what ran: it has " + plural(lines->size(), "line") +
                                    ", and the stack is in line " + std::to_string(line) + '.');
        }
    return sentences;
}

} // namespace laggard
