// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/TextLines.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace laggard {
namespace {

constexpr std::size_t lineWidth = 100;

} // namespace

std::string printable(std::string text) {
    for (char &c : text)
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7F)
            c = '?';
    return text;
}

std::string capitalised(std::string_view text) {
    std::string result(text);
    if (!result.empty() && result.front() >= 'a' && result.front() <= 'z')
        result.front() = static_cast<char>(result.front() - 'a' + 'A');
    return result;
}

std::string formatted(double value, const char *format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void writeWrapped(std::ostream &out, const std::string &indent, const std::string &unsafe) {
    const std::string text = printable(unsafe);
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
