// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/Symbols.h"

#include "ingest/assembly/Demangling.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

namespace laggard::calltrace {
namespace {

struct SymbolLine {
    Symbol symbol;
    char type = ' ';
};

/// A hexadecimal number and the blank after it, taken off `line`.
bool takeNumber(std::string_view &line, std::uint64_t &number) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, 16);
    if (error != std::errc() || end == line.data() + line.size() || *end != ' ')
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
    return true;
}

/// "/src/daemon.c:41", which `nm -l` puts behind a tabulator.
void takePlace(std::string_view &line, Symbol &symbol) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
        return;
    const std::string_view place = line.substr(tab + 1);
    line = line.substr(0, tab);
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos)
        return;
    const std::string_view number = place.substr(colon + 1);
    // "?" stands for a line that is not known.
    if (std::from_chars(number.data(), number.data() + number.size(), symbol.line).ec != std::errc())
        symbol.line = 0;
    symbol.file = place.substr(0, colon);
    if (symbol.file == "?" || symbol.file == "??")
        symbol.file.clear();
}

/// Undefined symbols, which have no address.
bool isUndefined(std::string_view line) { return line.starts_with("    "); }

std::optional<SymbolLine> parseLine(std::string_view line) {
    SymbolLine result;
    if (!takeNumber(line, result.symbol.address))
        return std::nullopt;
    // With -S a second number of the same width follows; without, a single letter.
    if (line.size() > 2 && line[1] != ' ' && !takeNumber(line, result.symbol.size))
        return std::nullopt;
    if (line.size() < 3 || line[1] != ' ')
        return std::nullopt;
    result.type = line[0];
    line.remove_prefix(2);
    takePlace(line, result.symbol);
    if (line.empty())
        return std::nullopt;
    result.symbol.canonicalName = line;
    result.symbol.name = demangled(result.symbol.canonicalName);
    return result;
}

/// Where an address has several names, the smaller is shown.
auto preference(const SymbolLine &line) {
    const std::size_t place = std::string_view("TWtwi").find(line.type);
    return std::tuple(line.symbol.address, place, line.symbol.canonicalName.starts_with('_'), line.symbol.canonicalName);
}

bool isFunction(char type) { return std::string_view("TWtwi").find(type) != std::string_view::npos; }

} // namespace

SymbolTable::SymbolTable(std::string_view text) {
    std::vector<SymbolLine> lines;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || isUndefined(line))
            continue;
        if (std::optional<SymbolLine> parsed = parseLine(line)) {
            if (isFunction(parsed->type))
                lines.push_back(std::move(*parsed));
        } else {
            ++m_unreadable;
        }
    }
    std::sort(lines.begin(), lines.end(), [](const SymbolLine &a, const SymbolLine &b) { return preference(a) < preference(b); });
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::uint32_t> copies;
    for (SymbolLine &line : lines) {
        if (!m_symbols.empty() && m_symbols.back().address == line.symbol.address)
            continue;
        line.symbol.copy = copies[{line.symbol.canonicalName, line.symbol.file, line.symbol.line}]++;
        m_symbols.push_back(std::move(line.symbol));
    }
}

const Symbol *SymbolTable::find(std::uint64_t address) const {
    const auto after = std::upper_bound(m_symbols.begin(), m_symbols.end(), address,
                                        [](std::uint64_t a, const Symbol &symbol) { return a < symbol.address; });
    if (after == m_symbols.begin())
        return nullptr;
    const Symbol &symbol = *std::prev(after);
    const bool contains = symbol.address == address || address - symbol.address < symbol.size;
    return contains ? &symbol : nullptr;
}

} // namespace laggard::calltrace
