// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace laggard {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

struct Range {
    char32_t first;
    char32_t last;
};

/// White space beyond ASCII: Zs, Zl, Zp and the next line of Cc.
constexpr Range blanks[] = {{0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                            {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

/// Unicode 15: Cc, Cf, Cs, Co, what is to be ignored where it cannot be shown (Default_Ignorable_Code_Point), noncharacters, and
/// the planes in which nothing is assigned. Sorted.
constexpr Range hidden[] = {{0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},     {0x61C, 0x61C},
                            {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x115F, 0x1160},
                            {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x202A, 0x202E},   {0x2060, 0x206F},
                            {0x3164, 0x3164},   {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
                            {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
                            {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF}, {0x2FFFE, 0x2FFFF},
                            {0x3FFFE, 0x10FFFF}};

template <std::size_t count> bool isIn(const Range (&ranges)[count], char32_t c) {
    const Range *const next = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                               [](char32_t at, const Range &range) { return at < range.first; });
    return next != std::begin(ranges) && c <= std::prev(next)->last;
}

bool isPlain(char c) { return c >= ' ' && c <= '~'; }

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0; ///< 0: not UTF-8
};

/// The character of more than one byte that `text` begins with, in its shortest form.
Character characterAt(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first >= 0xF0 && first < 0xF5   ? 4
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xC2 && first < 0xE0 ? 2
                                                               : 0;
    if (length == 0 || text.size() < length)
        return {};
    char32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || isSurrogate ? Character() : Character{code, length};
}

std::string cleaned(std::string_view text, bool keepsLines) {
    if (std::all_of(text.begin(), text.end(), isPlain))
        return std::string(text);
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const char c = text.front();
        const bool isAscii = static_cast<unsigned char>(c) < 0x80;
        const Character wide = isAscii ? Character{0, 1} : characterAt(text);
        if (isPlain(c) || (c == '\n' && keepsLines))
            result += c;
        else if ((c >= '\t' && c <= '\r') || isIn(blanks, wide.code)) // tab, the four kinds of line ends
            result += ' ';
        else if (isAscii || wide.bytes == 0 || isIn(hidden, wide.code))
            result += replacement;
        else
            result += text.substr(0, wide.bytes);
        text.remove_prefix(std::max<std::size_t>(wide.bytes, 1));
    }
    return result;
}

/// "\\u009b"; two of them for what is beyond U+FFFF.
void appendEscape(std::string &text, char32_t code) {
    const auto append = [&text](char32_t unit) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4)
            text += digits[unit >> static_cast<unsigned>(shift) & 0xFU];
    };
    if (code > 0xFFFF) {
        append(0xD800 + ((code - 0x10000) >> 10U));
        append(0xDC00 + ((code - 0x10000) & 0x3FFU));
    } else {
        append(code);
    }
}

} // namespace

std::string printable(std::string_view text) { return cleaned(text, false); }

std::string printableLines(std::string_view text) { return cleaned(text, true); }

std::string printableJson(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    while (!json.empty()) {
        const auto plain = static_cast<std::size_t>(
            std::find_if(json.begin(), json.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x7F; }) - json.begin());
        result += json.substr(0, plain);
        json.remove_prefix(plain);
        if (json.empty())
            break;
        const Character next = json.front() == 0x7F ? Character{0x7F, 1} : characterAt(json);
        if (next.bytes == 0)
            result += replacement;
        else if (isIn(blanks, next.code) || isIn(hidden, next.code))
            appendEscape(result, next.code);
        else
            result += json.substr(0, next.bytes);
        json.remove_prefix(std::max<std::size_t>(next.bytes, 1));
    }
    return result;
}

} // namespace laggard
