// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/RasSnapshot.h"

#include "ingest/flightrecorder/FileBytes.h"
#include "ingest/flightrecorder/PlainJson.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace laggard::flightrecorder {
namespace {

constexpr std::size_t mostNamed = 1'000'000; // ranks of a snapshot
constexpr std::size_t mostNotes = 20;        // in a snapshot: the first tell most

/// The words of a line.
std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::size_t most = 32; // no line that counts has more
    while (words.size() < most) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos)
            return words;
        const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
    return words;
}

std::optional<std::uint64_t> numberOf(std::string_view word) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && !word.empty() ? std::optional(value) : std::nullopt;
}

/// What "… launched up to operation 64 …" and "… not launched any operations …" say; nothing of other lines.
std::optional<std::uint64_t> launchedIn(std::string_view line) {
    constexpr std::string_view upTo = "launched up to operation ";
    if (line.find("not launched any operations") != std::string_view::npos)
        return 0;
    const std::size_t at = line.find(upTo);
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto words = wordsOf(line.substr(at + upTo.size()));
    return words.empty() ? std::nullopt : numberOf(words.front());
}

class TextReader {
  public:
    explicit TextReader(RasSnapshot &snapshot) : m_snapshot(snapshot) {}

    void read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            readLine(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        finishCount();
    }

  private:
    void readLine(std::string_view line) {
        const auto words = wordsOf(line);
        if (words.empty() || m_named > mostNamed)
            return;
        if (words[0].starts_with('#') && words.size() >= 2 && words[1].starts_with('('))
            return beginCommunicator(words);
        if (words[0] == "Process" && line.find("managing GPU") != std::string_view::npos && m_snapshot.gone.size() < mostNotes) {
            const std::size_t begin = line.find_first_not_of(" \t");
            m_snapshot.gone.emplace_back(line.substr(begin, 200));
            return;
        }
        if (words.size() == 8 && numberOf(words[0]) && numberOf(words[4])) { // the table of groups
            m_sizes[std::string(words[0])] = *numberOf(words[4]);
            return;
        }
        if (m_isInside)
            readCounts(line, words);
    }

    void beginCommunicator(const std::vector<std::string_view> &words) {
        finishCount();
        RasCommunicator communicator;
        communicator.hash = words[1].substr(1, words[1].find(')') - 1);
        const std::string group(words[0].substr(1, words[0].find('-') - 1));
        if (const auto size = m_sizes.find(group); size != m_sizes.end())
            communicator.size = size->second;
        m_isMissing = words.size() > 2 && words[2].starts_with("INCOMPLETE");
        m_snapshot.communicators.push_back(std::move(communicator));
        m_isInside = true;
    }

    void readCounts(std::string_view line, const std::vector<std::string_view> &words) {
        constexpr std::string_view different = "ranks have different ";
        if (const std::size_t at = line.find(different); at != std::string_view::npos) {
            finishCount();
            const auto rest = wordsOf(line.substr(at + different.size()));
            m_isCounting = rest.size() >= 2 && line.find("operation counts") != std::string_view::npos;
            m_operation = rest.empty() ? std::string() : std::string(rest[0]);
            return;
        }
        const std::optional<std::uint64_t> count = launchedIn(line);
        const bool isRank = words[0] == "Rank" && words.size() >= 2 && numberOf(words[1]);
        if (count && m_isCounting)
            m_current = *count;
        if (m_isCounting && count)
            m_most = std::max(m_most, *count);
        if (!isRank)
            return;
        const auto rank = static_cast<Rank>(std::min<std::uint64_t>(*numberOf(words[1]), none - 1));
        ++m_named;
        if (m_isCounting)
            m_counts[rank] = m_current;
        else if (m_isMissing)
            m_snapshot.communicators.back().silent.push_back(rank);
    }

    void finishCount() {
        if (m_isCounting && !m_snapshot.communicators.empty()) {
            std::erase_if(m_counts, [this](const auto &each) { return each.second >= m_most; });
            m_snapshot.communicators.back().launched.push_back({m_operation, m_most, std::move(m_counts)});
        }
        m_counts.clear();
        m_isCounting = false;
        m_most = m_current = 0;
    }

    RasSnapshot &m_snapshot;
    std::map<std::string, std::uint64_t> m_sizes; ///< sizes of a group's communicators, by its number
    bool m_isInside = false;                      ///< a communicator
    bool m_isCounting = false;
    bool m_isMissing = false;
    std::string m_operation;
    std::uint64_t m_current = 0;
    std::uint64_t m_most = 0;
    std::map<Rank, std::uint64_t> m_counts;
    std::size_t m_named = 0;
};

class JsonReader {
  public:
    JsonReader(const PlainDocument &document, RasSnapshot &snapshot) : m_document(document), m_snapshot(snapshot) {}

    void read() {
        const PlainValue &root = m_document[m_document.root];
        for (const ValueId each : PlainDocument::elements(m_document.member(root, "communicators")))
            readCommunicator(m_document[each]);
    }

  private:
    [[nodiscard]] Rank rankOf(const PlainValue &value) const {
        const std::int64_t rank = m_document.integer(m_document.member(value, "rank"), -1);
        return rank < 0 || rank >= std::int64_t{none} ? Rank{none} : static_cast<Rank>(rank);
    }

    void readCommunicator(const PlainValue &value) {
        RasCommunicator communicator;
        communicator.hash = PlainDocument::text(m_document.member(value, "hash"));
        communicator.size =
            static_cast<std::uint64_t>(std::max<std::int64_t>(m_document.integer(m_document.member(value, "size"), 0), 0));
        std::map<std::string, std::map<Rank, std::uint64_t>> counts; // by operation
        for (const ValueId each : PlainDocument::elements(m_document.member(value, "ranks"))) {
            const PlainValue *launched = m_document.member(m_document[each], "collective_counts");
            const Rank rank = rankOf(m_document[each]);
            if (launched == nullptr || launched->kind != PlainValue::Kind::Map || rank == none || ++m_named > mostNamed)
                continue;
            for (std::size_t i = 0; i + 1 < launched->items.size() && i < 64; i += 2)
                counts[std::string(PlainDocument::text(&m_document[launched->items[i]]))][rank] = static_cast<std::uint64_t>(
                    std::max<std::int64_t>(m_document.integer(&m_document[launched->items[i + 1]], 0), 0));
        }
        for (auto &[operation, byRank] : counts) {
            std::uint64_t most = 0;
            for (const auto &[rank, count] : byRank)
                most = std::max(most, count);
            std::erase_if(byRank, [most](const auto &each) { return each.second >= most; });
            if (!byRank.empty())
                communicator.launched.push_back({operation, most, std::move(byRank)});
        }
        for (const ValueId each : PlainDocument::elements(m_document.member(value, "missing_ranks")))
            if (const Rank rank = rankOf(m_document[each]); rank != none)
                communicator.silent.push_back(rank);
        if (!communicator.launched.empty() || !communicator.silent.empty())
            m_snapshot.communicators.push_back(std::move(communicator));
    }

    const PlainDocument &m_document;
    RasSnapshot &m_snapshot;
    std::size_t m_named = 0;
};

void readJson(const PlainDocument &document, RasSnapshot &snapshot) { JsonReader(document, snapshot).read(); }

RankSet ranksOf(const std::map<Rank, std::uint64_t> &few) {
    RankSet ranks;
    for (const auto &[rank, count] : few)
        ranks.push_back(rank);
    return ranks;
}

/// "the communicator of all ranks", "a communicator of 8 ranks, by their numbers in it": only in that of all ranks are they the
/// job's.
std::string nameOf(const RasCommunicator &communicator, const Trace &trace) {
    const bool isWorld = communicator.size == trace.processes.size();
    return (isWorld ? "the communicator of all ranks ("
                    : "a communicator of " + (communicator.size == 0 ? "ranks" : plural(communicator.size, "rank")) + " (") +
           communicator.hash + (isWorld ? ")" : "; the numbers are those in it)");
}

/// What the snapshot before shows of the same count; nullptr if nothing.
const RasCommunicator::Launched *sameIn(const RasSnapshot *before, const RasCommunicator &communicator,
                                        const RasCommunicator::Launched &launched) {
    if (before != nullptr)
        for (const RasCommunicator &each : before->communicators)
            if (each.hash == communicator.hash)
                for (const RasCommunicator::Launched &other : each.launched)
                    if (other.operation == launched.operation)
                        return &other;
    return nullptr;
}

void addNotes(const RasSnapshot &snapshot, const RasSnapshot *before, Trace &trace) {
    std::size_t notes = 0;
    const auto note = [&](WarningId id, std::string message, std::vector<Warning::Datum> data) {
        if (notes++ < mostNotes)
            trace.warnings.push_back(
                {id, Warning::Severity::Note, std::nullopt, snapshot.file, std::move(message), std::move(data)});
    };
    for (const std::string &line : snapshot.gone)
        note(WarningId::UnreachableProcess, "ncclras cannot reach a process: " + line + ".", {});
    for (const RasCommunicator &communicator : snapshot.communicators) {
        RankSet silent = communicator.silent;
        std::sort(silent.begin(), silent.end());
        if (!silent.empty())
            note(WarningId::SilentRanks,
                 "On " + nameOf(communicator, trace) + ", ncclras heard nothing of " + describeRankSet(silent) + ".",
                 {{"ranks", formatRanges(silent)}});
        for (const RasCommunicator::Launched &launched : communicator.launched) {
            if (launched.few.empty())
                continue;
            std::string text = "On " + nameOf(communicator, trace) + ", ncclras saw " + describeRankSet(ranksOf(launched.few)) +
                               " behind: up to " + describeCount(launched.few.begin()->second) + " launched (" +
                               launched.operation + "), where others had " + describeCount(launched.most) + ".";
            if (const auto *same = sameIn(before, communicator, launched))
                text += *same == launched ? " It was the same in the first snapshot: it lasts."
                        : same->most == launched.most
                            ? " In the first snapshot others were behind, and nobody was further: it hangs."
                            : " In the first snapshot the counts were lower: the job moved between the two.";
            note(WarningId::FewerLaunched, std::move(text),
                 {{"ranks", formatRanges(ranksOf(launched.few))},
                  {"launched", launched.few.begin()->second},
                  {"most", launched.most}});
        }
    }
}

} // namespace

bool looksLikeRas(std::string_view beginning) {
    const auto has = [&](std::string_view text) { return beginning.find(text) != std::string_view::npos; };
    return (beginning.starts_with("NCCL version ") && has("Job summary")) ||
           (beginning.starts_with('{') && has("\"communicators_count\"") && has("\"nccl_version\""));
}

RasSnapshot readRas(const std::string &file, const Work &work) {
    const std::string subject = "The snapshot of ncclras \"" + file + '"';
    RasSnapshot snapshot;
    snapshot.file = file;
    const std::string bytes = wholeFile(file, subject);
    if (bytes.front() == '{')
        readJson(decodeJson(subject, bytes, work), snapshot);
    else
        TextReader(snapshot).read(bytes);
    return snapshot;
}

void addSnapshots(const std::vector<std::string> &files, Trace &trace, const Work &work) {
    std::vector<RasSnapshot> snapshots;
    for (const std::string &file : files) {
        throwIfCancelled(work);
        try {
            snapshots.push_back(readRas(file, work));
        } catch (const ReadError &failure) {
            trace.warnings.push_back(
                {WarningId::UnreadableSnapshot, Warning::Severity::Note, std::nullopt, file, failure.what()});
        }
    }
    if (!snapshots.empty())
        addNotes(snapshots.back(), snapshots.size() > 1 ? &snapshots.front() : nullptr, trace);
}

} // namespace laggard::flightrecorder
