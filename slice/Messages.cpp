// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Messages.h"

#include "ingest/assembly/JsonInput.h"
#include "slice/Stacks.h"
#include "slice/units/SourceFiles.h"
#include "trace/Quantity.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

#include <optional>
#include <simdjson.h>
#include <stdexcept>

namespace laggard {
namespace {

namespace dom = simdjson::dom;

/// Messages are told once for each pair of places in the code, not each time that one was sent.
constexpr std::uint64_t mostFileBytes = std::uint64_t{256} << 20U;

std::optional<std::vector<SourcePlace>> stackOf(dom::object message, const char *key) {
    dom::array frames;
    if (message[key].get(frames) != simdjson::SUCCESS)
        return std::nullopt;
    std::vector<SourcePlace> stack;
    for (const dom::element frame : frames) {
        std::string_view text;
        auto place = frame.get(text) == simdjson::SUCCESS ? parseFrame(text) : std::nullopt;
        if (!place)
            return std::nullopt;
        stack.push_back(std::move(*place));
    }
    return stack.empty() ? std::nullopt : std::optional(std::move(stack));
}

/// Ranges of ranks; empty where none are told.
std::optional<std::string> ranksOf(dom::object message, const char *key) {
    std::string_view text;
    if (message[key].get(text) != simdjson::SUCCESS)
        return std::string();
    try {
        return formatRanges(parseRanges(text));
    } catch (const std::invalid_argument &) {
        return std::nullopt;
    }
}

std::optional<MatchedMessage> parseMessage(dom::element element) {
    dom::object message;
    std::string_view kind;
    if (element.get(message) != simdjson::SUCCESS || message["kind"].get(kind) != simdjson::SUCCESS ||
        (kind != "p2p" && kind != "collective"))
        return std::nullopt;
    auto receive = stackOf(message, "receive");
    auto send = stackOf(message, "send");
    auto to = ranksOf(message, "to");
    auto from = ranksOf(message, "from");
    if (!receive || !send || !to || !from)
        return std::nullopt;
    MatchedMessage result{std::string(kind), std::move(*to), std::move(*receive), std::move(*from), std::move(*send), 1};
    std::uint64_t count = 0;
    if (message["count"].get(count) == simdjson::SUCCESS)
        result.count = count;
    return result;
}

} // namespace

MessagesFile readMessagesFile(const std::string &file) {
    const auto text = contentOf(file, mostFileBytes);
    if (!text)
        throw ReadError("The file of messages \"" + file + "\" cannot be read: it is not there, no file, or too large.");
    dom::parser parser;
    dom::element root;
    if (const auto error = parser.parse(*text).get(root); error != simdjson::SUCCESS)
        throw ReadError("The file of messages \"" + file + "\" is not valid JSON: " + sentenceOf(error));
    dom::array messages;
    if (root["messages"].get(messages) != simdjson::SUCCESS)
        throw ReadError("The file of messages \"" + file + "\" has no array \"messages\".");
    MessagesFile read;
    std::size_t wrong = 0;
    for (const dom::element element : messages) {
        if (auto message = parseMessage(element))
            read.messages.push_back(std::move(*message));
        else
            ++wrong;
    }
    if (wrong != 0)
        read.warnings.push_back("The file of messages \"" + file + "\" has " + plural(wrong, "message") +
                                " without kind, ranks or stacks that make sense, left out.");
    return read;
}

} // namespace laggard
