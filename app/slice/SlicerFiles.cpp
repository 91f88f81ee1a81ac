// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/SlicerFiles.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

/// Names in traces may hold line ends.
std::string onOneLine(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
    return text;
}

std::string frameText(const Frame &frame) {
    const bool hasPlace = !frame.file.empty() && frame.line != 0;
    const std::string function = frame.function.empty() ? "?" : frame.function;
    return onOneLine(hasPlace ? function + ' ' + frame.file + ':' + std::to_string(frame.line) : function);
}

Json framesOf(const std::vector<Frame> &frames) {
    Json list = Json::array();
    for (const Frame &frame : frames)
        list.push_back(frameText(frame));
    return list;
}

} // namespace

std::string stackText(const SliceStack &stack) {
    std::string text = "# ranks " + formatRanges(stack.ranks) + '\n';
    if (!stack.end.empty())
        text += "# ended " + onOneLine(stack.end) + '\n';
    for (const Frame &frame : stack.frames)
        text += frameText(frame) + '\n';
    return text;
}

std::string messagesText(const std::vector<SliceMessages> &messages) {
    Json list = Json::array();
    for (const SliceMessages &message : messages)
        list.push_back({{"kind", message.isCollective ? "collective" : "p2p"},
                        {"to", formatRanges(message.to)},
                        {"receive", framesOf(message.receive)},
                        {"from", formatRanges(message.from)},
                        {"send", framesOf(message.send)},
                        {"count", message.count}});
    return Json{{"messages", list}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace laggard
