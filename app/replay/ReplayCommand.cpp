// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ReplayCommand.h"

namespace laggard::replay {
namespace {

std::string quoted(const std::string &word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + '\'';
}

} // namespace

std::vector<std::string> wordsOf(const ReplayCommand &command) {
    std::vector<std::string> words = command.launcher;
    words.insert(words.end(), {command.recorder, "--replay", command.recording, "--exchange", toText(command.exchange), "-o",
                               command.output, "--"});
    words.insert(words.end(), command.program.begin(), command.program.end());
    return words;
}

std::string shellText(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + quoted(word);
    return text;
}

} // namespace laggard::replay
