// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/FileReader.h"

#include "ingest/assembly/InternTable.h"
#include "ingest/calltrace/CallBuilding.h"
#include "ingest/calltrace/Record.h"
#include "ingest/calltrace/TextFile.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace laggard::calltrace {
namespace {

/// Lines of one kind: how many, and where the first is.
struct LineCount {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    void add(std::uint64_t line) { first = count++ == 0 ? line : first; }
};

struct Damage {
    LineCount noRecord;
    LineCount overlong;
    bool beginsInALine = false; ///< the first line is a part of one: a ring buffer was cut there
    bool endsInALine = false;
    std::string failure;
    std::uint64_t lines = 0;
};

/// Calls `take(record)` for each record of a file.
template <typename Take> class Lines {
  public:
    Lines(TextFile &file, const Work &work, const std::function<void(std::uint64_t)> &advanced, Take take)
        : m_file(file), m_work(work), m_advanced(advanced), m_take(std::move(take)) {}

    Damage read() {
        for (std::string_view lines = m_file.next(); !lines.empty(); lines = m_file.next()) {
            throwIfCancelled(m_work);
            leaveOut();
            readPiece(lines);
            if (m_advanced)
                m_advanced(lines.size());
        }
        leaveOut();
        // The writer may have been stopped within the number: only a record that goes on in time is taken as it stands.
        if (const std::string_view rest = m_file.remainder(); !rest.empty())
            m_damage.endsInALine = !(parseRecord(withoutReturn(rest), m_record) && m_record.stamp >= m_latest && give());
        m_damage.failure = m_file.failure();
        return std::move(m_damage);
    }

  private:
    static std::string_view withoutReturn(std::string_view line) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        return line;
    }

    void leaveOut() {
        for (std::uint64_t i = m_file.takeLeftOut(); i > 0; --i)
            m_damage.overlong.add(++m_damage.lines);
    }

    bool give() {
        m_latest = m_record.stamp;
        m_take(m_record);
        return true;
    }

    void readPiece(std::string_view lines) {
        const char *at = lines.data();
        const char *const end = at + lines.size();
        while (at != end) {
            ++m_damage.lines;
            if (const char *next = parseUsualRecord(at, end, m_record)) {
                give();
                at = next;
                continue;
            }
            const char *feed = static_cast<const char *>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
            readUnusual(withoutReturn({at, static_cast<std::size_t>(feed - at)}));
            at = feed + 1;
        }
    }

    void readUnusual(std::string_view line) {
        if (line.size() > TextFile::longestLine)
            m_damage.overlong.add(m_damage.lines);
        else if (parseRecord(line, m_record))
            give();
        else if (isBlankOrComment(line))
            return;
        else if (m_damage.lines == 1)
            m_damage.beginsInALine = true;
        else
            m_damage.noRecord.add(m_damage.lines);
    }

    TextFile &m_file;
    const Work &m_work;
    const std::function<void(std::uint64_t)> &m_advanced;
    Take m_take;
    CallRecord m_record;
    Tick m_latest = 0;
    Damage m_damage;
};

template <typename Take>
Damage forEachRecord(TextFile &file, const Work &work, const std::function<void(std::uint64_t)> &advanced, Take take) {
    return Lines<Take>(file, work, advanced, std::move(take)).read();
}

struct AddressHash {
    std::size_t operator()(std::uint64_t address) const { return mixHash(address); }
};

std::string linesText(const LineCount &lines) {
    return lines.count == 1 ? "Line " + std::to_string(lines.first)
                            : plural(lines.count, "line") + ", the first of them line " + std::to_string(lines.first) + ',';
}

std::string counted(std::uint64_t count, const char *one, const char *many) {
    return describeCount(count) + ' ' + (count == 1 ? one : many);
}

/// Reads one file; lives as long as that takes.
class Reader {
  public:
    Reader(const TraceFile &file, const ClockMap &clock, const std::set<std::int32_t> *wanted)
        : m_file(file), m_clock(clock), m_wanted(wanted) {}

    FileContent read(const Work &work, const std::function<void(std::uint64_t)> &advanced) {
        TextFile text(m_file.path);
        m_damage = forEachRecord(text, work, advanced, [this](const CallRecord &record) { take(record); });
        build(work);
        addWarnings();
        m_content.addresses = m_functions.take();
        return std::move(m_content);
    }

  private:
    using ThreadKey = std::pair<std::int32_t, std::uint64_t>;

    void take(const CallRecord &record) {
        if (m_lastKey != ThreadKey(record.pid, record.tid)) {
            if (m_wanted != nullptr && !m_wanted->contains(record.pid))
                return;
            m_lastKey = {record.pid, record.tid};
            std::unique_ptr<ThreadRecords> &records = m_threads[m_lastKey];
            if (records == nullptr)
                records = std::make_unique<ThreadRecords>();
            m_last = records.get();
        }
        m_last->add(m_clock(record.stamp), m_functions.intern(record.address), record.isEnter);
        if (record.hasFields)
            m_last->addFields(record.fields);
        m_withMore += record.hasMore ? 1 : 0;
        ++m_records;
    }

    void build(const Work &work) {
        for (auto &[key, records] : m_threads) {
            throwIfCancelled(work);
            if (m_content.processes.empty() || m_content.processes.back().pid != key.first)
                m_content.processes.push_back({key.first, {}});
            Location &location = m_content.processes.back().locations.emplace_back();
            location.id = key.second;
            location.name = "thread " + std::to_string(key.second);
            location.kind = LocationKind::Thread;
            location.eventCount = records->size();
            orderTimes(*records, m_odd.stepsBack);
            location.firstEvent = records->time[0];
            location.lastEvent = records->time.back();
            location.events = buildCalls(std::move(*records), m_functions.size(), m_content.callPaths, m_odd);
            records.reset();
        }
        for (FileProcess &process : m_content.processes) {
            const auto isMain = [&](const Location &l) { return l.id == static_cast<std::uint64_t>(process.pid); };
            std::stable_partition(process.locations.begin(), process.locations.end(), isMain);
            markDamaged(process);
        }
    }

    /// Damaged is what may mislead: a process that one line alone speaks of, among many of others; or too many lines lost.
    void markDamaged(FileProcess &process) {
        std::uint64_t own = 0;
        for (const Location &location : process.locations)
            own += location.eventCount;
        const bool isPhantom = own == 1 && m_records >= 1000;
        if (isPhantom)
            ++m_phantoms;
        const std::uint64_t lost = m_damage.noRecord.count + m_damage.overlong.count;
        for (Location &location : process.locations)
            location.damaged = isPhantom || lost * 100 > m_damage.lines || !m_damage.failure.empty();
    }

    void warn(WarningId id, Warning::Severity severity, std::string message, std::vector<Warning::Datum> data = {}) {
        m_content.warnings.push_back({id, severity, std::nullopt, m_file.path, std::move(message), std::move(data)});
    }

    void addWarnings() {
        const auto loss = Warning::Severity::DataLoss;
        const auto note = Warning::Severity::Note;
        if (!m_damage.failure.empty())
            warn(WarningId::ReadInPart, loss, "The file could not be read to its end: " + m_damage.failure + '.');
        if (m_damage.noRecord.count != 0)
            warn(WarningId::OddLines, loss,
                 linesText(m_damage.noRecord) + (m_damage.noRecord.count == 1 ? " is no record" : " are no records") +
                     " of a call; left out.",
                 {{"lines", m_damage.noRecord.count}});
        if (m_damage.overlong.count != 0)
            warn(WarningId::OverlongLines, loss,
                 linesText(m_damage.overlong) + (m_damage.overlong.count == 1 ? " is" : " are") + " longer than " +
                     std::to_string(TextFile::longestLine) + " characters; left out.",
                 {{"lines", m_damage.overlong.count}});
        if (m_phantoms != 0)
            warn(WarningId::PhantomProcesses, loss,
                 counted(m_phantoms, "process has", "processes have") +
                     " a single record in this file, as a damaged number makes one.",
                 {{"processes", m_phantoms}});
        if (m_damage.beginsInALine)
            warn(WarningId::PartialLine, note,
                 "The first line is a part of one, as a buffer leaves it that keeps the newest records; left out.");
        if (m_damage.endsInALine)
            warn(WarningId::PartialLine, note,
                 "The last line is cut off: the process ended, or the file was copied, while it was being written.");
        addOddities(note);
        if (m_withMore != 0)
            m_content.unshown["further fields of call records"] += m_withMore;
    }

    void addOddities(Warning::Severity note) {
        if (m_odd.callsBefore != 0)
            warn(WarningId::OpenBefore, note,
                 counted(m_odd.callsBefore, "call was", "calls were") +
                     " open when the records begin: known from returns without entries.",
                 {{"calls", m_odd.callsBefore}});
        if (m_odd.stepsBack != 0)
            warn(WarningId::BackwardTime, note,
                 counted(m_odd.stepsBack, "time stamp steps", "time stamps step") + " back; put in order.",
                 {{"events", m_odd.stepsBack}});
        if (m_odd.neverLeft != 0)
            warn(WarningId::NeverLeft, note,
                 counted(m_odd.neverLeft, "call has", "calls have") +
                     " no return, though the function that made it has one; ended with it.",
                 {{"calls", m_odd.neverLeft}});
        if (m_odd.strayReturns != 0)
            warn(WarningId::StrayLeaves, note,
                 counted(m_odd.strayReturns, "return is", "returns are") + " from calls that were not open; left out.",
                 {{"calls", m_odd.strayReturns}});
        if (m_odd.tooDeep != 0)
            warn(WarningId::TooDeep, note,
                 counted(m_odd.tooDeep, "record is", "records are") + " of calls nested more than " +
                     std::to_string(deepestCall) + " deep; left out.",
                 {{"records", m_odd.tooDeep}});
    }

    const TraceFile &m_file;
    const ClockMap &m_clock;
    const std::set<std::int32_t> *m_wanted;
    FileContent m_content;
    Damage m_damage;
    Oddities m_odd;
    std::map<ThreadKey, std::unique_ptr<ThreadRecords>> m_threads;
    ThreadKey m_lastKey{-1, 0};
    ThreadRecords *m_last = nullptr;
    InternTable<std::uint64_t, AddressHash> m_functions;
    std::uint64_t m_records = 0;
    std::uint64_t m_withMore = 0;
    std::uint64_t m_phantoms = 0;
};

} // namespace

Tick ClockMap::operator()(Tick stamp) const {
    if (ticksPerSecond == 0)
        return stamp + shift;
    const auto nanoseconds = static_cast<unsigned __int128>(stamp) * 1'000'000'000U / ticksPerSecond;
    return nanoseconds > openEnd / 4 ? openEnd / 4 : static_cast<Tick>(nanoseconds) + shift;
}

FileContent readFile(const TraceFile &file, const ClockMap &clock, const std::set<std::int32_t> *wanted, const Work &work,
                     const std::function<void(std::uint64_t)> &advanced) {
    return Reader(file, clock, wanted).read(work, advanced);
}

FileGlance glanceAt(const TraceFile &file, bool whole, const Work &work) {
    FileGlance glance;
    TextFile text(file.path);
    std::pair<std::int32_t, std::uint64_t> latest{-1, 0};
    const auto take = [&](const CallRecord &record) {
        if (latest != std::pair(record.pid, record.tid)) {
            latest = {record.pid, record.tid};
            glance.pids.insert(record.pid);
            glance.threads.insert(latest);
        }
        glance.first = std::min(glance.first, record.stamp);
        glance.last = std::max(glance.last, record.stamp);
    };
    if (whole) {
        static_cast<void>(forEachRecord(text, work, {}, take));
        return glance;
    }
    constexpr std::size_t glanced = 65536;
    const auto takeLines = [&](std::string_view lines) {
        CallRecord record;
        while (!lines.empty()) {
            std::string_view line = lines.substr(0, lines.find('\n'));
            lines.remove_prefix(std::min(line.size() + 1, lines.size()));
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            if (parseRecord(line, record))
                take(record);
        }
    };
    takeLines(text.next().substr(0, glanced));
    if (text.bytes() > 2 * glanced) {
        text.seek(text.bytes() - glanced);
        takeLines(text.next());
    }
    return glance;
}

} // namespace laggard::calltrace
