// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/automaded/AutomadedDump.h"

#include "ingest/assembly/Demangling.h"
#include "trace/MpiName.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

namespace laggard::automaded {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view firstLine = "#START_DEPENDENCY_GRAPH";
constexpr std::uint32_t mostRanks = 4'194'304;
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 30U; // dumps have some kilobytes

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

/// One frame, from its source line and from its place in the binary.
struct StackFrame {
    std::string symbol;
    std::string file; ///< empty where unknown
    std::uint32_t line = 0;
    CodePlace place;
    bool isTool = false;
};

/// A state while its parts are collected.
struct State {
    std::vector<StackFrame> places;  ///< from #START_STATES, innermost first
    std::vector<StackFrame> sources; ///< from #START_SOURCE_CODE_LINES
    bool isCommunication = false;
};

class Reader {
  public:
    explicit Reader(const std::string &path) : m_path(path), m_trace(std::make_shared<Trace>()) {}

    ModelDumpPtr read() {
        std::error_code error;
        if (fs::file_size(m_path, error) > mostBytes)
            throw ReadError("The dump \"" + m_path + "\" is larger than a dump of AutomaDeD can be.");
        std::ifstream file(m_path, std::ios::binary);
        if (!file)
            throw ReadError("The dump \"" + m_path + "\" cannot be read.");
        std::string line;
        while (std::getline(file, line)) {
            ++m_line;
            if (!line.empty() && line.back() == '\r')
                line.pop_back();
            takeLine(line);
        }
        if (!m_block.empty())
            fail("the block " + m_block + " has no end");
        return finish();
    }

  private:
    [[noreturn]] void fail(std::string reason) const {
        std::ranges::replace(reason, '\0', ' '); // bytes of the file: at this one, the sentence would end
        throw ReadError("The dump \"" + m_path + "\" is damaged in line " + std::to_string(m_line) + ": " + reason + '.');
    }

    void takeLine(const std::string &line) {
        constexpr std::string_view start = "#START_";
        constexpr std::string_view end = "#END_";
        if (line.starts_with(start)) {
            if (!m_block.empty())
                fail("the block " + m_block + " has no end");
            m_block = line.substr(start.size());
        } else if (line.starts_with(end)) {
            if (line.substr(end.size()) != m_block)
                fail("a block ends that has not begun");
            m_block.clear();
        } else if (line.empty()) {
            return;
        } else if (m_block == "DEPENDENCY_GRAPH") {
            addRow(line);
        } else if (m_block == "STATES") {
            addState(line);
        } else if (m_block == "TASK_LOC") {
            addTasks(line);
        } else if (m_block == "SOURCE_CODE_LINES") {
            addSource(line);
        } else if (m_block == "STATE_TYPES") {
            addType(line);
        } else if (m_block.empty()) {
            fail("a line outside of all blocks");
        }
    }

    /// "0,1,3," 1: the row depends on the column.
    void addRow(std::string_view line) {
        std::vector<std::string_view> cells = split(line, ',');
        if (!cells.empty() && cells.back().empty())
            cells.pop_back();
        for (std::uint32_t column = 0; column < cells.size(); ++column) {
            const std::optional<std::uint32_t> cell = number(cells[column]);
            if (!cell || *cell > 3)
                fail("a dependence is 0, 1, 2 or 3");
            if (*cell != 0)
                m_dump.dependences.push_back({m_rows, column, static_cast<StatedDependence::Kind>(*cell)});
            m_columns = std::max(m_columns, column + 1);
        }
        ++m_rows;
    }

    /// The state that "3:…" or "3,…" begins with; the line goes on behind it.
    State &stateOf(std::string_view &line, char separator) {
        const std::size_t end = line.find(separator);
        const std::optional<std::uint32_t> id = end == std::string_view::npos ? std::nullopt : number(line.substr(0, end));
        if (!id)
            fail("the number of a state was expected");
        line.remove_prefix(end + 1);
        m_current = *id;
        return m_states[*id];
    }

    /// "object(symbol+0xoff) [0xaddr]|…".
    void addState(std::string_view line) {
        State &state = stateOf(line, ':');
        if (!state.places.empty())
            fail("a state is listed twice");
        for (const std::string_view text : split(line, '|')) {
            StackFrame frame;
            const std::size_t open = text.find('(');
            const std::size_t close = text.find(')', open == std::string_view::npos ? 0 : open);
            frame.place.module = std::string(text.substr(0, std::min(open, text.find(' '))));
            if (open != std::string_view::npos && close != std::string_view::npos) {
                const std::string_view inner = text.substr(open + 1, close - open - 1);
                const std::size_t plus = inner.rfind('+');
                frame.symbol = std::string(inner.substr(0, plus));
                if (plus != std::string_view::npos)
                    frame.place.offset = std::strtoull(std::string(inner.substr(plus + 1)).c_str(), nullptr, 16);
            }
            state.places.push_back(std::move(frame));
        }
    }

    /// "0:0-2,4-15:15".
    void addTasks(std::string_view line) {
        static_cast<void>(stateOf(line, ':'));
        const std::string_view ranges = line.substr(0, line.find(':'));
        for (const std::string_view range : split(ranges, ',')) {
            const std::size_t dash = range.find('-');
            const std::optional<std::uint32_t> first = number(range.substr(0, dash));
            const std::optional<std::uint32_t> last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
            if (!first || !last || *last < *first)
                fail("\"" + std::string(ranges.substr(0, 40)) + "\" is not a list of ranks");
            if (*last >= mostRanks)
                fail("rank " + std::to_string(*last) + " is more than can be");
            if (*last >= m_stateOfRank.size())
                m_stateOfRank.resize(*last + 1, none);
            for (Rank rank = *first; rank <= *last; ++rank) {
                if (m_stateOfRank[rank] != none && m_stateOfRank[rank] != m_current)
                    fail("rank " + std::to_string(rank) + " is in two states");
                m_stateOfRank[rank] = m_current;
            }
        }
    }

    /// "0,file:line|function|*", then further lines of the same state without number.
    void addSource(std::string_view line) {
        const std::size_t comma = line.find(',');
        const bool begins = comma != std::string_view::npos && number(line.substr(0, comma)).has_value();
        if (begins)
            static_cast<void>(stateOf(line, ','));
        else if (m_states.empty())
            fail("a source line before the first state");
        const std::vector<std::string_view> parts = split(line, '|');
        StackFrame frame;
        const std::size_t colon = parts[0].rfind(':');
        if (colon != std::string_view::npos && parts[0].substr(0, colon) != "??") {
            frame.file = std::string(parts[0].substr(0, colon));
            frame.line = number(parts[0].substr(colon + 1)).value_or(0);
        }
        frame.symbol = parts.size() > 1 ? std::string(parts[1]) : std::string();
        frame.isTool = parts.size() > 2 && parts[2] == "*";
        m_states[m_current].sources.push_back(std::move(frame));
    }

    void addType(std::string_view line) {
        State &state = stateOf(line, ':');
        if (line != "COMPUTATION_CODE" && line != "COMMUNICATION_CODE")
            fail("\"" + std::string(line.substr(0, 40)) + "\" is no kind of state");
        state.isCommunication = line == "COMMUNICATION_CODE";
    }

    ModelDumpPtr finish() {
        if (m_stateOfRank.empty())
            throw ReadError("The dump \"" + m_path + "\" says of no rank where it is.");
        if (std::max(m_rows, m_columns) > m_states.size() || m_states.rbegin()->first >= m_states.size())
            throw ReadError("The dump \"" + m_path + "\" is damaged: its dependences are not those of its " +
                            plural(m_states.size(), "state") + ".");
        m_trace->path = m_path;
        m_trace->format = "AutomaDeD dump";
        m_trace->isSummary = true;
        for (auto &[id, state] : m_states)
            m_dump.models.states.push_back(describe(state));
        m_trace->processes.resize(m_stateOfRank.size());
        for (Rank rank = 0; rank < m_stateOfRank.size(); ++rank)
            m_trace->processes[rank].name = "MPI Rank " + std::to_string(rank);
        m_dump.datatypeOfState.resize(m_dump.models.states.size());
        m_dump.models.modelOfRank.assign(m_stateOfRank.size(), none);
        m_dump.models.stateOfRank = std::move(m_stateOfRank);
        m_dump.statesDependences = true;
        m_dump.job = std::move(m_trace);
        return std::make_shared<const ModelDump>(std::move(m_dump));
    }

    /// The frames of the program, innermost first. The MPI function that the tool wraps stands for the call itself.
    [[nodiscard]] static std::vector<StackFrame> programFrames(const State &state) {
        const bool hasSources = !state.sources.empty();
        std::vector<StackFrame> frames = hasSources ? state.sources : state.places;
        if (hasSources && state.places.size() == frames.size())
            for (std::size_t i = 0; i < frames.size(); ++i)
                frames[i].place = state.places[i].place;
        std::vector<StackFrame> kept;
        for (StackFrame &frame : frames) {
            const bool isWrapper = isMpiName(frame.symbol);
            if (!hasSources)
                frame.isTool = frame.place.module.find("libstracker") != std::string::npos;
            if (!frame.isTool) {
                kept.push_back(std::move(frame));
            } else if (isWrapper && state.isCommunication) { // where the wrapper is, is no business of the program's
                frame.file.clear();
                frame.line = 0;
                frame.place = {};
                kept.push_back(std::move(frame));
            }
        }
        return kept;
    }

    ModelState describe(const State &state) {
        ModelState result;
        result.kind = state.isCommunication ? ModelState::Kind::Communication : ModelState::Kind::Computation;
        const std::vector<StackFrame> frames = programFrames(state);
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
            result.callPath = m_trace->callPaths.intern(result.callPath, regionOf(*frame));
        for (const StackFrame &frame : frames)
            result.stack.push_back({frame.symbol.empty() ? frame.place.module : demangled(frame.symbol), frame.file, frame.line});
        return result;
    }

    RegionId regionOf(const StackFrame &frame) {
        const auto [entry, isNew] = m_regions.try_emplace({frame.symbol, frame.file, frame.line, frame.place.module},
                                                          static_cast<RegionId>(m_trace->regions.size()));
        if (!isNew)
            return entry->second;
        Region region;
        region.name = frame.symbol.empty() ? frame.place.module : demangled(frame.symbol);
        region.canonicalName = frame.symbol;
        region.file = frame.file;
        region.line = frame.line;
        region.role = RegionRole::Function;
        if (isMpiName(frame.symbol))
            region.paradigm = Paradigm::Mpi;
        m_trace->regions.push_back(std::move(region));
        m_dump.places.push_back(frame.place);
        return entry->second;
    }

    std::string m_path;
    std::uint64_t m_line = 0;
    std::string m_block; ///< that the line is in
    std::uint32_t m_rows = 0;
    std::uint32_t m_columns = 0;
    std::uint32_t m_current = none; ///< state of the latest line
    std::map<std::uint32_t, State> m_states;
    std::vector<std::uint32_t> m_stateOfRank;
    std::map<std::tuple<std::string, std::string, std::uint32_t, std::string>, RegionId> m_regions;
    std::shared_ptr<Trace> m_trace;
    ModelDump m_dump;
};

} // namespace

std::vector<std::string> find(const std::string &path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) // a folder may hold the dumps of many jobs
        return {};
    std::ifstream file(path, std::ios::binary);
    std::string head(firstLine.size(), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return file && head == firstLine ? std::vector{path} : std::vector<std::string>();
}

ModelDumpPtr open(const std::string &path, const Work &work) {
    throwIfCancelled(work);
    return Reader(path).read();
}

} // namespace laggard::automaded
