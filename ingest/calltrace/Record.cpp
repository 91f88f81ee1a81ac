// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/Record.h"

#include <charconv>
#include <cstring>

namespace laggard::calltrace {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The next field of `line`, which is taken off it; empty at its end.
std::string_view takeField(std::string_view &line) {
    while (!line.empty() && isBlank(line.front()))
        line.remove_prefix(1);
    std::size_t size = 0;
    while (size < line.size() && !isBlank(line[size]))
        ++size;
    const std::string_view field = line.substr(0, size);
    line.remove_prefix(size);
    return field;
}

template <typename Number> bool parseNumber(std::string_view text, Number &number, int base) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

/// Decimal, or hexadecimal with 0x: thread numbers may be pointers.
bool parseId(std::string_view text, std::uint64_t &number) {
    if (text.starts_with("0x"))
        return parseNumber(text.substr(2), number, 16);
    return parseNumber(text, number, 10);
}

template <std::size_t Size> bool skip(const char *&at, const char *end, const char (&text)[Size]) {
    constexpr std::size_t length = Size - 1;
    if (static_cast<std::size_t>(end - at) < length || std::memcmp(at, text, length) != 0)
        return false;
    at += length;
    return true;
}

template <typename Number> bool take(const char *&at, const char *end, Number &number, int base = 10) {
    const auto [next, error] = std::from_chars(at, end, number, base);
    at = next;
    return error == std::errc();
}

/// Names and values behind the time stamp. False: something else is there as well.
bool parseFields(std::string_view line, RecordFields &fields) {
    for (std::string_view name = takeField(line); !name.empty(); name = takeField(line)) {
        const std::string_view value = takeField(line);
        const bool isRead = (name == "fd" && parseNumber(value, fields.descriptor, 10)) ||
                            (name == "second" && parseNumber(value, fields.second, 10)) ||
                            (name == "result" && parseNumber(value, fields.result, 10)) ||
                            (name == "errno" && parseNumber(value, fields.error, 10)) ||
                            (name == "line" && parseNumber(value, fields.line, 10));
        if (!isRead)
            return false;
    }
    return true;
}

/// Stamps above are damage: the end of time means "still open".
bool isStamp(Tick stamp) { return stamp < openEnd / 4; }

} // namespace

bool parseRecord(std::string_view line, CallRecord &record) {
    const std::string_view kind = takeField(line);
    if (kind != "ENTER" && kind != "LEAVE")
        return false;
    record.isEnter = kind == "ENTER";
    std::string_view address = takeField(line);
    if (address.starts_with("0x") || address.starts_with("0X"))
        address.remove_prefix(2);
    if (!parseNumber(address, record.address, 16))
        return false;
    if (takeField(line) != "pid" || !parseNumber(takeField(line), record.pid, 10) || record.pid < 0)
        return false;
    if (takeField(line) != "tid" || !parseId(takeField(line), record.tid))
        return false;
    if (takeField(line) != "timestamp" || !parseNumber(takeField(line), record.stamp, 10) || !isStamp(record.stamp))
        return false;
    record.fields = {};
    record.hasMore = !parseFields(line, record.fields);
    record.hasFields = record.fields.line != 0 || record.fields.isOfDescriptor();
    return true;
}

const char *parseUsualRecord(const char *line, const char *end, CallRecord &record) {
    const char *at = line;
    if (skip(at, end, "ENTER 0x"))
        record.isEnter = true;
    else if (skip(at, end, "LEAVE 0x"))
        record.isEnter = false;
    else
        return nullptr;
    if (!take(at, end, record.address, 16) || !skip(at, end, " pid ") || !take(at, end, record.pid) || record.pid < 0 ||
        !skip(at, end, " tid ") || !take(at, end, record.tid) || !skip(at, end, " timestamp ") || !take(at, end, record.stamp) ||
        !isStamp(record.stamp) || at == end || *at != '\n')
        return nullptr;
    record.hasMore = record.hasFields = false;
    return at + 1;
}

bool isBlankOrComment(std::string_view line) {
    for (const char c : line)
        if (!isBlank(c) && c != '\r')
            return c == '#';
    return true;
}

} // namespace laggard::calltrace
