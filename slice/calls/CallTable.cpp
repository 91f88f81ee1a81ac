// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/calls/CallTable.h"

#include <stdexcept>
#include <utility>

namespace laggard::slice {

namespace {

struct Word {
    std::string_view word;
    Use use;
};

/// "later" and "window": what other ranks put into a window is there when its epoch ends.
constexpr Word words[] = {
    {"-", Use::Nothing},
    {"value", Use::Value},
    {"partner", Use::Value | Use::Partner},
    {"within", Use::Value | Use::Partner | Use::Within},
    {"count", Use::Value | Use::Count},
    {"in", Use::Reads},
    {"ins", Use::Reads | Use::Many},
    {"out", Use::Writes},
    {"outs", Use::Writes | Use::Many},
    {"inout", Use::Reads | Use::Writes},
    {"inouts", Use::Reads | Use::Writes | Use::Many},
    {"maybe", Use::Writes | Use::Many | Use::Maybe},
    {"handed", Use::Value | Use::Reads | Use::Writes | Use::Many | Use::Maybe},
    {"sends", Use::Reads | Use::Many | Use::Sends},
    {"receives", Use::Writes | Use::Many | Use::Receives},
    {"exchanges", Use::Reads | Use::Writes | Use::Many | Use::Sends | Use::Receives},
    {"shares", Use::Reads | Use::Writes | Use::Many | Use::Maybe | Use::Sends | Use::Receives},
    {"later", Use::Writes | Use::Many | Use::Later | Use::Receives},
    {"sharesLater", Use::Reads | Use::Writes | Use::Many | Use::Later | Use::Sends | Use::Receives},
    {"makes", Use::Writes | Use::Makes},
    {"completes", Use::Reads | Use::Writes | Use::Maybe | Use::Completes | Use::Partner},
    {"completesAll", Use::Reads | Use::Writes | Use::Maybe | Use::Many | Use::Completes | Use::Partner},
    {"window", Use::Value | Use::Partner | Use::Completes},
    {"copyTo", Use::Writes | Use::Many | Use::CopyTo},
    {"copyFrom", Use::Reads | Use::Many | Use::CopyFrom},
    {"callback", Use::Callback},
    {"argument", Use::Value | Use::Reads | Use::Writes | Use::Many | Use::Maybe | Use::Handed},
    {"links", Use::Value | Use::Reads | Use::Writes | Use::Maybe | Use::Links},
    {"jumps", Use::Reads | Use::Many | Use::Jumps},
    {"outNew", Use::Writes | Use::Fresh},
};

Use useOf(std::string_view word) {
    for (const auto &known : words)
        if (known.word == word)
            return known.use;
    throw std::logic_error("a table of calls has an unknown word: " + std::string(word));
}

CallRule ruleOf(const CallRow &row, bool isMpi) {
    CallRule rule;
    rule.kind = row.kind;
    rule.result = row.result;
    rule.isMpi = isMpi;
    for (std::size_t at = 0; at < row.arguments.size();) {
        auto end = row.arguments.find(' ', at);
        if (end == std::string_view::npos)
            end = row.arguments.size();
        auto word = row.arguments.substr(at, end - at);
        if (word.ends_with('*'))
            rule.rest = useOf(word.substr(0, word.size() - 1));
        else
            rule.arguments.push_back(useOf(word));
        at = end + 1;
    }
    return rule;
}

} // namespace

void CallTable::add(std::span<const CallRow> rows, bool isMpi) {
    for (const auto &row : rows)
        rules.try_emplace(row.name, ruleOf(row, isMpi));
}

CallTable::CallTable() {
    add(mpiCalls(), true);
    add(libraryCalls(), false);
    handed.rest = useOf("handed");
}

const CallRule *CallTable::find(std::string_view name) const {
    if (name.starts_with("PMPI_"))
        name.remove_prefix(1);
    if (name.starts_with("__isoc99_"))
        name.remove_prefix(9);
    const auto found = rules.find(name);
    return found == rules.end() ? nullptr : &found->second;
}

bool isMpiName(std::string_view function) {
    return function.starts_with("MPI_") || function.starts_with("PMPI_") || function.starts_with("mpi_") ||
           function.starts_with("pmpi_");
}

} // namespace laggard::slice
