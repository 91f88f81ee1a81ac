// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/SamplesSection.h"

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

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
