// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/PlainJson.h"

#include "trace/Quantity.h"

#include <simdjson.h>
#include <unordered_map>

namespace laggard::flightrecorder {
namespace {

using Kind = PlainValue::Kind;

/// Recursive, which the parser's own limit of depth bounds.
class JsonCopy {
  public:
    JsonCopy(PlainDocument &document, const std::string &subject, std::size_t bytes, const Work &work)
        : m_document(document), m_subject(subject), m_work(work), m_values(document, bytes) {}

    ValueId copy(const simdjson::dom::element &element) {
        if ((++m_steps & 0xFFFFU) == 0)
            throwIfCancelled(m_work);
        PlainValue value;
        switch (element.type()) {
        case simdjson::dom::element_type::ARRAY:
            value.kind = Kind::List;
            for (const simdjson::dom::element each : simdjson::dom::array(element))
                value.items.push_back(copy(each));
            break;
        case simdjson::dom::element_type::OBJECT:
            value.kind = Kind::Map;
            for (const auto [key, each] : simdjson::dom::object(element)) {
                value.items.push_back(keyOf(key));
                value.items.push_back(copy(each));
            }
            break;
        case simdjson::dom::element_type::INT64:
            value.kind = Kind::Integer;
            value.integer = std::int64_t(element);
            break;
        case simdjson::dom::element_type::UINT64:
        case simdjson::dom::element_type::DOUBLE:
            value.kind = Kind::Real;
            value.real = double(element);
            break;
        case simdjson::dom::element_type::STRING:
            value.kind = Kind::Text;
            value.text = keep(std::string_view(element));
            break;
        case simdjson::dom::element_type::BOOL:
            value.kind = Kind::Bool;
            value.integer = bool(element) ? 1 : 0;
            break;
        case simdjson::dom::element_type::NULL_VALUE:
            break;
        }
        return add(std::move(value));
    }

  private:
    ValueId add(PlainValue value) {
        const std::optional<ValueId> made = m_values.make(std::move(value));
        if (!made)
            throw ReadError(m_subject + " cannot be read: it has more than " + describeCount(m_values.most()) +
                            " values, which no dump of this size has.");
        return *made;
    }

    /// The same few in every entry: each is there once.
    ValueId keyOf(std::string_view key) {
        if (const auto known = m_keys.find(key); known != m_keys.end())
            return known->second;
        const std::string_view kept = keep(key);
        return m_keys.emplace(kept, add({.kind = Kind::Text, .text = kept, .items = {}})).first->second;
    }

    std::string_view keep(std::string_view text) { return m_document.texts.emplace_back(text); }

    PlainDocument &m_document;
    const std::string &m_subject;
    const Work &m_work;
    ValueMaker m_values;
    std::unordered_map<std::string_view, ValueId> m_keys;
    std::uint64_t m_steps = 0;
};

} // namespace

PlainDocument decodeJson(const std::string &subject, const std::string &bytes, const Work &work) {
    simdjson::dom::parser parser;
    simdjson::error_code error = parser.allocate(bytes.size() + 1, mostDepth);
    simdjson::dom::element root;
    if (error == simdjson::SUCCESS)
        error = parser.parse(bytes).get(root);
    if (error == simdjson::DEPTH_ERROR)
        throw ReadError(subject + " cannot be read: its JSON is nested more than " + std::to_string(mostDepth) + " deep.");
    if (error != simdjson::SUCCESS)
        throw ReadError(subject + " cannot be read: it is not JSON (" + simdjson::error_message(error) + ").");
    PlainDocument document;
    document.root = JsonCopy(document, subject, bytes.size(), work).copy(root);
    return document;
}

} // namespace laggard::flightrecorder
