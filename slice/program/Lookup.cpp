// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Lookup.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>

namespace laggard::slice {

namespace {

/// The compiler's own names of lambdas: GCC's, Clang's, and those of both in debug information.
bool namesLambda(std::string_view name) {
    return name.find("{lambda(") != std::string_view::npos || name.find("<lambda(") != std::string_view::npos ||
           name.find("'lambda") != std::string_view::npos || name.find("$_") != std::string_view::npos ||
           (name.starts_with("_Z") && name.find("Ul") != std::string_view::npos);
}

/// Where the bracket that opens at `open` is closed; the name's end if it is not.
std::size_t closing(const std::string &name, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < name.size(); ++i) {
        depth += name[i] == '(' ? 1 : 0;
        if (name[i] == ')' && --depth == 0)
            return i;
    }
    return name.size();
}

/// Whether brackets belong to a part of a name: "(anonymous namespace)::f", "main(int)::{lambda()#1}", "'lambda'(int) g()".
bool isScope(const std::string &name, std::size_t open, std::size_t close) {
    const auto rest = std::string_view(name).substr(std::min(close + 1, name.size()));
    return rest.starts_with("::") || rest.starts_with(" const::") || (open > 0 && name[open - 1] == '\'');
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

/// "for_each" of "std::for_each<int *, main::{lambda(int)#1}>": lambdas have other names in each compiler, and so has all that is
/// made for them.
std::string bareName(const std::string &name) {
    const auto last = lastName(name);
    constexpr std::string_view call = "operator()";
    if (last.starts_with("operator"))
        return last.starts_with(call) ? std::string(call) : last;
    return last.substr(0, last.find('<'));
}

} // namespace

std::string withoutParameters(const std::string &name) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (depth == 0 && name.compare(i, 8, "operator") == 0) {
            const auto open = name.find('(', name.compare(i, 10, "operator()") == 0 ? i + 10 : i + 8);
            const auto end = open == std::string::npos ? open : closing(name, open);
            const auto nested = end == std::string::npos ? end : name.find("::", end);
            if (nested == std::string::npos)
                return name.substr(begin, open == std::string::npos ? open : open - begin);
            i = nested; // belongs to a function inside that operator
        } else if (c == '<' || c == '{') {
            ++depth;
        } else if (c == '>' || c == '}') {
            --depth;
        } else if (c == '(' && depth == 0) {
            const auto end = closing(name, i);
            if (!isScope(name, i, end))
                return name.substr(begin, i - begin);
            i = end;
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
        byBareName[bareName(function.plain)].push_back(id);
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

std::vector<std::uint32_t> Lookup::find(const SourcePlace &frame) const {
    const auto plain = withoutParameters(llvm::demangle(frame.function));
    const bool hasLambda = namesLambda(frame.function);
    auto found = byName.find(frame.function);
    if (found == byName.end())
        found = byName.find(plain);
    if (found == byName.end() && !hasLambda)
        found = byName.find(lastName(plain));
    const bool isByPlace = found == byName.end(); // else a template without its arguments
    if (isByPlace)
        found = byBareName.find(bareName(plain));
    if (found == byName.end() || found == byBareName.end())
        return {};
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
    int most = isByPlace ? sureOfPlace : 0;
    std::vector<std::uint32_t> best;
    for (const auto id : found->second) {
        const auto points = fit(id);
        if (points > most)
            best.clear();
        if (points >= most)
            best.push_back(id);
        most = std::max(most, points);
    }
    return best;
}

} // namespace laggard::slice
