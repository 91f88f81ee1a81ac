// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Lookup.h"

#include <algorithm>

namespace laggard::slice {

namespace {

/// The compiler's own names of lambdas: GCC's and Clang's are not the same.
bool isLambda(std::string_view name) {
    return name.find("{lambda(") != std::string_view::npos || name.find("$_") != std::string_view::npos ||
           name.find("Ul") != std::string_view::npos;
}

/// "get" of "ns::Box<int>::get".
std::string lastName(const std::string &name) {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 1;) {
        if (name[i] == '>')
            ++depth;
        else if (name[i] == '<')
            --depth;
        else if (depth == 0 && name[i] == ':' && name[i - 1] == ':')
            return name.substr(i + 1);
    }
    return name;
}

} // namespace

std::string withoutParameters(const std::string &name) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (name.compare(i, 8, "operator") == 0) {
            const auto open = name.find('(', name.compare(i, 10, "operator()") == 0 ? i + 10 : i + 8);
            return name.substr(begin, open == std::string::npos ? open : open - begin);
        }
        if (c == '<') {
            ++depth;
        } else if (c == '>') {
            --depth;
        } else if (c == '(' && depth == 0) {
            constexpr std::string_view unnamed = "(anonymous namespace)";
            if (name.compare(i, unnamed.size(), unnamed) != 0)
                return name.substr(begin, i - begin);
            i += unnamed.size() - 1;
        } else if (c == ' ' && depth == 0) {
            begin = i + 1;
        }
    }
    return name.substr(begin);
}

Lookup::Lookup(const Program &known) : program(known), instances(known.functions.size()) {
    for (std::uint32_t id = 0; id < program.functions.size(); ++id) {
        const auto &function = program.functions[id];
        if (!function.defined())
            continue;
        instances[function.origin].push_back(id);
        if (function.origin != id)
            continue;
        byName[function.name].push_back(id);
        if (function.plain != function.name)
            byName[function.plain].push_back(id);
        if (const auto last = lastName(function.plain); last != function.plain)
            byName[last].push_back(id);
    }
}

bool Lookup::sameFile(std::string_view a, std::string_view b) {
    if (a.size() > b.size())
        std::swap(a, b);
    while (a.starts_with("./"))
        a.remove_prefix(2);
    const auto name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    // A path that does not begin at the root, or begins at another one, may lack its first folders.
    return b.ends_with(a) ? a.size() == b.size() || b[b.size() - a.size() - 1] == '/' || a.starts_with('/')
                          : a.find('/') != std::string_view::npos && name(a) == name(b);
}

bool Lookup::isAt(Node node, std::string_view file, std::uint32_t line) const {
    const auto place = program.nodes[node].place;
    if (place == none || program.places[place].line != line)
        return false;
    return file.empty() || sameFile(program.files[program.places[place].file], file);
}

std::uint32_t Lookup::find(const SourcePlace &frame) const {
    auto found = byName.find(frame.function);
    if (found == byName.end())
        found = byName.find(withoutParameters(frame.function));
    if (found == byName.end() && !isLambda(frame.function))
        found = byName.find(lastName(withoutParameters(frame.function)));
    const bool isByPlace = found == byName.end() && isLambda(frame.function);
    if (isByPlace)
        found = byName.find("operator()");
    if (found == byName.end())
        return none;
    const auto fit = [&](std::uint32_t id) {
        const auto &function = program.functions[id];
        int points = 0;
        if (function.file != none && !frame.file.empty())
            points += sameFile(program.files[function.file], frame.file) ? 4 : 0;
        if (frame.line != 0 && frame.line >= function.firstLine && frame.line <= function.lastLine)
            points += 2;
        if (function.name == frame.function || function.plain == frame.function)
            points += 1;
        return points;
    };
    constexpr int sureOfPlace = 6; // file and lines
    const auto best =
        *std::max_element(found->second.begin(), found->second.end(), [&](auto a, auto b) { return fit(a) < fit(b); });
    return !isByPlace || fit(best) >= sureOfPlace ? best : none;
}

} // namespace laggard::slice
