// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Pickle.h"

#include "ingest/flightrecorder/PickleOpcodes.h"
#include "trace/Quantity.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

namespace laggard::flightrecorder {
namespace {

using Kind = PlainValue::Kind;

/// The stack machine of pickles, without the part of it that makes objects.
class Machine {
  public:
    Machine(const std::string &subject, std::string bytes, const Work &work)
        : m_subject(subject), m_work(work), m_values(m_document, bytes.size()) {
        m_bytes = m_document.texts.emplace_back(std::move(bytes));
    }

    PlainDocument run(bool &isCut) {
        try {
            while (step()) {
            }
        } catch (const BrokenOff &) {
            if (m_stack.empty())
                fail("it ends before anything is complete");
            isCut = true;
            closeAll();
        }
        m_document.root = pop();
        return std::move(m_document);
    }

  private:
    /// The bytes end within an opcode, or before STOP.
    struct BrokenOff {};

    /// False at the end.
    bool step() {
        if ((++m_steps & 0xFFFFU) == 0)
            throwIfCancelled(m_work);
        m_at = m_next;
        const auto code = static_cast<Opcode>(take(1).front());
        if (code != Opcode::Stop && !execute(code))
            refuse(code);
        return code != Opcode::Stop;
    }

    /// Puts what lies on the stack into the containers that it was meant for: writers fill containers from marks.
    void closeAll() {
        while (!m_marks.empty()) {
            std::vector<ValueId> values = popToMark();
            if (m_stack.size() <= floor())
                continue;
            const ValueId container = m_stack.back();
            const Kind kind = m_document.values[container].kind;
            if (kind == Kind::Map && values.size() % 2 != 0)
                values.pop_back();
            if (kind == Kind::Map || kind == Kind::List)
                addTo(container, kind, values);
        }
        m_stack.resize(1);
    }

    [[noreturn]] void fail(const std::string &reason) const {
        throw ReadError(m_subject + " cannot be read: at byte " + describeCount(m_at) + " " + reason + '.');
    }

    [[noreturn]] void refuse(Opcode code) const {
        if (const std::string_view name = callingOpcode(code); !name.empty())
            fail("it asks its reader to run code (" + std::string(name) + "), which no dump needs: it is refused");
        char hex[8];
        const auto [end, error] = std::to_chars(hex, hex + sizeof hex, static_cast<unsigned>(code), 16);
        fail("there is 0x" + std::string(hex, end) + ", which no pickle has");
    }

    // Input.

    std::string_view take(std::uint64_t size) {
        const std::size_t left = m_bytes.size() - m_next;
        if (size > m_bytes.size()) // no writer was stopped there: the length itself is wrong
            fail("a value of " + plural(size, "byte") + " begins, and the whole file has " + describeCount(m_bytes.size()));
        if (size > left)
            throw BrokenOff();
        const std::string_view bytes = m_bytes.substr(m_next, size);
        m_next += size;
        return bytes;
    }

    /// Little-endian.
    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = size; i-- > 0;)
            value = value << 8U | static_cast<unsigned char>(bytes[i]);
        return value;
    }

    std::string_view line() {
        const std::size_t end = m_bytes.find('\n', m_next);
        if (end == std::string_view::npos)
            throw BrokenOff();
        const std::string_view text = take(end - m_next);
        static_cast<void>(take(1));
        return text;
    }

    // Values.

    ValueId make(PlainValue value) {
        const std::optional<ValueId> made = m_values.make(std::move(value));
        if (!made)
            fail("there are more than " + describeCount(m_values.most()) + " values, which no dump of this size has");
        return *made;
    }

    void push(ValueId value) { m_stack.push_back(value); }
    void push(PlainValue value) { push(make(std::move(value))); }
    void pushInteger(std::int64_t value) { push({.kind = Kind::Integer, .integer = value, .text = {}, .items = {}}); }
    void pushReal(double value) { push({.kind = Kind::Real, .real = value, .text = {}, .items = {}}); }
    void pushText(std::string_view text) { push({.kind = Kind::Text, .text = text, .items = {}}); }
    void pushBool(bool value) { push({.kind = Kind::Bool, .integer = value ? 1 : 0, .text = {}, .items = {}}); }
    void pushContainer(Kind kind) { push({.kind = kind, .text = {}, .items = {}}); }

    [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }

    ValueId pop() {
        if (m_stack.size() <= floor())
            fail("a value is missing");
        const ValueId value = m_stack.back();
        m_stack.pop_back();
        return value;
    }

    ValueId top() {
        const ValueId value = pop();
        push(value);
        return value;
    }

    /// The values above the last mark, which goes with them.
    std::vector<ValueId> popToMark() {
        if (m_marks.empty())
            fail("a mark is missing");
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<ValueId> values(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return values;
    }

    std::vector<ValueId> popSome(std::size_t count) {
        std::vector<ValueId> values(count);
        for (std::size_t i = count; i-- > 0;)
            values[i] = pop();
        return values;
    }

    void addTo(ValueId container, Kind kind, const std::vector<ValueId> &added) {
        PlainValue &value = m_document.values[container];
        if (value.kind != kind)
            fail("elements are added to what has none");
        if (kind == Kind::Map && added.size() % 2 != 0)
            fail("a key has no value");
        m_elements += added.size();
        if (m_elements > mostValues)
            fail("there are more than " + describeCount(mostValues) + " elements");
        for (const ValueId each : added) {
            const unsigned depth = m_document.values[each].depth + 1U;
            if (depth > mostDepth)
                fail("values are nested more than " + std::to_string(mostDepth) + " deep");
            value.depth = std::max(value.depth, static_cast<std::uint8_t>(depth));
        }
        value.items.insert(value.items.end(), added.begin(), added.end());
    }

    void pushFilled(Kind kind, const std::vector<ValueId> &elements) {
        const ValueId container = make({.kind = kind, .text = {}, .items = {}});
        addTo(container, kind, elements);
        push(container);
    }

    void remember(std::uint64_t place) {
        constexpr std::size_t mostGap = 4096; // writers number without gaps, but for what they threw away
        if (place > m_memo.size() + mostGap)
            fail("value " + describeCount(place) + " is to be remembered, after " + describeCount(m_memo.size()));
        if (place >= m_memo.size())
            m_memo.resize(place + 1, nothing);
        m_memo[place] = top();
    }

    void recall(std::uint64_t place) {
        if (place >= m_memo.size() || m_memo[place] == nothing)
            fail("value " + describeCount(place) + " is recalled, which was never remembered");
        push(m_memo[place]);
    }

    std::uint64_t placeInLine() {
        std::uint64_t place = 0;
        const std::string_view text = line();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place);
        if (error != std::errc() || end != text.data() + text.size())
            fail("a number was expected");
        return place;
    }

    // Opcodes: each function takes those of its kind, and returns false for others.

    bool execute(Opcode code) {
        return executeSmall(code) || executeNumber(code) || executeText(code) || executeContainer(code) || executeMemo(code);
    }

    bool executeSmall(Opcode code) {
        switch (code) {
        case Opcode::Proto:
            if (number(1) > newestProtocol)
                fail("it says that it is of protocol " + std::to_string(m_bytes[m_next - 1]) + ", and " +
                     std::to_string(newestProtocol) + " is the newest known");
            return true;
        case Opcode::Frame: // only says how much may be read at once
            static_cast<void>(number(8));
            return true;
        case Opcode::Mark:
            if (m_marks.size() >= mostDepth)
                fail("values are nested more than " + std::to_string(mostDepth) + " deep");
            m_marks.push_back(m_stack.size());
            return true;
        case Opcode::Pop:
            if (!m_marks.empty() && m_marks.back() == m_stack.size())
                m_marks.pop_back();
            else
                static_cast<void>(pop());
            return true;
        case Opcode::PopMark:
            static_cast<void>(popToMark());
            return true;
        case Opcode::Dup:
            push(top());
            return true;
        case Opcode::None:
            push(PlainValue());
            return true;
        case Opcode::NewTrue:
        case Opcode::NewFalse:
            pushBool(code == Opcode::NewTrue);
            return true;
        default:
            return false;
        }
    }

    bool executeNumber(Opcode code) {
        switch (code) {
        case Opcode::BinInt:
            pushInteger(static_cast<std::int32_t>(number(4)));
            return true;
        case Opcode::BinInt1:
            pushInteger(static_cast<std::int64_t>(number(1)));
            return true;
        case Opcode::BinInt2:
            pushInteger(static_cast<std::int64_t>(number(2)));
            return true;
        case Opcode::Long1:
            pushLong(take(number(1)));
            return true;
        case Opcode::Long4:
            pushLong(take(number(4)));
            return true;
        case Opcode::Int:
        case Opcode::Long:
            pushWritten(line());
            return true;
        case Opcode::BinFloat:
            pushReal(bigEndianReal());
            return true;
        case Opcode::Float:
            pushReal(std::strtod(std::string(line()).c_str(), nullptr));
            return true;
        default:
            return false;
        }
    }

    double bigEndianReal() {
        std::uint64_t bits = 0;
        for (const char c : take(8))
            bits = bits << 8U | static_cast<unsigned char>(c);
        return std::bit_cast<double>(bits);
    }

    /// Two's complement, little-endian. What does not fit into 64 bits is no number of a dump.
    void pushLong(std::string_view bytes) {
        std::uint64_t value = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0 ? ~std::uint64_t{0} : 0;
        const bool isNegative = value != 0;
        for (std::size_t i = std::min<std::size_t>(bytes.size(), 8); i-- > 0;)
            value = value << 8U | static_cast<unsigned char>(bytes[i]);
        if (bytes.size() > 8)
            pushReal(isNegative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
        else
            pushInteger(static_cast<std::int64_t>(value));
    }

    /// Protocol 0: "12", "12L", and "00" and "01" for False and True.
    void pushWritten(std::string_view text) {
        if (text == "00" || text == "01")
            return pushBool(text == "01");
        if (text.ends_with('L'))
            text.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc::invalid_argument || end != text.data() + text.size())
            fail("a number was expected");
        pushInteger(value);
    }

    bool executeText(Opcode code) {
        switch (code) {
        case Opcode::ShortBinUnicode:
        case Opcode::ShortBinString:
        case Opcode::ShortBinBytes:
            pushText(take(number(1)));
            return true;
        case Opcode::BinUnicode:
        case Opcode::BinString:
        case Opcode::BinBytes:
            pushText(take(number(4)));
            return true;
        case Opcode::BinUnicode8:
        case Opcode::BinBytes8:
        case Opcode::ByteArray8:
            pushText(take(number(8)));
            return true;
        case Opcode::Unicode:
            pushText(line());
            return true;
        case Opcode::String: {
            const std::string_view text = line();
            const bool isQuoted =
                text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
            if (!isQuoted)
                fail("a text in quotes was expected");
            pushText(text.substr(1, text.size() - 2));
            return true;
        }
        default:
            return false;
        }
    }

    bool executeContainer(Opcode code) {
        switch (code) {
        case Opcode::EmptyList:
        case Opcode::EmptyTuple:
        case Opcode::EmptySet:
            pushContainer(Kind::List);
            return true;
        case Opcode::EmptyDict:
            pushContainer(Kind::Map);
            return true;
        case Opcode::List:
        case Opcode::Tuple:
        case Opcode::FrozenSet:
            pushFilled(Kind::List, popToMark());
            return true;
        case Opcode::Dict:
            pushFilled(Kind::Map, popToMark());
            return true;
        case Opcode::Tuple1:
        case Opcode::Tuple2:
        case Opcode::Tuple3:
            pushFilled(Kind::List, popSome(static_cast<std::size_t>(code) - static_cast<std::size_t>(Opcode::Tuple1) + 1));
            return true;
        case Opcode::Append:
        case Opcode::SetItem: {
            const std::vector<ValueId> added = popSome(code == Opcode::Append ? 1 : 2);
            addTo(top(), code == Opcode::Append ? Kind::List : Kind::Map, added);
            return true;
        }
        case Opcode::Appends:
        case Opcode::AddItems:
        case Opcode::SetItems: {
            const std::vector<ValueId> added = popToMark();
            addTo(top(), code == Opcode::SetItems ? Kind::Map : Kind::List, added);
            return true;
        }
        default:
            return false;
        }
    }

    bool executeMemo(Opcode code) {
        switch (code) {
        case Opcode::Put:
            remember(placeInLine());
            return true;
        case Opcode::BinPut:
            remember(number(1));
            return true;
        case Opcode::LongBinPut:
            remember(number(4));
            return true;
        case Opcode::Memoize:
            remember(m_memo.size());
            return true;
        case Opcode::Get:
            recall(placeInLine());
            return true;
        case Opcode::BinGet:
            recall(number(1));
            return true;
        case Opcode::LongBinGet:
            recall(number(4));
            return true;
        default:
            return false;
        }
    }

    static constexpr ValueId nothing = ~ValueId{0};
    static constexpr unsigned newestProtocol = 5;

    const std::string &m_subject;
    const Work &m_work;
    PlainDocument m_document;
    ValueMaker m_values;
    std::string_view m_bytes;
    std::vector<ValueId> m_stack;
    std::vector<std::size_t> m_marks; ///< heights of the stack
    std::vector<ValueId> m_memo;
    std::size_t m_next = 0;     ///< byte
    std::size_t m_at = 0;       ///< byte at which the opcode at hand begins
    std::size_t m_elements = 0; ///< in all containers: one value may be added many times
    std::uint64_t m_steps = 0;
};

} // namespace

bool beginsLikePickle(std::string_view bytes) {
    return bytes.size() >= 2 && static_cast<Opcode>(bytes[0]) == Opcode::Proto && bytes[1] >= 2 && bytes[1] <= 5;
}

PlainDocument decodePickle(const std::string &subject, std::string bytes, bool &isCut, const Work &work) {
    return Machine(subject, std::move(bytes), work).run(isCut);
}

} // namespace laggard::flightrecorder
