// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/CommandLine.h"

#include <optional>

namespace laggard {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Within double quotes, a backslash before any other letter stays.
bool isEscapedInQuotes(char c) { return c == '"' || c == '\\' || c == '$' || c == '`'; }

} // namespace

std::vector<std::string> wordsOf(std::string_view commandLine) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = '\0';
    for (std::size_t i = 0; i < commandLine.size(); ++i) {
        const char c = commandLine[i];
        const bool hasNext = i + 1 < commandLine.size();
        if (quote == '\0' && isBlank(c)) {
            if (word)
                words.push_back(std::move(*word));
            word.reset();
            continue;
        }
        if (!word)
            word.emplace();
        if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (quote != '\0' && c == quote)
            quote = '\0';
        else if (c == '\\' && hasNext && (quote == '\0' || (quote == '"' && isEscapedInQuotes(commandLine[i + 1]))))
            *word += commandLine[++i];
        else
            *word += c;
    }
    if (word)
        words.push_back(std::move(*word));
    return words;
}

} // namespace laggard
