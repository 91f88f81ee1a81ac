// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FlightJob.h"

#include <unordered_map>

namespace laggard::test {
namespace {

using ValueKind = FlightValue::Kind;

/// As PyTorch writes them: containers are filled from marks, and texts that repeat are recalled.
class PickleWriter {
  public:
    explicit PickleWriter(unsigned protocol) : m_protocol(protocol) {
        m_bytes += '\x80';
        m_bytes += static_cast<char>(protocol);
    }

    void write(const FlightValue &value) {
        switch (value.kind) {
        case ValueKind::None:
            m_bytes += 'N';
            break;
        case ValueKind::Bool:
            m_bytes += value.integer != 0 ? '\x88' : '\x89';
            break;
        case ValueKind::Integer:
            writeInteger(value.integer);
            break;
        case ValueKind::Text:
            writeText(value.text);
            break;
        case ValueKind::Tuple:
            for (const FlightValue &item : value.items)
                write(item);
            m_bytes += static_cast<char>(0x84 + value.items.size());
            break;
        case ValueKind::List:
        case ValueKind::Map:
            m_bytes += value.kind == ValueKind::List ? ']' : '}';
            remember();
            m_bytes += '(';
            for (const FlightValue &item : value.items)
                write(item);
            m_bytes += value.kind == ValueKind::List ? 'e' : 'u';
            break;
        }
    }

    std::string finish() {
        m_bytes += '.';
        return std::move(m_bytes);
    }

  private:
    void number(std::uint64_t value, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i)
            m_bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
    }

    void writeInteger(std::int64_t value) {
        if (value >= 0 && value < 256) {
            m_bytes += 'K';
            number(static_cast<std::uint64_t>(value), 1);
        } else if (value >= 0 && value < 65536) {
            m_bytes += 'M';
            number(static_cast<std::uint64_t>(value), 2);
        } else if (value >= INT32_MIN && value <= INT32_MAX) {
            m_bytes += 'J';
            number(static_cast<std::uint64_t>(value), 4);
        } else {
            m_bytes += "\x8a\x08";
            number(static_cast<std::uint64_t>(value), 8);
        }
    }

    void remember() {
        if (m_protocol >= 4) {
            m_bytes += '\x94';
        } else if (m_places < 256) {
            m_bytes += 'q';
            number(m_places, 1);
        } else {
            m_bytes += 'r';
            number(m_places, 4);
        }
        ++m_places;
    }

    void writeText(const std::string &text) {
        if (const auto known = m_known.find(text); known != m_known.end()) {
            m_bytes += known->second < 256 ? 'h' : 'j';
            number(known->second, known->second < 256 ? 1 : 4);
            return;
        }
        if (m_protocol >= 4 && text.size() < 256) {
            m_bytes += '\x8c';
            number(text.size(), 1);
        } else {
            m_bytes += 'X';
            number(text.size(), 4);
        }
        m_bytes += text;
        m_known.emplace(text, m_places);
        remember();
    }

    unsigned m_protocol;
    std::string m_bytes;
    std::uint64_t m_places = 0;
    std::unordered_map<std::string, std::uint64_t> m_known;
};

void appendJson(const FlightValue &value, std::string &json) {
    const auto list = [&](char open, char close) {
        json += open;
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            if (i != 0)
                json += value.kind == ValueKind::Map && i % 2 != 0 ? ':' : ',';
            appendJson(value.items[i], json);
        }
        json += close;
    };
    switch (value.kind) {
    case ValueKind::None:
        json += "null";
        break;
    case ValueKind::Bool:
        json += value.integer != 0 ? "true" : "false";
        break;
    case ValueKind::Integer:
        json += std::to_string(value.integer);
        break;
    case ValueKind::Text:
        json += '"' + value.text + '"';
        break;
    case ValueKind::List:
    case ValueKind::Tuple:
        list('[', ']');
        break;
    case ValueKind::Map:
        list('{', '}');
        break;
    }
}

} // namespace

FlightValue FlightValue::boolean(bool value) {
    FlightValue made;
    made.kind = Kind::Bool;
    made.integer = value ? 1 : 0;
    return made;
}

FlightValue FlightValue::of(Kind kind, std::vector<FlightValue> items) {
    FlightValue made;
    made.kind = kind;
    made.items = std::move(items);
    return made;
}

void FlightValue::set(const char *key, FlightValue value) {
    items.emplace_back(key);
    items.push_back(std::move(value));
}

std::string pickled(const FlightValue &value, unsigned protocol) {
    PickleWriter writer(protocol);
    writer.write(value);
    return writer.finish();
}

std::string asJson(const FlightValue &value) {
    std::string json;
    appendJson(value, json);
    return json;
}

} // namespace laggard::test
