// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/SliceJson.h"

#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace laggard {

std::string_view nameOf(Why why) {
    switch (why) {
    case Why::Criterion:
        return "criterion";
    case Why::Data:
        return "data";
    case Why::Control:
        return "control";
    case Why::Call:
        return "call";
    case Why::Message:
        return "message";
    }
    return "";
}

std::string sliceJson(const SliceResult &slice) {
    using Json = nlohmann::ordered_json;
    Json root;
    root["schema"] = "laggard.slice/1";
    Json &lines = root["lines"] = Json::array();
    for (const SliceStep &step : slice.steps) { // key by key: lists of pairs are copied several times
        Json &line = lines.emplace_back(Json::object());
        line["file"] = step.file;
        line["line"] = step.line;
        line["distance"] = step.distance;
        line["why"] = nameOf(step.why);
        line["variable"] = step.variable;
        line["step"] = step.step;
        line["function"] = step.function;
        line["detail"] = step.detail;
        line["ranks"] = step.ranks;
        line["code"] = step.code;
    }
    root["truncated"] = slice.truncated;
    root["warnings"] = slice.warnings;
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string sliceText(const SliceResult &slice) {
    std::string text;
    std::string ranks;
    for (const SliceStep &step : slice.steps) {
        if (step.ranks != ranks && !step.ranks.empty())
            text += (step.ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + printable(step.ranks) + '\n';
        ranks = step.ranks;
        text += std::to_string(step.step) + ". " + printable(std::filesystem::path(step.file).filename().string()) + ':' +
                std::to_string(step.line) + " in " + printable(step.function) + ": " + step.code + '\n';
        text += "    " + std::string(nameOf(step.why)) + (step.detail.empty() ? "" : ": ") + printable(step.detail) + '\n';
    }
    if (slice.steps.empty())
        text = "No line of the slice was found.\n";
    if (slice.truncated)
        text += "The time was not enough: this is not the whole slice.\n";
    return text;
}

} // namespace laggard
