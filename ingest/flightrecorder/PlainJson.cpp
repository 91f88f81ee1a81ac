// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/PlainJson.h"

#include "trace/Quantity.h"

#include <simdjson.h>

namespace laggard::flightrecorder {
namespace {

using Kind = PlainValue::Kind;

/// Recursive, which the parser's own limit of depth bounds.
class JsonCopy {
  public:
    JsonCopy(PlainDocument &document, const Work &work) : m_document(document), m_work(work) {}

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
                value.items.push_back(add({.kind = Kind::Text, .text = keep(key), .items = {}}));
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
        m_document.values.push_back(std::move(value));
        return static_cast<ValueId>(m_document.values.size() - 1);
    }

    std::string_view keep(std::string_view text) { return m_document.texts.emplace_back(text); }

    PlainDocument &m_document;
    const Work &m_work;
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
    document.root = JsonCopy(document, work).copy(root);
    return document;
}

} // namespace laggard::flightrecorder
