// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Quantity.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace laggard {
namespace {

std::string format(const char *pattern, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, pattern, value);
    return buffer;
}

} // namespace

std::string describeCount(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ','); // GCC 12 warns of a string here
    return digits;
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string plural(std::uint64_t count, std::string_view singular) {
    return describeCount(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::string describeDuration(double seconds) {
    const double size = std::fabs(seconds);
    if (size >= 120)
        return format("%.0f min", std::floor(seconds / 60)) + format(" %.0f s", std::fmod(seconds, 60));
    if (size >= 1 || size == 0)
        return format("%.3g s", seconds);
    if (size >= 1e-3)
        return format("%.3g ms", seconds * 1e3);
    return size >= 1e-6 ? format("%.3g µs", seconds * 1e6) : format("%.3g ns", seconds * 1e9);
}

std::string describeScore(double score) {
    constexpr double most = 1e6; // from here on the digits of a plain number have to be counted
    const std::string text = format("%.3g", score);
    const std::size_t at = text.find('e');
    if (at == std::string::npos)
        return text;
    const double rounded = std::strtod(text.c_str(), nullptr);
    if (std::fabs(rounded) >= 1 && std::fabs(rounded) < most)
        return std::string(rounded < 0 ? "-" : "")
            .append(describeCount(static_cast<std::uint64_t>(std::llround(std::fabs(rounded)))));
    static constexpr const char *raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = std::atoi(text.c_str() + at + 1);
    std::string digits = power < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(power)))
        digits += raised[digit - '0'];
    return text.substr(0, at) + "×10" + digits;
}

} // namespace laggard
