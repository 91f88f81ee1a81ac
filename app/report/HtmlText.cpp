// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlText.h"

#include "trace/Printable.h"

namespace laggard {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : printableLines(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

} // namespace laggard
