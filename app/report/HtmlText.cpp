// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlText.h"

namespace laggard {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
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
        default: // control characters have no place in a page
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
                result += c;
            else
                result += "\uFFFD";
        }
    }
    return result;
}

} // namespace laggard
