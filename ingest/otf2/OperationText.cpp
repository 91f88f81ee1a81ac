// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/OperationText.h"

#include "ingest/assembly/OperationName.h"
#include <array>
#include <charconv>
#include <utility>

namespace laggard::otf2 {
namespace {

using Kind = ProcessEnd::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 5> endNames = {{{Kind::Running, "running"},
                                                                        {Kind::Killed, "killed"},
                                                                        {Kind::Exited, "exited"},
                                                                        {Kind::Signalled, "signalled"},
                                                                        {Kind::Replaced, "replaced"}}};

std::string numberOr(std::uint32_t number, const char *otherwise) {
    return number == none ? std::string(otherwise) : std::to_string(number);
}

std::string receiveText(Rank from, CommunicatorId communicator, std::uint32_t tag, bool anyTag) {
    return "receive from=" + numberOr(from, "*") + " communicator=" + numberOr(communicator, "?") +
           " tag=" + (anyTag ? "*" : std::to_string(tag));
}

std::string collectiveText(const CollectiveKind &kind, std::uint32_t number) {
    std::string text = "collective operation=" + std::string(name(kind.operation)) +
                       " communicator=" + numberOr(kind.communicator, "?") + " root=" + numberOr(kind.root, "-") +
                       " sent=" + std::to_string(kind.bytesSent) + " received=" + std::to_string(kind.bytesReceived) +
                       (kind.nonBlocking ? " nonblocking=1" : "");
    return number == none ? text : text + " number=" + std::to_string(number);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + separator.size());
    }
}

template <typename Number> bool parse(std::string_view text, Number &number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// One operation: a word and values by key.
class Part {
  public:
    explicit Part(std::string_view text) : m_words(split(text, " ")) {}

    [[nodiscard]] std::string_view word() const { return m_words.front(); }
    [[nodiscard]] std::string_view value(std::string_view key) const {
        for (const std::string_view word : m_words)
            if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
                return word.substr(key.size() + 1);
        return {};
    }
    template <typename Number> [[nodiscard]] Number number(std::string_view key, Number otherwise) const {
        Number found = otherwise;
        return parse(value(key), found) ? found : otherwise;
    }

  private:
    std::vector<std::string_view> m_words;
};

Rank rankIn(const Part &part, std::string_view key, Rank rankCount) {
    const Rank rank = part.number<Rank>(key, none);
    return rank < rankCount ? rank : none;
}

CommunicatorId communicatorIn(const Part &part, const IdMap &communicators) {
    const auto reference = part.number<std::uint32_t>("communicator", none);
    return reference == none ? none : communicators.find(reference);
}

CollectiveKind collectiveIn(const Part &part, const IdMap &communicators, Rank rankCount) {
    return {operationNamed(part.value("operation")),   communicatorIn(part, communicators),
            rankIn(part, "root", rankCount),           part.number<std::uint64_t>("sent", 0),
            part.number<std::uint64_t>("received", 0), part.number<unsigned>("nonblocking", 0) != 0};
}

} // namespace

std::string textOf(const PostedOperation &operation) {
    if (operation.isCollective)
        return collectiveText(operation.collective, none);
    const Envelope &envelope = operation.envelope;
    return receiveText(operation.anySource ? none : envelope.peer, envelope.communicator, envelope.tag, operation.anyTag) +
           " bytes=" + std::to_string(envelope.bytes);
}

std::string textOf(const OpenParts &parts) {
    std::string text;
    const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : "; ") + part; };
    for (const OpenParts::Receive &receive : parts.receives)
        add(receiveText(receive.from, receive.communicator, receive.tag, receive.anyTag) +
            (receive.room == OpenParts::anyRoom ? std::string() : " bytes=" + std::to_string(receive.room)) +
            (receive.isPosted ? " posted=1" : ""));
    for (const std::uint32_t send : parts.sends)
        add("send index=" + std::to_string(send));
    if (parts.isCollective)
        add(collectiveText(parts.collective, parts.collectiveNumber));
    if (parts.synchronous)
        add("synchronous");
    if (parts.anyOf)
        add("any");
    return text.empty() ? "nothing" : text;
}

std::string textOf(const std::vector<MessageCount> &waiting) {
    std::string text;
    for (const MessageCount &message : waiting) {
        PostedOperation operation;
        operation.envelope = {message.peer, message.communicator, message.tag, message.bytes};
        text += (text.empty() ? "" : "; ") + textOf(operation);
    }
    return text;
}

std::string textOf(const ProcessEnd &end) {
    for (const auto &[kind, word] : endNames)
        if (kind == end.kind)
            return std::string(word) + ' ' + std::to_string(end.value) + ' ' + std::to_string(end.time);
    return {};
}

std::optional<PostedOperation> postedOperation(std::string_view text, const IdMap &communicators, Rank rankCount) {
    const Part part(text);
    PostedOperation operation;
    if (part.word() == "collective") {
        operation.isCollective = true;
        operation.collective = collectiveIn(part, communicators, rankCount);
        return operation;
    }
    if (part.word() != "receive")
        return std::nullopt;
    operation.anySource = part.value("from") == "*";
    operation.anyTag = part.value("tag") == "*";
    operation.envelope = {rankIn(part, "from", rankCount), communicatorIn(part, communicators),
                          part.number<std::uint32_t>("tag", 0), part.number<std::uint64_t>("bytes", 0)};
    const bool isWhole = operation.anySource || operation.envelope.peer != none;
    return isWhole ? std::optional(operation) : std::nullopt;
}

std::optional<OpenParts> openParts(std::string_view text, const IdMap &communicators, Rank rankCount) {
    OpenParts parts;
    for (const std::string_view each : split(text, "; ")) {
        const Part part(each);
        if (part.word() == "receive") {
            const Rank from = rankIn(part, "from", rankCount);
            if (from == none && part.value("from") != "*")
                return std::nullopt;
            parts.receives.push_back({from, communicatorIn(part, communicators), part.number<std::uint32_t>("tag", 0),
                                      part.value("tag") == "*", part.number<std::uint64_t>("bytes", OpenParts::anyRoom),
                                      part.number<unsigned>("posted", 0) != 0});
        } else if (part.word() == "send") {
            parts.sends.push_back(part.number<std::uint32_t>("index", none));
        } else if (part.word() == "collective") {
            parts.isCollective = true;
            parts.collective = collectiveIn(part, communicators, rankCount);
            parts.collectiveNumber = part.number<std::uint32_t>("number", none);
        } else if (part.word() == "synchronous") {
            parts.synchronous = true;
        } else if (part.word() == "any") {
            parts.anyOf = true;
        } else if (part.word() != "nothing") {
            return std::nullopt;
        }
    }
    if (parts.isCollective && parts.collective.communicator == none)
        return std::nullopt;
    return parts;
}

std::vector<MessageCount> waitingMessages(std::string_view text, const IdMap &communicators, Rank rankCount) {
    std::vector<MessageCount> waiting;
    for (const std::string_view each : split(text, "; "))
        if (const auto operation = postedOperation(each, communicators, rankCount);
            operation && !operation->isCollective && !operation->anySource && operation->envelope.communicator != none)
            waiting.push_back({operation->envelope.peer, operation->envelope.communicator, operation->envelope.tag, 1,
                               operation->envelope.bytes, 0});
    return waiting;
}

std::optional<ProcessEnd> processEnd(std::string_view text) {
    const std::vector<std::string_view> words = split(text, " ");
    ProcessEnd end;
    if (words.size() != 3 || !parse(words[1], end.value) || !parse(words[2], end.time))
        return std::nullopt;
    for (const auto &[kind, word] : endNames)
        if (word == words[0])
            end.kind = kind;
    return end.kind == Kind::Unknown ? std::nullopt : std::optional(end);
}

} // namespace laggard::otf2
