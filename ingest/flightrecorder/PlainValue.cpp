// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/PlainValue.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace laggard::flightrecorder {

using Kind = PlainValue::Kind;

const PlainValue *PlainDocument::member(const PlainValue &map, std::string_view key) const {
    if (map.kind == Kind::Map)
        for (std::size_t i = map.items.size(); i >= 2; i -= 2)
            if (const PlainValue &name = values[map.items[i - 2]]; name.kind == Kind::Text && name.text == key)
                return &values[map.items[i - 1]];
    return nullptr;
}

ValueMaker::ValueMaker(PlainDocument &document, std::size_t bytes)
    : m_document(document), m_most(std::min(mostValues, alwaysPossibleValues + bytes / bytesPerValue)) {
    m_bools.fill(notYet);
    m_integers.fill(notYet);
}

std::optional<ValueId> ValueMaker::make(PlainValue value) {
    ValueId *shared = value.kind == Kind::None   ? &m_nothing
                      : value.kind == Kind::Bool ? &m_bools[value.integer != 0 ? 1 : 0]
                                                 : nullptr;
    if (value.kind == Kind::Integer && value.integer >= 0 && value.integer < static_cast<std::int64_t>(m_integers.size()))
        shared = &m_integers[static_cast<std::size_t>(value.integer)];
    if (shared != nullptr && *shared != notYet)
        return *shared;
    if (m_document.values.size() >= m_most)
        return std::nullopt;
    m_document.values.push_back(std::move(value));
    const auto id = static_cast<ValueId>(m_document.values.size() - 1);
    if (shared != nullptr)
        *shared = id;
    return id;
}

std::int64_t PlainDocument::integer(const PlainValue *value, std::int64_t otherwise) const {
    if (value == nullptr)
        return otherwise;
    if (value->kind == Kind::Integer || value->kind == Kind::Bool)
        return value->integer;
    if (value->kind == Kind::Real && value->real > -9e18 && value->real < 9e18)
        return static_cast<std::int64_t>(value->real);
    std::int64_t number = 0;
    const std::string_view text = value->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return value->kind == Kind::Text && error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

bool PlainDocument::boolean(const PlainValue *value) const {
    return value != nullptr &&
           ((value->kind == Kind::Text && (value->text == "true" || value->text == "True")) || integer(value, 0) != 0);
}

std::string_view PlainDocument::text(const PlainValue *value) {
    return value != nullptr && value->kind == Kind::Text ? value->text : std::string_view();
}

const std::vector<ValueId> &PlainDocument::elements(const PlainValue *value) {
    static const std::vector<ValueId> nothing;
    return value != nullptr && value->kind == Kind::List ? value->items : nothing;
}

} // namespace laggard::flightrecorder
