// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/OperationText.h"

#include "ingest/assembly/OperationName.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace laggard::otf2 {
namespace {

using EndKind = ProcessEnd::Kind;

constexpr std::array<std::pair<EndKind, std::string_view>, 5> endNames = {{{EndKind::Running, "running"},
                                                                           {EndKind::Killed, "killed"},
                                                                           {EndKind::Exited, "exited"},
                                                                           {EndKind::Signalled, "signalled"},
                                                                           {EndKind::Replaced, "replaced"}}};

using Exit = ProcessEnd::Exit;
using Seen = ProcessEnd::Seen;
constexpr std::array<std::pair<Exit, std::string_view>, 3> exitNames = {
    {{Exit::Normal, "normal"}, {Exit::AtOnce, "atonce"}, {Exit::ByLibrary, "library"}}};
constexpr std::array<std::pair<Seen, std::string_view>, 2> seenNames = {{{Seen::Stopped, "stopped"}, {Seen::Gone, "gone"}}};

std::string numberOr(std::uint32_t number, const char *otherwise) {
    return number == none ? std::string(otherwise) : std::to_string(number);
}

std::string receiveText(Rank from, CommunicatorId communicator, std::uint32_t tag, bool anyTag) {
    return "receive from=" + numberOr(from, "*") + " communicator=" + numberOr(communicator, "?") +
           " tag=" + (anyTag ? "*" : std::to_string(tag));
}

std::string momentsText(const CollectiveKind &kind) {
    if (!kind.hasMoments)
        return {};
    return " sent1=" + std::to_string(kind.sentMoments.first) + " sent2=" + std::to_string(kind.sentMoments.second) +
           " received1=" + std::to_string(kind.receivedMoments.first) +
           " received2=" + std::to_string(kind.receivedMoments.second);
}

std::string factsOf(const CollectiveKind &kind) {
    return flagIfSet("nonblocking", kind.nonBlocking) + valueIfAny("reduction", kind.reduction) +
           valueIfAny("type", kind.basicType) + valueIfAny("call", kind.call) + momentsText(kind);
}

/// "create-handle": a value has no blanks.
std::string wordOf(CollectiveOperation operation) {
    std::string word(name(operation));
    std::ranges::replace(word, ' ', '-');
    return word;
}

CollectiveOperation operationOf(std::string_view word) {
    for (const auto operation : {CollectiveOperation::CreateHandle, CollectiveOperation::DestroyHandle})
        if (word == name(operation).substr(0, name(operation).find(' '))) // as archives had it before
            return operation;
    std::string named(word);
    std::ranges::replace(named, '-', ' ');
    return operationNamed(named);
}

std::string collectiveText(const CollectiveKind &kind, std::uint32_t number) {
    std::string text = "collective operation=" + wordOf(kind.operation) + " communicator=" + numberOr(kind.communicator, "?") +
                       " root=" + numberOr(kind.root, "-") + " sent=" + std::to_string(kind.bytesSent) +
                       " received=" + std::to_string(kind.bytesReceived) + factsOf(kind);
    return text + valueIfAny("number", number);
}

/// "making communicator=3 tag=7 group=81236"; for two groups "making communicator=3 tag=7 own=0 other=2".
std::string makingText(const CommunicatorMaking &making) {
    return "making communicator=" + numberOr(making.communicator, "?") + " tag=" + std::to_string(making.tag) +
           flagIfSet("text", making.isTextTag) + (making.group == 0 ? "" : " group=" + std::to_string(making.group)) +
           valueIfAny("own", making.ownLeader) + valueIfAny("other", making.otherLeader);
}

CommunicatorMaking makingIn(const Part &part, const Limits &limits) {
    return {.communicator = part.communicator(limits),
            .tag = part.number<std::uint32_t>("tag", 0),
            .isTextTag = part.flag("text"),
            .group = part.number<std::uint64_t>("group", 0),
            .ownLeader = part.position("own", limits.ranks),
            .otherLeader = part.position("other", limits.ranks)};
}

Rank rankIn(const Part &part, std::string_view key, const Limits &limits) { return part.position(key, limits.ranks); }

ShareMoments momentsIn(const Part &part, std::string_view first, std::string_view second) {
    return {part.number<std::uint64_t>(first, 0), part.number<std::uint64_t>(second, 0)};
}

CollectiveKind collectiveIn(const Part &part, const Limits &limits) {
    return {operationOf(part.value("operation")),
            part.communicator(limits),
            rankIn(part, "root", limits),
            part.number<std::uint64_t>("sent", 0),
            part.number<std::uint64_t>("received", 0),
            part.flag("nonblocking"),
            part.position("reduction", limits.names),
            part.position("type", limits.names),
            part.position("call", limits.names),
            !part.value("sent1").empty(),
            momentsIn(part, "sent1", "sent2"),
            momentsIn(part, "received1", "received2")};
}

template <typename Value, std::size_t count>
std::string_view nameOf(const std::array<std::pair<Value, std::string_view>, count> &names, Value value) {
    for (const auto &[each, word] : names)
        if (each == value)
            return word;
    return {};
}

/// `otherwise` for a word that is none of these.
template <typename Value, std::size_t count>
Value valueNamed(const std::array<std::pair<Value, std::string_view>, count> &names, std::string_view wanted, Value otherwise) {
    for (const auto &[value, word] : names)
        if (word == wanted)
            return value;
    return otherwise;
}

} // namespace

std::string textOf(const PostedOperation &operation) {
    const std::string origin =
        valueIfAny("row", operation.row) + valueIfAny("started", operation.startedBy) + valueIfAny("made", operation.madeBy);
    if (operation.isCollective)
        return collectiveText(operation.collective, none) + origin;
    const Envelope &envelope = operation.envelope;
    return receiveText(operation.anySource ? none : envelope.peer, envelope.communicator, envelope.tag, operation.anyTag) +
           " bytes=" + std::to_string(envelope.bytes) + flagIfSet("probe", operation.matchedProbe) +
           (operation.part == 0 ? std::string() : valueIfAny("part", operation.part)) + origin;
}

std::string textOf(const TakenMessage &taken, const Envelope &envelope) {
    return receiveText(envelope.peer, envelope.communicator, envelope.tag, false) + " bytes=" + std::to_string(envelope.bytes) +
           flagIfSet("anysource", taken.anySource) + flagIfSet("anytag", taken.anyTag);
}

std::string textOfFacts(const CollectiveKind &kind) {
    const std::string text = factsOf(kind);
    return text.empty() ? text : "collective" + text;
}

void readFacts(std::string_view text, const Limits &limits, CollectiveKind &kind) {
    const CollectiveKind read = collectiveIn(Part(text), limits);
    kind.nonBlocking = read.nonBlocking;
    kind.reduction = read.reduction;
    kind.basicType = read.basicType;
    kind.call = read.call;
    kind.hasMoments = read.hasMoments;
    kind.sentMoments = read.sentMoments;
    kind.receivedMoments = read.receivedMoments;
}

std::string textOf(const OpenParts &parts) {
    std::string text;
    const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : "; ") + part; };
    for (const OpenParts::Receive &receive : parts.receives)
        add(receiveText(receive.from, receive.communicator, receive.tag, receive.anyTag) +
            (receive.room == OpenParts::anyRoom ? std::string() : " bytes=" + std::to_string(receive.room)) +
            (receive.isPosted ? " posted=1 time=" + std::to_string(receive.posted) : "") +
            valueIfAny("started", receive.startedBy) + valueIfAny("made", receive.madeBy));
    for (const std::uint32_t send : parts.sends)
        add("send index=" + std::to_string(send));
    if (parts.isCollective)
        add(collectiveText(parts.collective, parts.collectiveNumber) + valueIfAny("started", parts.collectiveStartedBy) +
            valueIfAny("made", parts.collectiveMadeBy));
    if (parts.making)
        add(makingText(*parts.making));
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
        if (message.messages != 1)
            text += " messages=" + std::to_string(message.messages);
        if (message.held != 0)
            text += " held=" + std::to_string(message.held);
    }
    return text;
}

std::string textOf(const ProcessEnd &end) {
    const std::string_view word = nameOf(endNames, end.kind);
    const std::string_view exit = nameOf(exitNames, end.exit);
    const std::string_view seen = nameOf(seenNames, end.lastSeen);
    return (word.empty() ? "unknown" : std::string(word)) + ' ' + std::to_string(end.value) + ' ' + std::to_string(end.time) +
           (exit.empty() ? "" : " exit=" + std::string(exit)) + flagIfSet("finalized", end.finalized) +
           flagIfSet("stopped", end.isStopped) + (seen.empty() ? "" : " seen=" + std::string(seen));
}

std::optional<PostedOperation> postedOperation(std::string_view text, const Limits &limits) {
    const Part part(text);
    PostedOperation operation;
    operation.row = part.number<std::uint32_t>("row", none);
    operation.startedBy = part.number<std::uint32_t>("started", none);
    operation.madeBy = part.number<std::uint32_t>("made", none);
    operation.part = part.number<std::uint32_t>("part", 0);
    operation.matchedProbe = part.flag("probe");
    if (part.word() == "collective") {
        operation.isCollective = true;
        operation.collective = collectiveIn(part, limits);
        return operation;
    }
    if (part.word() != "receive")
        return std::nullopt;
    operation.anySource = part.value("from") == "*";
    operation.anyTag = part.value("tag") == "*";
    operation.envelope = {rankIn(part, "from", limits), part.communicator(limits), part.number<std::uint32_t>("tag", 0),
                          part.number<std::uint64_t>("bytes", 0)};
    const bool isWhole = operation.anySource || operation.envelope.peer != none;
    return isWhole ? std::optional(operation) : std::nullopt;
}

std::optional<OpenParts> openParts(std::string_view text, const Limits &limits) {
    OpenParts parts;
    for (const std::string_view each : split(text, "; ")) {
        const Part part(each);
        if (part.word() == "receive") {
            const Rank from = rankIn(part, "from", limits);
            if (from == none && part.value("from") != "*")
                return std::nullopt;
            parts.receives.push_back({from, part.communicator(limits), part.number<std::uint32_t>("tag", 0),
                                      part.value("tag") == "*", part.number<std::uint64_t>("bytes", OpenParts::anyRoom),
                                      part.flag("posted"), part.number<Tick>("time", 0),
                                      part.number<std::uint32_t>("started", none), part.number<std::uint32_t>("made", none)});
        } else if (part.word() == "send") {
            parts.sends.push_back(part.number<std::uint32_t>("index", none));
        } else if (part.word() == "collective") {
            parts.isCollective = true;
            parts.collective = collectiveIn(part, limits);
            parts.collectiveNumber = part.number<std::uint32_t>("number", none);
            parts.collectiveStartedBy = part.number<std::uint32_t>("started", none);
            parts.collectiveMadeBy = part.number<std::uint32_t>("made", none);
        } else if (part.word() == "making") {
            parts.making = makingIn(part, limits);
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

std::vector<MessageCount> waitingMessages(std::string_view text, const Limits &limits) {
    std::vector<MessageCount> waiting;
    for (const std::string_view each : split(text, "; "))
        if (const auto operation = postedOperation(each, limits);
            operation && !operation->isCollective && !operation->anySource && operation->envelope.communicator != none)
            waiting.push_back({operation->envelope.peer, operation->envelope.communicator, operation->envelope.tag,
                               Part(each).number<std::uint64_t>("messages", 1), operation->envelope.bytes,
                               Part(each).number<std::uint64_t>("held", 0)});
    return waiting;
}

std::optional<ProcessEnd> processEnd(std::string_view text) {
    const std::vector<std::string_view> words = split(text, " ");
    ProcessEnd end;
    if (words.size() < 3 || !parse(words[1], end.value) || !parse(words[2], end.time))
        return std::nullopt;
    const Part part(text);
    end.kind = valueNamed(endNames, words[0], EndKind::Unknown);
    end.exit = valueNamed(exitNames, part.value("exit"), Exit::Unknown);
    end.finalized = part.flag("finalized");
    end.isStopped = part.flag("stopped");
    end.lastSeen = valueNamed(seenNames, part.value("seen"), Seen::Nothing);
    return end.kind == EndKind::Unknown && words[0] != "unknown" ? std::nullopt : std::optional(end);
}

std::optional<std::pair<TakenMessage, Envelope>> takenMessage(std::string_view text, const Limits &limits) {
    const auto operation = postedOperation(text, limits);
    if (!operation || operation->isCollective || operation->anySource)
        return std::nullopt;
    const Part part(text);
    return std::pair(TakenMessage{none, none, part.flag("anysource"), part.flag("anytag")}, operation->envelope);
}

} // namespace laggard::otf2
