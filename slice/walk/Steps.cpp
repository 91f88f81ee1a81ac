// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Steps.h"

#include <algorithm>
#include <numeric>

namespace laggard::slice {

namespace {

/// "inflow" of "&inflow": what is behind an address that is handed to a call.
std::string withoutAddress(std::string name) { return name.starts_with('&') ? name.substr(1) : name; }

/// The order of lines at one distance: the criterion, values, and then why they were computed at all.
int rankOf(Why why) { return why == Why::Criterion ? 0 : why == Why::Control || why == Why::Call ? 2 : 1; }

} // namespace

void Steps::add(std::uint32_t place, unsigned distance, const Reason &reason, std::uint32_t function, const std::string &ranks) {
    if (place == none || program.systemFile[program.places[place].file])
        return;
    auto &index = reason.why == Why::Message ? messageLines.try_emplace({place, sentences[reason.detail]}, noLine).first->second
                                             : lineOf[place];
    if (index == noLine) {
        index = lines.size();
        lines.push_back({place, function, distance, reason, ranks});
        return;
    }
    auto &line = lines[index];
    const bool saysMore = distance == line.distance && line.reason.why == Why::Criterion && line.reason.subject == none &&
                          reason.why == Why::Criterion;
    if (distance < line.distance || saysMore)
        line = {place, function, distance, reason, ranks};
}

std::uint32_t Steps::sentence(std::string text) {
    sentences.push_back(std::move(text));
    return static_cast<std::uint32_t>(sentences.size() - 1);
}

void Steps::standAt(std::uint32_t place) {
    if (origin == none)
        origin = place;
}

std::string Steps::describe(std::uint32_t place) const {
    const auto &file = program.files[program.places[place].file];
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(program.places[place].line);
}

std::string Steps::detailOf(const Line &line, const std::string &variable) const {
    if (line.reason.detail != none)
        return sentences[line.reason.detail];
    const auto user = line.reason.from == none || line.reason.from == line.place ? std::string() : describe(line.reason.from);
    const auto name = variable.empty() ? std::string("A value") : "`" + variable + "`";
    switch (line.reason.why) {
    case Why::Criterion:
        return variable.empty() ? "Here it stands." : name + " decides here whether the loop goes on.";
    case Why::Data:
        return (variable.empty() ? std::string("A value is computed here") : name + " gets its value here") +
               (user.empty() ? "." : ", which " + user + " uses.");
    case Why::Control:
        if (line.reason.isJump && variable.empty())
            return "Behind " + (user.empty() ? "the rest of the line" : user) + " it goes on elsewhere from here.";
        if (line.reason.isJump)
            return (variable.empty() ? std::string("A condition") : name) + (user.empty() ? "" : " at " + user) +
                   " decides whether this jump is taken.";
        return (variable.empty() ? std::string("A condition") : name) + " decides here whether " +
               (user.empty() ? "the rest of the line" : user) + " is executed.";
    case Why::Call:
        if (line.reason.callee != none)
            return name + " gets its value in the call of " + program.functions[line.reason.callee].plain +
                   (user.empty() ? "." : ", and " + user + " uses it.");
        return variable.empty() ? "The call that leads to " + (user.empty() ? std::string("where it stands") : user) + "."
                                : name + " is handed over here" + (user.empty() ? "." : ", which " + user + " uses.");
    case Why::Message:
        break;
    }
    return {};
}

std::vector<SliceStep> Steps::ordered(const Names &names) const {
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t index) {
        const auto &place = program.places[lines[index].place];
        const auto from = origin == none ? place : program.places[origin];
        const auto away = place.line > from.line ? place.line - from.line : from.line - place.line;
        return std::tuple(lines[index].distance, rankOf(lines[index].reason.why), place.file != from.file,
                          place.file == from.file ? away : place.line, index);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::vector<SliceStep> steps;
    for (const auto index : order) {
        const auto &line = lines[index];
        SliceStep step;
        step.file = program.files[program.places[line.place].file];
        step.line = program.places[line.place].line;
        step.distance = line.distance;
        step.why = line.reason.why;
        step.variable = line.reason.subject == none ? std::string() : withoutAddress(names.value(line.reason.subject));
        step.function = line.function == none ? std::string() : program.functions[line.function].plain;
        step.step = static_cast<unsigned>(steps.size() + 1);
        step.detail = detailOf(line, step.variable);
        step.ranks = line.ranks;
        steps.push_back(std::move(step));
    }
    return steps;
}

} // namespace laggard::slice
