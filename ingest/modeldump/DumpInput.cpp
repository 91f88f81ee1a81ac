// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpInput.h"

namespace laggard::modeldump {

namespace {

simdjson::padded_string textOf(const std::string &file) {
    simdjson::padded_string text;
    if (const auto error = simdjson::padded_string::load(file).get(text); error != simdjson::SUCCESS)
        throw ReadError("The model dump \"" + file + "\" cannot be read.");
    return text;
}

} // namespace

DumpInput::DumpInput(const std::string &file) : JsonInput("model dump \"" + file + '"', textOf(file)) {}

std::int32_t DumpInput::signed32(Value value) {
    const std::int64_t wide = signedNumber(value);
    if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max())
        fail("the number " + std::to_string(wide) + " is too large");
    return static_cast<std::int32_t>(wide);
}

std::vector<std::uint32_t> DumpInput::numbers32(Value value, std::size_t count) {
    std::vector<std::uint32_t> result;
    for (const std::uint64_t number : numbers(value, count, count)) {
        if (number >= none)
            fail("the number " + std::to_string(number) + " is too large");
        result.push_back(static_cast<std::uint32_t>(number));
    }
    return result;
}

} // namespace laggard::modeldump
