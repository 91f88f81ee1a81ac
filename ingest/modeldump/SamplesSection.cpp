// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/SamplesSection.h"

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

/// A rank or tag, or a word.
std::int64_t peerOrTag(DumpInput &json, Value value) {
    if (!json.isString(value))
        return json.number32(value);
    const std::string word = json.string(value);
    if (word != "any" && word != "nobody")
        json.fail('"' + word.substr(0, 40) + "\" is neither a number, nor any, nor nobody");
    return word == "any" ? MpiArguments::any : MpiArguments::nobody;
}

std::vector<std::uint32_t> members(DumpInput &json, Value value) {
    std::vector<std::uint32_t> read;
    json.array(value, [&](Value each) { read.push_back(json.number32(each)); });
    return read;
}

std::vector<MpiArguments::Pending> pending(DumpInput &json, Value value) {
    std::vector<MpiArguments::Pending> read;
    json.array(value, [&](Value entry) {
        MpiArguments::Pending &pending = read.emplace_back();
        json.object(entry, [&](std::string_view key, Value each) {
            if (key == "send")
                pending.isSend = json.boolean(each);
            else if (key == "peer")
                pending.peer = peerOrTag(json, each);
            else if (key == "tag")
                pending.tag = peerOrTag(json, each);
        });
    });
    return read;
}

std::shared_ptr<const MpiArguments> arguments(DumpInput &json, Value value) {
    auto read = std::make_shared<MpiArguments>();
    json.object(value, [&](std::string_view key, Value each) {
        if (key == "to")
            read->to = peerOrTag(json, each);
        else if (key == "to_tag")
            read->toTag = peerOrTag(json, each);
        else if (key == "from")
            read->from = peerOrTag(json, each);
        else if (key == "from_tag")
            read->fromTag = peerOrTag(json, each);
        else if (key == "root")
            read->root = json.number32(each);
        else if (key == "count")
            read->count = json.number32(each);
        else if (key == "communicator")
            read->communicator = json.string(each);
        else if (key == "communicator_size")
            read->communicatorSize = json.number32(each);
        else if (key == "communicator_number")
            read->communicatorNumber = json.number(each);
        else if (key == "members")
            read->members = members(json, each);
        else if (key == "pending")
            read->pending = pending(json, each);
    });
    return read;
}

DumpContent::Sampled thread(DumpInput &json, Value value) {
    DumpContent::Sampled sampled;
    json.object(value, [&](std::string_view key, Value each) {
        if (key == "ranks")
            sampled.ranks = json.ranks(each);
        else if (key == "sample")
            sampled.stack.sample = json.number32(each);
        else if (key == "thread")
            sampled.stack.thread = json.number32(each);
        else if (key == "call_path")
            sampled.stack.callPath = json.numberOrNone(each);
        else if (key == "site")
            sampled.stack.site = json.numberOrNone(each);
        else if (key == "stays")
            sampled.stack.stays = json.numberOrNone(each);
        else if (key == "moves")
            sampled.stack.moves = json.boolean(each);
        else if (key == "arguments")
            sampled.stack.arguments = arguments(json, each);
        else if (key == "stopped")
            sampled.stack.isStopped = json.boolean(each);
    });
    return sampled;
}

} // namespace

void readSamples(DumpInput &json, Value value, DumpContent &content) {
    content.hasSamples = true;
    json.object(value, [&](std::string_view key, Value each) {
        if (key == "ticks")
            json.array(each, [&](Value time) { content.sampleTimes.push_back(json.number(time)); });
        else if (key == "threads")
            json.array(each, [&](Value entry) { content.sampled.push_back(thread(json, entry)); });
    });
}

} // namespace laggard::modeldump
