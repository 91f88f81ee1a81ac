// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/TableText.h"

#include <algorithm>

namespace laggard::otf2 {

std::string listText(const std::vector<std::string> &texts) {
    std::string list;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        list += i == 0 ? "" : "\t";
        for (const char letter : texts[i])
            list += letter == '\t' ? ' ' : letter;
    }
    return list;
}

std::vector<std::string> listIn(std::string_view text) {
    std::vector<std::string> texts;
    for (const std::string_view each : split(text, "\t"))
        texts.emplace_back(each);
    return texts;
}

std::string textOf(const std::vector<Window> &windows) {
    std::vector<std::string> texts;
    for (const Window &window : windows)
        texts.push_back((window.communicator == none ? "-" : std::to_string(window.communicator)) + ' ' + window.name);
    return listText(texts);
}

std::vector<Window> windowsIn(std::string_view text, const IdMap &communicators) {
    std::vector<Window> windows;
    for (const std::string_view each : split(text, "\t")) {
        const std::size_t space = std::min(each.find(' '), each.size());
        std::uint32_t reference = none;
        const bool isKnown = parse(each.substr(0, space), reference);
        windows.push_back({std::string(each.substr(std::min(space + 1, each.size()))),
                           isKnown ? communicators.find(reference) : CommunicatorId{none}});
    }
    return windows;
}

std::string textOf(const std::vector<Frame> &stack) {
    std::vector<std::string> texts;
    for (const Frame &frame : stack) {
        texts.push_back(frame.function);
        texts.push_back(frame.file);
        texts.push_back(std::to_string(frame.line));
    }
    return listText(texts);
}

std::vector<Frame> stackIn(std::string_view text) {
    const std::vector<std::string> texts = listIn(text);
    std::vector<Frame> stack;
    for (std::size_t i = 0; i + 2 < texts.size(); i += 3) {
        Frame frame{texts[i], texts[i + 1], 0};
        if (!parse(texts[i + 2], frame.line))
            frame.line = 0;
        stack.push_back(std::move(frame));
    }
    return stack;
}

std::string textOf(const std::vector<EarlierCollectives> &earlier) {
    std::string text;
    for (const EarlierCollectives &each : earlier)
        if (each.communicator != none)
            text.append(text.empty() ? "" : ",")
                .append(std::to_string(each.communicator))
                .append(":")
                .append(std::to_string(each.count));
    return text;
}

std::vector<EarlierCollectives> earlierCollectivesIn(std::string_view text, const IdMap &communicators) {
    std::vector<EarlierCollectives> earlier;
    for (const std::string_view each : split(text, ",")) {
        const std::size_t colon = each.find(':');
        std::uint32_t reference = none;
        EarlierCollectives found;
        if (colon == std::string_view::npos || !parse(each.substr(0, colon), reference) ||
            !parse(each.substr(colon + 1), found.count))
            continue;
        found.communicator = communicators.find(reference);
        if (found.communicator != none)
            earlier.push_back(found);
    }
    std::ranges::sort(earlier, {}, &EarlierCollectives::communicator);
    return earlier;
}

std::string lossesText(const std::vector<Warning> &warnings) {
    constexpr std::size_t most = 1000;
    std::vector<std::string> texts;
    for (const Warning &warning : warnings)
        if (warning.severity == Warning::Severity::DataLoss && texts.size() < 3 * most) {
            texts.push_back(warning.location ? std::to_string(*warning.location) : "-");
            texts.push_back(warning.place);
            texts.push_back(warning.message);
        }
    return listText(texts);
}

std::vector<Warning> lossesIn(std::string_view text) {
    const std::vector<std::string> texts = listIn(text);
    std::vector<Warning> losses;
    for (std::size_t i = 0; i + 2 < texts.size(); i += 3) {
        Warning loss{WarningId::Converted, Warning::Severity::DataLoss, std::nullopt, texts[i + 1], texts[i + 2]};
        if (std::uint64_t location = 0; parse(texts[i], location))
            loss.location = location;
        losses.push_back(std::move(loss));
    }
    return losses;
}

} // namespace laggard::otf2
