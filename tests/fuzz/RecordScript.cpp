// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/RecordScript.h"

#include <algorithm>
#include <cstring>

namespace laggard::test {

using namespace recording;

namespace {

constexpr unsigned char hundreds = 0x60;
constexpr unsigned char ofNote = 0x80;
constexpr unsigned char halves = 0xA0;
constexpr unsigned char whole = 0xFF;
constexpr std::size_t mostWords = 40;      ///< words of a record: what is longer has runs of the same
constexpr std::size_t mostOfScript = 2000; ///< steps: more say nothing new, and take time

class Script {
  public:
    explicit Script(std::string_view bytes) : m_left(bytes) {}

    std::array<std::string, 2> run() {
        for (std::size_t i = 0; i < mostOfScript && !m_left.empty(); ++i)
            take(static_cast<RecordStep>(byte() % recordSteps));
        return {m_writers[0].bytes(), m_writers[1].bytes()};
    }

  private:
    unsigned char byte() {
        if (m_left.empty())
            return 0;
        const auto first = static_cast<unsigned char>(m_left.front());
        m_left.remove_prefix(1);
        return first;
    }

    std::uint64_t number() {
        const unsigned char first = byte();
        if (first < hundreds)
            return first;
        if (first < ofNote)
            return (first - hundreds) * std::uint64_t{100};
        if (first < halves)
            return numbersOfNote[first % numbersOfNote.size()];
        if (first == halves) {
            const auto low = small();
            return pair(low, small());
        }
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 8)
            value |= std::uint64_t{byte()} << shift;
        return value;
    }

    std::uint32_t small() { return static_cast<std::uint32_t>(number()); }

    std::vector<std::uint64_t> list() {
        std::vector<std::uint64_t> words(byte() % mostWords);
        std::generate(words.begin(), words.end(), [this] { return number(); });
        return words;
    }

    RecordKind kind() { return static_cast<RecordKind>(byte()); }

    /// A slot with these words behind its version.
    template <typename T> T slot() {
        T value{};
        std::vector<std::uint64_t> words = list();
        words.resize(std::min(words.size(), sizeof value / 8 - 1));
        if (!words.empty())
            std::memcpy(reinterpret_cast<char *>(&value) + 8, words.data(), words.size() * 8);
        return value;
    }

    std::string operation() { return operationsInScripts[number() % operationsInScripts.size()]; }

    void take(RecordStep step) {
        RecordingWriter &writer = m_writers[m_process];
        switch (step) {
        case RecordStep::Define: {
            const RecordKind kind = this->kind();
            writer.define(kind, list());
            break;
        }
        case RecordStep::Event: {
            const RecordKind kind = this->kind();
            const std::uint32_t argument = small();
            writer.event(kind, argument, list());
            break;
        }
        case RecordStep::Chunk: {
            const std::uint64_t time = number();
            writer.newChunk(time, {}, number());
            break;
        }
        case RecordStep::Thread:
            writer.onThread(small() % 4);
            break;
        case RecordStep::Begin: {
            const std::uint64_t time = number();
            writer.begin(time, operation());
            break;
        }
        case RecordStep::Polls: {
            const std::uint64_t time = number();
            const std::string name = operation();
            writer.polls(time, time + 10, number(), name);
            break;
        }
        case RecordStep::State:
            writer.state(slot<ThreadState>());
            break;
        case RecordStep::Request:
            writer.request(slot<RequestSlot>());
            break;
        case RecordStep::Count:
            writer.count(slot<CountSlot>());
            break;
        case RecordStep::Transition:
            writer.transition(slot<TransitionSlot>());
            break;
        case RecordStep::FewTimes:
            writer.transition(slot<FewTimesSlot>());
            break;
        default:
            takeOfProcess(step, writer);
        }
    }

    void takeOfProcess(RecordStep step, RecordingWriter &writer) {
        switch (step) {
        case RecordStep::Crash: {
            const std::uint32_t thread = small();
            const auto state = slot<CrashState>();
            const std::vector<std::uint64_t> words = list();
            std::vector<std::uint8_t> stack(words.size() * 8);
            if (!stack.empty())
                std::memcpy(stack.data(), words.data(), stack.size());
            writer.crash(thread, state, stack);
            break;
        }
        case RecordStep::Header:
            takeHeader(writer.header);
            break;
        case RecordStep::Exited: {
            const std::uint64_t time = number();
            writer.exited(time, static_cast<std::int32_t>(small()));
            break;
        }
        case RecordStep::Signalled: {
            const std::uint64_t time = number();
            writer.signalled(time, static_cast<std::int32_t>(small()));
            break;
        }
        default:
            m_process = 1 - m_process;
        }
    }

    void takeHeader(FileHeader &header) {
        const unsigned char which = byte();
        const std::uint64_t value = number();
        const auto narrow = static_cast<std::uint32_t>(value);
        std::uint64_t *const wide[] = {&header.ticksPerSecond,  &header.startTicks, &header.startUtc, &header.clockCost,
                                       &header.eventBytesLimit, &header.aliveTicks, &header.endTicks, &header.droppedRecords,
                                       &header.hangThreshold,   &header.errorTicks};
        std::uint32_t *const words[] = {&header.mode,        &header.spill,     &header.endKind,
                                        &header.threadLevel, &header.finalized, &header.errorThread,
                                        &header.errorBytes,  &header.errorPath, &header.exitKind};
        std::int32_t *const withSign[] = {&header.pid, &header.environmentRank, &header.rank, &header.worldSize,
                                          &header.endValue};
        if (which < std::size(wide))
            *wide[which] = value;
        else if (which - std::size(wide) < std::size(words))
            *words[which - std::size(wide)] = narrow;
        else
            *withSign[which % std::size(withSign)] = static_cast<std::int32_t>(narrow);
    }

    std::string_view m_left;
    std::array<RecordingWriter, 2> m_writers = {RecordingWriter(0, 2), RecordingWriter(1, 2)};
    std::size_t m_process = 0;
};

} // namespace

std::array<std::string, 2> recordingsOf(std::string_view script) { return Script(script).run(); }

void RecordScript::number(std::uint64_t value) {
    const auto known = std::ranges::find(numbersOfNote, value);
    if (value < hundreds) {
        m_bytes += static_cast<char>(value);
    } else if (value % 100 == 0 && value / 100 < ofNote - hundreds) {
        m_bytes += static_cast<char>(hundreds + value / 100);
    } else if (known != numbersOfNote.end()) {
        m_bytes += static_cast<char>(ofNote + (known - numbersOfNote.begin()));
    } else if (low(value) < hundreds && high(value) < hundreds) {
        m_bytes += static_cast<char>(halves);
        number(low(value));
        number(high(value));
    } else {
        m_bytes += static_cast<char>(whole);
        for (unsigned shift = 0; shift < 64; shift += 8)
            m_bytes += static_cast<char>(value >> shift);
    }
}

RecordScript &RecordScript::list(const std::vector<std::uint64_t> &numbers) {
    m_bytes += static_cast<char>(numbers.size());
    for (const std::uint64_t value : numbers)
        number(value);
    return *this;
}

RecordScript &RecordScript::step(RecordStep step, const std::vector<std::uint64_t> &numbers) {
    m_bytes += static_cast<char>(step);
    for (const std::uint64_t value : numbers)
        number(value);
    return *this;
}

RecordScript &RecordScript::event(RecordKind kind, std::uint64_t argument, const std::vector<std::uint64_t> &words) {
    step(RecordStep::Event);
    m_bytes += static_cast<char>(kind);
    number(argument);
    return list(words);
}

RecordScript &RecordScript::define(RecordKind kind, const std::vector<std::uint64_t> &words) {
    step(RecordStep::Define);
    m_bytes += static_cast<char>(kind);
    return list(words);
}

} // namespace laggard::test
