// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Spec.h"

#include <array>
#include <charconv>
#include <utility>

namespace laggard::collect {

namespace {

constexpr std::array<std::pair<FaultKind, const char *>, 8> kinds{{
    {FaultKind::FiniteLoop, "FIN_LOOP"},
    {FaultKind::InfiniteLoop, "INF_LOOP"},
    {FaultKind::DropMessage, "DROP_MESG"},
    {FaultKind::RepeatMessage, "REP_MESG"},
    {FaultKind::CpuThread, "CPU_THR"},
    {FaultKind::MemoryThread, "MEM_THR"},
    {FaultKind::Slow, "SLOW"},
    {FaultKind::Census, "CENSUS"},
}};
constexpr std::array<std::pair<FaultPlace, const char *>, 4> places{{
    {FaultPlace::Before, "before"},
    {FaultPlace::Inside, "inside"},
    {FaultPlace::After, "after"},
    {FaultPlace::Function, "function"},
}};

template <typename Names, typename Value> bool findName(const Names &names, std::string_view text, Value &value) {
    for (const auto &[known, name] : names) {
        if (text == name) {
            value = known;
            return true;
        }
    }
    return false;
}

template <typename Number> bool parseNumber(std::string_view text, Number &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

std::string quoted(std::string_view text) {
    std::string result(1, '\'');
    result += text;
    result += '\'';
    return result;
}

/// "1G", "512M", "4096"
bool parseBytes(std::string_view text, std::uint64_t &bytes) {
    unsigned shift = 0;
    if (!text.empty()) {
        const std::size_t unit = std::string_view("KMG").find(text.back());
        if (unit != std::string_view::npos) {
            shift = 10U * (static_cast<unsigned>(unit) + 1);
            text.remove_suffix(1);
        }
    }
    if (!parseNumber(text, bytes) || bytes == 0 || bytes > UINT64_MAX >> shift)
        return false;
    bytes <<= shift;
    return true;
}

bool parseRange(std::string_view text, FaultSpec &spec) {
    const std::size_t dash = text.find('-');
    return dash != std::string_view::npos && parseNumber(text.substr(0, dash), spec.firstInstance) &&
           parseNumber(text.substr(dash + 1), spec.lastInstance) && spec.firstInstance >= 1 &&
           spec.firstInstance <= spec.lastInstance;
}

bool parsePlace(std::string_view text, FaultSpec &spec) {
    FaultPlace place{};
    if (!findName(places, text, place))
        return false;
    spec.place = place;
    return true;
}

/// The sentence that says what is wrong; empty if nothing is.
std::string parseOption(std::string_view key, std::string_view value, FaultSpec &spec) {
    bool isGood = true;
    if (key == "seed")
        isGood = parseNumber(value, spec.seed);
    else if (key == "rank")
        isGood = value == "random" || (parseNumber(value, spec.rank.emplace()) && *spec.rank >= 0);
    else if (key == "at")
        isGood = value == "random" || parsePlace(value, spec);
    else if (key == "op")
        spec.operation = value == "random" ? "" : value;
    else if (key == "function")
        spec.function = value == "random" ? "" : value;
    else if (key == "instance")
        isGood = value == "random" || (parseNumber(value, spec.instance.emplace()) && *spec.instance >= 1);
    else if (key == "range")
        isGood = parseRange(value, spec);
    else if (key == "census")
        spec.census = value;
    else if (key == "seconds")
        isGood = parseNumber(value, spec.seconds.emplace()) && *spec.seconds >= 0 && *spec.seconds < 1e9;
    else if (key == "size")
        isGood = parseBytes(value, spec.bytes);
    else if (key == "factor")
        isGood = parseNumber(value, spec.factor) && spec.factor >= 1 && spec.factor < 1e6;
    else
        return "there is no " + quoted(key) + " in a fault's specification";
    if (isGood && value == "random") {
        if (key == "rank")
            spec.rank.reset();
        else if (key == "instance")
            spec.instance.reset();
    }
    return isGood ? std::string() : quoted(value) + " is no value for " + quoted(key);
}

std::string contradictionIn(FaultSpec &spec) {
    const bool isMessageFault = spec.kind == FaultKind::DropMessage || spec.kind == FaultKind::RepeatMessage;
    if (!spec.function.empty() && !spec.operation.empty())
        return "a fault is at a function or at an MPI operation, not at both";
    if (isMessageFault && (spec.place || !spec.function.empty()))
        return "a message fault has no place other than the operation that sends the message";
    if (!spec.function.empty() && !spec.place)
        spec.place = FaultPlace::Function;
    if (!spec.function.empty() && spec.place != FaultPlace::Function)
        return "a fault at a function strikes at its entry";
    if (!spec.operation.empty() && spec.place == FaultPlace::Function)
        return "a fault at an MPI operation strikes before, inside or after it";
    if (!spec.operation.empty() && !spec.operation.starts_with("MPI_"))
        return quoted(spec.operation) + " is no MPI operation";
    return {};
}

template <typename Names, typename Value> const char *nameIn(const Names &names, Value value) {
    for (const auto &[known, name] : names)
        if (known == value)
            return name;
    return "";
}

} // namespace

const char *nameOf(FaultKind kind) { return nameIn(kinds, kind); }
const char *nameOf(FaultPlace place) { return nameIn(places, place); }

ParsedSpec parseFaultSpec(std::string_view text) {
    FaultSpec spec;
    const std::string_view kind = text.substr(0, text.find(':'));
    if (!findName(kinds, kind, spec.kind))
        return {std::nullopt, "there is no fault " + quoted(kind)};
    std::string_view rest = kind.size() == text.size() ? std::string_view() : text.substr(kind.size() + 1);
    while (!rest.empty()) {
        const std::string_view option = rest.substr(0, rest.find(','));
        rest.remove_prefix(option.size() == rest.size() ? rest.size() : option.size() + 1);
        const std::size_t equals = option.find('=');
        if (equals == std::string_view::npos)
            return {std::nullopt, quoted(option) + " has no '='"};
        if (std::string error = parseOption(option.substr(0, equals), option.substr(equals + 1), spec); !error.empty())
            return {std::nullopt, std::move(error)};
    }
    if (std::string error = contradictionIn(spec); !error.empty())
        return {std::nullopt, std::move(error)};
    return {std::move(spec), {}};
}

} // namespace laggard::collect
