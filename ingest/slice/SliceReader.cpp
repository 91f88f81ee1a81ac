// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/slice/SliceReader.h"

#include "ingest/assembly/JsonInput.h"

#include <algorithm>
#include <set>

namespace laggard {
namespace {

using Value = JsonInput::Value;

constexpr std::string_view schema = "laggard.slice/1";

class Reader {
  public:
    explicit Reader(std::string_view json) : m_json("answer of the slicer", simdjson::padded_string(json)) {}

    Slice read() {
        m_json.root([this](std::string_view key, Value each) {
            if (key == "schema")
                m_schema = m_json.string(each);
            else if (key == "lines")
                readLines(each);
            else if (key == "truncated") {
                m_slice.truncated = m_json.boolean(each);
                m_hasEnd = true;
            } else if (key == "warnings")
                m_json.array(each, [this](Value warning) { m_slice.warnings.push_back(m_json.string(warning)); });
        });
        if (m_schema != schema)
            throw ReadError("The answer of the slicer is not a slice: its schema is not \"" + std::string(schema) + "\".");
        if (!m_hasLines || !m_hasEnd)
            throw ReadError("The answer of the slicer is not whole: it has no \"" +
                            std::string(m_hasLines ? "truncated" : "lines") + "\".");
        std::stable_sort(m_lines.begin(), m_lines.end(), [](const Step &a, const Step &b) { return a.step < b.step; });
        for (Step &step : m_lines)
            m_slice.lines.push_back(std::move(step.line));
        return std::move(m_slice);
    }

  private:
    struct Step {
        std::uint32_t step = 0;
        SliceLine line;
    };

    void readLines(Value value) {
        m_hasLines = true;
        std::set<std::uint32_t> steps;
        m_json.array(value, [&](Value entry) {
            Step step = readLine(entry);
            if (!steps.insert(step.step).second)
                m_json.fail("there are two steps " + std::to_string(step.step));
            m_lines.push_back(std::move(step));
        });
    }

    Step readLine(Value value) {
        Step step;
        SliceLine &line = step.line;
        bool hasReason = false;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "file")
                line.file = m_json.string(each);
            else if (key == "line")
                line.line = m_json.number32(each);
            else if (key == "distance")
                line.distance = m_json.number32(each);
            else if (key == "step")
                step.step = m_json.number32(each);
            else if (key == "why") {
                line.reason = reasonOf(each);
                hasReason = true;
            } else if (key == "ranks")
                line.ranks = m_json.ranks(each);
            else if (std::string *text = textOf(line, key); text != nullptr && !m_json.isNull(each))
                *text = m_json.string(each);
        });
        if (line.file.empty() || line.line == 0)
            m_json.fail("a line of the slice has no place in a file");
        if (!hasReason || step.step == 0)
            m_json.fail("a line of the slice has no reason or no step");
        return step;
    }

    static std::string *textOf(SliceLine &line, std::string_view key) {
        return key == "variable"   ? &line.variable
               : key == "function" ? &line.function
               : key == "detail"   ? &line.detail
               : key == "code"     ? &line.code
                                   : nullptr;
    }

    SliceReason reasonOf(Value value) {
        const std::string text = m_json.string(value);
        for (const SliceReason reason :
             {SliceReason::Criterion, SliceReason::Data, SliceReason::Control, SliceReason::Call, SliceReason::Message})
            if (text == name(reason))
                return reason;
        m_json.fail('"' + text.substr(0, 40) + "\" is not one of the reasons");
    }

    JsonInput m_json;
    Slice m_slice;
    std::vector<Step> m_lines;
    std::string m_schema;
    bool m_hasLines = false;
    bool m_hasEnd = false;
};

} // namespace

Slice readSlice(std::string_view json) { return Reader(json).read(); }

} // namespace laggard
