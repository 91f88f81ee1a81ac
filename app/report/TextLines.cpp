// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/TextLines.h"

#include "trace/Printable.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <vector>

namespace laggard {
namespace {

constexpr std::size_t lineWidth = 100;

/// Where the character begins that the byte at `at` belongs to.
std::size_t beginOfCharacter(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80)
        --at;
    return at;
}

/// About `most` bytes of both ends of a text that is longer.
std::string withoutMiddle(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return std::string(text);
    const std::size_t head = beginOfCharacter(text, most * 2 / 3);
    const std::size_t tail = beginOfCharacter(text, text.size() - most / 3);
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

/// By position of an opening bracket: where the one is that closes it; 0 elsewhere.
std::vector<std::size_t> closingBrackets(std::string_view text) {
    std::vector<std::size_t> closing(text.size(), 0);
    std::vector<std::size_t> open;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '<' && text[at - 1] != ' ') // " < " stands between the functions of a stack
            open.push_back(at);
        else if (text[at] == '>' && text[at - 1] != '-' && !open.empty()) {
            closing[open.back()] = at;
            open.pop_back();
        }
    }
    return closing;
}

/// "map<…>" of what has very much between the brackets.
std::string withoutArguments(std::string_view text) {
    constexpr std::size_t most = 120;
    const std::vector<std::size_t> closing = closingBrackets(text);
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isLong = closing[at] != 0 && closing[at] - at > most;
        result += isLong ? std::string("<…>") : std::string(1, text[at]);
        at = isLong ? closing[at] : at;
    }
    return result;
}

} // namespace

std::string shortened(std::string_view text) {
    constexpr std::size_t mostOfWord = 400;
    constexpr std::size_t mostOfText = 8000;
    if (text.size() <= mostOfWord)
        return std::string(text);
    const std::string whole = withoutArguments(text);
    std::string result;
    for (std::size_t begin = 0; begin <= whole.size();) {
        const std::size_t end = std::min(whole.find(' ', begin), whole.size());
        result += withoutMiddle(std::string_view(whole).substr(begin, end - begin), mostOfWord);
        if (end < whole.size())
            result += ' ';
        begin = end + 1;
    }
    return withoutMiddle(result, mostOfText);
}

std::string formatted(double value, const char *format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void writeWrapped(std::ostream &out, const std::string &indent, const std::string &unsafe) {
    const std::string text = printable(shortened(unsafe));
    std::string line;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && indent.size() + line.size() + 1 + word.size() > lineWidth) {
            out << indent << line << '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    if (!line.empty())
        out << indent << line << '\n';
}

} // namespace laggard
