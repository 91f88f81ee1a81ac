// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

#include <cstddef>
#include <cstdint>

/// The checks of a recording: docs/recording-format.md, "Checks". Each is made so that a process that is killed at any moment
/// leaves it right; so what does not pass is damaged. Shared by the recorder and the reader.
namespace laggard::recording {

// ---- Records -----------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t mixCheck(std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15U;
    return state ^ state >> 29U;
}
/// Check of `count` words, for headers of files.
constexpr std::uint64_t checkOfWords(const std::uint64_t *words, std::size_t count) {
    std::uint64_t state = 0x4C414747;
    for (std::size_t i = 0; i < count; ++i)
        state = mixCheck(state, words[i]);
    return state;
}
/// Words at the end of a record's payload that change in place are left out of its check: 2nd and 3rd of Polls.
constexpr bool isChecked(RecordKind kind, std::size_t payloadWord) {
    return kind != RecordKind::Polls || (payloadWord != 1 && payloadWord != 2);
}
/// What the check of a record is made of, and the chain of its chunk goes on with. `sequence` is that of the chunk, so that
/// remains of an earlier use never pass. `header` without check bits; `payload` has wordsOf(header) - 1 words.
constexpr std::uint64_t recordState(std::uint64_t header, const std::uint64_t *payload, std::uint64_t sequence) {
    std::uint64_t state = mixCheck(sequence, header);
    for (std::size_t i = 0; i + 1 < wordsOf(header); ++i)
        if (isChecked(kindOf(header), i))
            state = mixCheck(state, payload[i]);
    return state;
}
/// Its 16 bits. Never 0.
constexpr std::uint32_t recordCheckOf(std::uint64_t state) {
    const auto check = static_cast<std::uint32_t>((state ^ state >> 32U) & 0xFFFFU);
    return check == 0 ? 1 : check;
}
constexpr std::uint32_t recordCheck(std::uint64_t header, const std::uint64_t *payload, std::uint64_t sequence) {
    return recordCheckOf(recordState(header, payload, sequence));
}

// ---- Words -----------------------------------------------------------------------------------------------------------------

/// A word of up to `bits` bits with a check in the bits above; `seed` tells its place, so that words do not pass for each other.
template <unsigned bits> constexpr std::uint64_t sealed(std::uint64_t value, std::uint64_t seed) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    // Never all zeros, as a page is that did not reach the disk.
    return (value & mask) | ((mixCheck(seed + bits, value & mask) | std::uint64_t{1} << bits) & ~mask);
}
template <unsigned bits> constexpr std::uint64_t openSealed(std::uint64_t word) {
    return word & ((std::uint64_t{1} << bits) - 1);
}
template <unsigned bits> constexpr bool isSealed(std::uint64_t word, std::uint64_t seed) {
    return sealed<bits>(openSealed<bits>(word), seed) == word;
}

/// ChunkHeader::sequence: 40 bits, and a check of what else the header says. While it is 0, `thread` may change.
inline constexpr unsigned sequenceBits = 40;
constexpr std::uint64_t sequenceSeed(const ChunkHeader &chunk, std::uint64_t sequence) {
    std::uint64_t state = mixCheck(chunk.offset, std::uint64_t{chunk.units} << 32U | std::uint64_t{chunk.unused} << 16U |
                                                     static_cast<std::uint64_t>(chunk.kind));
    return mixCheck(state, sequence == 0 ? 0 : chunk.thread);
}
constexpr std::uint64_t sealedSequence(const ChunkHeader &chunk, std::uint64_t sequence) {
    return sealed<sequenceBits>(sequence, sequenceSeed(chunk, openSealed<sequenceBits>(sequence)));
}
constexpr std::uint64_t sequenceOf(const ChunkHeader &chunk) { return openSealed<sequenceBits>(chunk.sequence); }
constexpr bool passesCheck(const ChunkHeader &chunk) { return sealedSequence(chunk, sequenceOf(chunk)) == chunk.sequence; }

/// ChunkHeader::committed. In a chunk of records: the words behind the header that are written, and the `chain` of them all. In
/// an array: the slots that were ever in use, and the `chain` of no record. One word, so that both always belong together.
inline constexpr unsigned positionBits = 28;
constexpr std::uint64_t sealedPosition(std::uint64_t position, std::uint64_t chain) {
    return sealed<positionBits>(position, chain);
}
constexpr std::uint64_t positionOf(std::uint64_t committed) { return openSealed<positionBits>(committed); }
/// The chain of a chunk without records …
constexpr std::uint64_t firstChain(std::uint64_t sequence) { return mixCheck(0x4348414E, sequence); }
/// … and with one more record, whose recordState is `state`. The order of records counts.
constexpr std::uint64_t nextChain(std::uint64_t chain, std::uint64_t state) { return mixCheck(chain, state); }

/// The words of a Polls record that change: 48 bits (78 hours; a longer run goes on in a new record) and a check.
inline constexpr unsigned pollBits = 48;
inline constexpr std::uint64_t mostPollTicks = (std::uint64_t{1} << pollBits) - 1;
constexpr std::uint64_t sealedPoll(std::uint64_t value, std::size_t payloadWord, std::uint64_t firstTime) {
    return sealed<pollBits>(value, firstTime + payloadWord);
}
constexpr bool isSealedPoll(std::uint64_t word, std::size_t payloadWord, std::uint64_t firstTime) {
    return isSealed<pollBits>(word, firstTime + payloadWord);
}

// ---- The header ------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t headerCheck(HeaderField field, std::uint64_t value) {
    const std::uint64_t state = mixCheck(mixCheck(static_cast<std::uint64_t>(field) + 1, value), value);
    return static_cast<std::uint32_t>(state >> 32U);
}

/// What the check of HeaderField::Error is made of, when errorTicks is `ticks`.
inline std::uint64_t errorState(const FileHeader &header, std::uint64_t ticks) {
    if (ticks == 0)
        return 0; // then nothing else of it counts
    std::uint64_t state = ticks;
    state = mixCheck(mixCheck(state, pair(header.errorThread, header.errorBytes)), header.errorPath);
    for (std::size_t i = 0; i < header.errorBytes && i < sizeof header.errorText; ++i)
        state = mixCheck(state, static_cast<unsigned char>(header.errorText[i]));
    return state;
}

inline std::uint64_t valueOf(const FileHeader &header, HeaderField field) {
    switch (field) {
    case HeaderField::FileBytes:
        return header.fileBytes;
    case HeaderField::Rank:
        return static_cast<std::uint64_t>(header.rank);
    case HeaderField::WorldSize:
        return static_cast<std::uint64_t>(header.worldSize);
    case HeaderField::AliveTicks:
        return header.aliveTicks;
    case HeaderField::EndKind:
        return header.endKind;
    case HeaderField::EndValue:
        return static_cast<std::uint64_t>(header.endValue);
    case HeaderField::EndTicks:
        return header.endTicks;
    case HeaderField::HangThreshold:
        return header.hangThreshold;
    case HeaderField::ThreadLevel:
        return header.threadLevel;
    case HeaderField::Finalized:
        return header.finalized;
    case HeaderField::Error:
        return errorState(header, header.errorTicks);
    case HeaderField::ExitKind:
        return header.exitKind;
    case HeaderField::Parent:
        return header.parent;
    }
    return 0;
}
inline bool passesCheck(const FileHeader &header, HeaderField field) {
    const HeaderCheck &check = header.checks[static_cast<std::size_t>(field)];
    const std::uint32_t fit = headerCheck(field, valueOf(header, field));
    if (field == HeaderField::Parent && header.parent == 0 && check.before == 0 && check.after == 0)
        return true; // of an earlier recorder
    return check.before == fit || check.after == fit;
}
/// Makes all checks of a header whose words were filled.
inline void sealHeader(FileHeader &header) {
    header.check = checkOfWords(reinterpret_cast<const std::uint64_t *>(&header), offsetof(FileHeader, check) / 8);
    header.droppedAgain = header.droppedRecords;
    for (std::size_t i = 0; i < headerFieldCount; ++i) {
        const auto field = static_cast<HeaderField>(i);
        header.checks[i].before = header.checks[i].after = headerCheck(field, valueOf(header, field));
    }
}

// ---- Slots -----------------------------------------------------------------------------------------------------------------

/// Sum of words, each with a weight of its own: any one word that changes changes it. Not a chain, so that it costs little.
class SlotSum {
  public:
    /// `address` is the slot's, in memory or in the file; only its place in a page of 4 KiB counts.
    constexpr explicit SlotSum(std::uint64_t address) : m_sum(mixCheck(0x534C4F54, address & 0xFFFU)) {}
    constexpr void add(std::uint64_t word) {
        m_weight += 0xD1342543DE82EF96U; // stays odd
        m_sum += (word + m_weight) * m_weight;
    }
    void add(double value) { add(__builtin_bit_cast(std::uint64_t, value)); }
    [[nodiscard]] constexpr std::uint64_t get() const { return m_sum; }

  private:
    std::uint64_t m_sum;
    std::uint64_t m_weight = 0x9E3779B97F4A7C15U;
};

inline std::uint64_t checkOfSlot(const ThreadState &slot, std::uint64_t address) {
    SlotSum sum(address);
    sum.add(pair(slot.thread, static_cast<std::uint32_t>(slot.tid)));
    sum.add(std::uint64_t{slot.isMain});
    sum.add(slot.since);
    sum.add(pair(slot.callPath, slot.lastCallPath));
    return sum.get();
}
inline std::uint64_t checkOfSlot(const RequestSlot &slot, std::uint64_t address) {
    SlotSum sum(address);
    sum.add(slot.request);
    sum.add(pair(slot.kind, slot.peer));
    sum.add(pair(static_cast<std::uint32_t>(slot.tag), slot.communicator));
    sum.add(slot.bytes);
    sum.add(pair(slot.path, slot.flags));
    sum.add(slot.posted);
    return sum.get();
}
inline std::uint64_t checkOfSlot(const CountSlot &slot, std::uint64_t address) {
    SlotSum sum(address);
    sum.add(pair(static_cast<std::uint32_t>(slot.kind), slot.communicator));
    sum.add(pair(slot.peer, static_cast<std::uint32_t>(slot.tag)));
    sum.add(slot.begun);
    sum.add(slot.completed);
    sum.add(slot.bytes);
    return sum.get();
}
/// Without the buckets of the histogram: they are many, and change at each call. isPlausible tells of them.
inline std::uint64_t checkOfSlot(const TransitionSlot &slot, std::uint64_t address) {
    SlotSum sum(address);
    sum.add(pair(slot.thread, static_cast<std::uint32_t>(slot.phase)));
    sum.add(pair(slot.from, slot.to));
    sum.add(slot.count);
    sum.add(slot.mean);
    sum.add(slot.squares);
    sum.add(slot.shortest);
    sum.add(slot.longest);
    sum.add(slot.histogram.used);
    return sum.get();
}

inline std::uint64_t checkOfSlot(const FewTimesSlot &slot, std::uint64_t address) {
    SlotSum sum(address);
    sum.add(pair(slot.thread, static_cast<std::uint32_t>(slot.phase)));
    sum.add(pair(slot.from, slot.to));
    for (std::size_t i = 0; i < mostFewTimes; i += 2)
        sum.add(pair(slot.times[i], slot.times[i + 1]));
    return sum.get();
}

/// What must hold of the buckets of a slot that passes its check: their counts add up, and their means are in order.
inline bool isPlausible(const TransitionSlot &slot) {
    const Histogram &histogram = slot.histogram;
    if (histogram.used > Histogram::maxBuckets)
        return false;
    double total = 0;
    for (std::size_t i = 0; i < histogram.used; ++i) {
        const Histogram::Bucket &bucket = histogram.buckets[i];
        total += bucket.count;
        if (!(bucket.count > 0) || (i != 0 && !(histogram.buckets[i - 1].mean <= bucket.mean)))
            return false;
    }
    return histogram.used == 0 || total == static_cast<double>(slot.count);
}

/// The words of ThreadState that change without its version. 40 bits.
inline constexpr unsigned liveBits = 40;
inline constexpr std::uint64_t depthSeed = 1;
inline constexpr std::uint64_t eventsSeed = 2;
constexpr std::uint16_t functionCheck(std::uint32_t function, std::size_t depth) {
    return static_cast<std::uint16_t>(mixCheck(mixCheck(depth + 1, function), function) >> 48U);
}

/// The check of a crash: over all words before `check`, less the version, and the bytes of the stack behind it.
inline std::uint64_t checkOfCrash(const CrashState &state, const void *stack) {
    const auto *words = reinterpret_cast<const std::uint64_t *>(&state);
    std::uint64_t check = 0x43524153;
    for (std::size_t i = 1; i < offsetof(CrashState, check) / 8; ++i)
        check = mixCheck(check, words[i]);
    const auto *bytes = static_cast<const unsigned char *>(stack);
    for (std::uint64_t at = 0; at < state.stackBytes; at += 8) {
        std::uint64_t word = 0;
        __builtin_memcpy(&word, bytes + at, state.stackBytes - at < 8 ? state.stackBytes - at : 8);
        check = mixCheck(check, word);
    }
    return check;
}

} // namespace laggard::recording
