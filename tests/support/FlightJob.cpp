// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FlightJob.h"

#include "tests/support/ArchiveWriter.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard::test {
namespace {

using Fault = FlightJob::Fault;
using At = FlightJob::At;
using ValueKind = FlightValue::Kind;

constexpr std::uint64_t startTime = 1'758'610'505'000'000'000; // nanoseconds since 1970
constexpr std::uint64_t operationTime = 1'000'000;             // nanoseconds: of each, from enqueueing to completion

/// An operation of a rank's program.
struct Step {
    std::uint32_t group = 0; ///< in the rank's own list
    std::string name;        ///< "all_reduce"
    std::uint64_t collective = 0;
    std::uint64_t message = 0;
    std::uint32_t peer = none; ///< in the group, of messages
    bool isSend = false;
    std::uint64_t elements = 4096;
    std::string type = "BFloat16";
    std::uint32_t line = 0;
    std::uint64_t meeting = 0; ///< where its participants meet
};

struct Group {
    std::string name;
    std::string description;
    RankSet members;
    At kind = At::World;
};

/// What the devices do.
class Simulation {
  public:
    explicit Simulation(const FlightJob &job) : m_job(job), m_ranks(job.ranks()) {
        makeGroups();
        for (std::uint32_t rank = 0; rank < job.ranks(); ++rank)
            makeProgram(rank);
        spoil();
        meetAll();
        run();
    }

    [[nodiscard]] std::string dump(std::uint32_t rank) const {
        if (m_job.fault == Fault::NoDump && contains(m_job.faulty, rank))
            return {};
        FlightValue root = FlightValue::of(ValueKind::Map);
        root.set("version", m_job.version);
        root.set("pg_config", config(rank));
        root.set("nccl_version", "2.27.3");
        if (m_job.status)
            root.set("pg_status", status(rank));
        root.set("entries", entries(rank));
        return m_job.json ? asJson(root) : pickled(root, m_job.protocol);
    }

  private:
    struct Process {
        std::vector<std::uint32_t> groups; ///< in m_groups
        std::vector<Step> steps;
        std::size_t done = 0;
        std::size_t limit = ~std::size_t{0}; ///< steps that the program enqueues at most
        std::size_t deaf = ~std::size_t{0};  ///< step whose completion is not noticed
        std::size_t held = ~std::size_t{0};  ///< step to which the device does not come
        bool isAtMeeting = false;
        std::map<std::uint32_t, std::uint64_t> collectives; ///< so far, by own group
        std::map<std::uint32_t, std::uint64_t> messages;
    };

    [[nodiscard]] bool isFaulty(std::uint32_t rank) const { return contains(m_job.faulty, rank); }

    void addGroup(At kind, const char *description, RankSet members) {
        const bool repeats = m_job.repeatNames && kind != At::World;
        const auto number = static_cast<std::uint32_t>(m_groups.size());
        const int place = kind == At::Tensor ? 1 : kind == At::Data ? 2 : 3; // as each rank makes them
        m_groups.push_back({std::to_string(repeats ? place : static_cast<int>(number)), description, std::move(members), kind});
        for (const Rank member : m_groups.back().members)
            m_ranks[member].groups.push_back(number);
    }

    void makeGroups() {
        RankSet all(m_job.ranks());
        for (std::uint32_t rank = 0; rank < all.size(); ++rank)
            all[rank] = rank;
        addGroup(At::World, "default_pg", all);
        const auto rankOf = [&](std::uint32_t t, std::uint32_t d, std::uint32_t p) {
            return t + m_job.tensor * (d + m_job.data * p);
        };
        for (std::uint32_t p = 0; p < m_job.pipeline; ++p)
            for (std::uint32_t d = 0; d < m_job.data && m_job.tensor > 1; ++d) {
                RankSet members;
                for (std::uint32_t t = 0; t < m_job.tensor; ++t)
                    members.push_back(rankOf(t, d, p));
                addGroup(At::Tensor, "TENSOR_MODEL_PARALLEL_GROUP", members);
            }
        for (std::uint32_t p = 0; p < m_job.pipeline; ++p)
            for (std::uint32_t t = 0; t < m_job.tensor && m_job.data > 1; ++t) {
                RankSet members;
                for (std::uint32_t d = 0; d < m_job.data; ++d)
                    members.push_back(rankOf(t, d, p));
                addGroup(At::Data, "DATA_PARALLEL_GROUP", members);
            }
        for (std::uint32_t d = 0; d < m_job.data; ++d)
            for (std::uint32_t t = 0; t < m_job.tensor && m_job.pipeline > 1; ++t) {
                RankSet members;
                for (std::uint32_t p = 0; p < m_job.pipeline; ++p)
                    members.push_back(rankOf(t, d, p));
                addGroup(At::Pipeline, "PIPELINE_MODEL_PARALLEL_GROUP", members);
            }
    }

    /// The rank's own number of its group of this kind; `none` if it has none.
    [[nodiscard]] std::uint32_t own(std::uint32_t rank, At kind) const {
        const std::vector<std::uint32_t> &groups = m_ranks[rank].groups;
        for (std::uint32_t i = 0; i < groups.size(); ++i)
            if (m_groups[groups[i]].kind == kind)
                return i;
        return none;
    }

    void collective(std::uint32_t rank, At kind, const char *name, std::uint32_t line) {
        const std::uint32_t group = own(rank, kind);
        if (group == none)
            return;
        Process &process = m_ranks[rank];
        Step step;
        step.group = group;
        step.name = name;
        step.collective = ++process.collectives[group];
        step.line = line;
        process.steps.push_back(std::move(step));
    }

    void message(std::uint32_t rank, bool isSend, std::uint32_t peer, std::uint32_t line) {
        Process &process = m_ranks[rank];
        Step step;
        step.group = own(rank, At::Pipeline);
        step.name = isSend ? "send" : "recv";
        step.collective = process.collectives[step.group];
        step.message = ++process.messages[step.group];
        step.peer = peer;
        step.isSend = isSend;
        step.line = line;
        process.steps.push_back(std::move(step));
    }

    void makeProgram(std::uint32_t rank) {
        const std::uint32_t stage = rank / (m_job.tensor * m_job.data);
        for (std::uint32_t round = 0; round < m_job.steps; ++round) {
            if (stage > 0)
                message(rank, false, stage - 1, 20);
            for (std::uint32_t layer = 0; layer < m_job.layers; ++layer) {
                collective(rank, At::Tensor, "_all_gather_base", 30);
                collective(rank, At::Tensor, "_reduce_scatter_base", 31);
            }
            if (stage + 1 < m_job.pipeline) {
                message(rank, true, stage + 1, 21);
                message(rank, false, stage + 1, 22);
            }
            for (std::uint32_t layer = 0; layer < m_job.layers; ++layer)
                collective(rank, At::Tensor, "all_reduce", 32);
            if (stage > 0)
                message(rank, true, stage - 1, 23);
            collective(rank, At::Data, "_reduce_scatter_base", 40);
            collective(rank, At::Data, "_all_gather_base", 41);
            collective(rank, At::World, "all_reduce", 50);
        }
    }

    /// The step with the fault: the first one on the group in question in the last round but one.
    [[nodiscard]] std::size_t faultyStep(std::uint32_t rank) const {
        const std::vector<Step> &steps = m_ranks[rank].steps;
        const std::uint32_t group = own(rank, m_job.at);
        const std::size_t from = steps.size() / m_job.steps * (m_job.steps - 2);
        for (std::size_t i = from; i < steps.size(); ++i)
            if (steps[i].group == group)
                return i;
        return steps.size();
    }

    void spoil() {
        for (const Rank rank : m_job.faulty) {
            Process &process = m_ranks[rank];
            const std::size_t at = faultyStep(rank);
            if (at >= process.steps.size())
                continue;
            Step &step = process.steps[at];
            switch (m_job.fault) {
            case Fault::None:
                break;
            case Fault::NotEnqueued:
            case Fault::NoDump:
                process.limit = at;
                break;
            case Fault::StuckDevice:
                process.deaf = at;
                break;
            case Fault::NotStarted:
                process.held = at;
                break;
            case Fault::OtherOperation:
                step.name = "broadcast";
                break;
            case Fault::OtherSize:
                step.elements *= 2;
                break;
            case Fault::OtherType:
                step.type = "Float";
                break;
            case Fault::OtherOrder:
                for (std::size_t next = at + 1; next < process.steps.size(); ++next)
                    if (process.steps[next].group == step.group && process.steps[next].name != step.name) {
                        std::swap(step.name, process.steps[next].name);
                        std::swap(step.line, process.steps[next].line);
                        break;
                    }
                break;
            }
        }
    }

    [[nodiscard]] bool isMismatched() const { return m_job.fault >= Fault::OtherOperation; }

    /// Numbers the meetings: a collective of a group, or the k-th message of a sender to a receiver.
    void meetAll() {
        std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t>, std::uint64_t> numbers;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sent; // messages so far, by both ends
            for (std::size_t i = 0; i < m_ranks[rank].steps.size(); ++i) {
                Step &step = m_ranks[rank].steps[i];
                const std::uint32_t group = m_ranks[rank].groups[step.group];
                std::uint32_t from = none;
                std::uint32_t to = none;
                std::uint64_t number = step.collective;
                if (step.peer != none) {
                    const Rank peer = m_groups[group].members[step.peer];
                    from = step.isSend ? rank : peer;
                    to = step.isSend ? peer : rank;
                    number = ++sent[{from, to}];
                }
                step.meeting = numbers.try_emplace({group, number, from, to}, numbers.size()).first->second;
                if (m_needed.size() <= step.meeting)
                    m_needed.resize(step.meeting + 1);
                m_needed[step.meeting] = from == none ? m_groups[group].members.size() : 2;
                if (isMismatched() && isFaulty(rank) && i == faultyStep(rank))
                    m_never.push_back(step.meeting);
            }
        }
        m_come.resize(m_needed.size());
    }

    [[nodiscard]] std::size_t enqueued(const Process &process) const {
        return std::min({process.steps.size(), process.limit, process.done + 1 + m_job.lookAhead});
    }

    /// Lets devices go on until nothing moves.
    void run() {
        std::vector<std::uint32_t> moving(m_ranks.size());
        for (std::uint32_t rank = 0; rank < moving.size(); ++rank)
            moving[rank] = rank;
        while (!moving.empty()) {
            const std::uint32_t rank = moving.back();
            moving.pop_back();
            Process &process = m_ranks[rank];
            if (process.isAtMeeting || process.done >= enqueued(process) || process.done == process.held)
                continue;
            process.isAtMeeting = true;
            const std::uint64_t meeting = process.steps[process.done].meeting;
            m_come[meeting].push_back(rank);
            if (m_come[meeting].size() < m_needed[meeting] || std::ranges::find(m_never, meeting) != m_never.end())
                continue;
            for (const std::uint32_t each : m_come[meeting]) {
                if (m_ranks[each].done == m_ranks[each].deaf)
                    continue;
                ++m_ranks[each].done;
                m_ranks[each].isAtMeeting = false;
                moving.push_back(each);
            }
        }
    }

    // Writing.

    [[nodiscard]] FlightValue config(std::uint32_t rank) const {
        FlightValue map = FlightValue::of(ValueKind::Map);
        for (const std::uint32_t number : m_ranks[rank].groups) {
            const Group &group = m_groups[number];
            FlightValue value = FlightValue::of(ValueKind::Map);
            value.set("name", group.name);
            value.set("desc", group.description);
            FlightValue list = FlightValue::of(ValueKind::List);
            std::string text;
            for (const Rank member : group.members) {
                list.items.emplace_back(std::int64_t{member});
                text += (text.empty() ? "[" : ", ") + std::to_string(member);
            }
            value.set("ranks", m_job.ranksAsList ? std::move(list) : FlightValue(text + "]"));
            map.set(group.name.c_str(), std::move(value));
        }
        return map;
    }

    [[nodiscard]] FlightValue status(std::uint32_t rank) const {
        const Process &process = m_ranks[rank];
        FlightValue map = FlightValue::of(ValueKind::Map);
        for (std::uint32_t group = 0; group < process.groups.size(); ++group) {
            std::int64_t last = -1;
            std::int64_t completed = -1;
            for (std::size_t i = 0; i < enqueued(process); ++i)
                if (const Step &step = process.steps[i]; step.group == group) {
                    last = static_cast<std::int64_t>(step.peer == none ? step.collective : step.message);
                    completed = i < process.done ? last : completed;
                }
            FlightValue value = FlightValue::of(ValueKind::Map);
            value.set("last_enqueued_collective", last);
            value.set("last_started_collective", std::int64_t{-1});
            value.set("last_completed_collective", completed);
            map.set(std::to_string(group).c_str(), std::move(value));
        }
        return map;
    }

    [[nodiscard]] FlightValue entries(std::uint32_t rank) const {
        const Process &process = m_ranks[rank];
        const std::size_t end = enqueued(process);
        FlightValue list = FlightValue::of(ValueKind::List);
        for (std::size_t i = end > m_job.ring ? end - m_job.ring : 0; i < end; ++i)
            if (!m_job.onlyActive || i >= process.done)
                list.items.push_back(entry(rank, i));
        return list;
    }

    [[nodiscard]] FlightValue entry(std::uint32_t rank, std::size_t i) const {
        const Process &process = m_ranks[rank];
        const Step &step = process.steps[i];
        const Group &group = m_groups[process.groups[step.group]];
        const bool isDone = i < process.done;
        const bool tellsStart = m_job.startTimes || m_job.fault == Fault::NotStarted;
        const bool isStarted = isDone || (i == process.done && process.isAtMeeting);
        const std::uint64_t created = startTime + i * operationTime;
        std::string name = m_job.prefix + ':' + step.name;
        if (step.peer != none) {
            const auto own = std::ranges::find(group.members, Rank{rank}) - group.members.begin();
            name += ' ' + std::to_string(own) + (step.isSend ? "->" : "<-") + std::to_string(step.peer);
        }
        FlightValue value = FlightValue::of(ValueKind::Map);
        if (m_job.frames)
            value.set("frames", frames(step));
        value.set("record_id", static_cast<std::int64_t>(i));
        value.set("pg_id", std::int64_t{step.group});
        value.set("process_group", FlightValue::of(ValueKind::Tuple, {group.name, group.description}));
        value.set("collective_seq_id", static_cast<std::int64_t>(step.collective));
        value.set("p2p_seq_id", static_cast<std::int64_t>(step.message));
        value.set("op_id", static_cast<std::int64_t>(step.collective + step.message));
        value.set("profiling_name", std::move(name));
        value.set("time_created_ns", static_cast<std::int64_t>(created));
        const auto sizes = [&] {
            return FlightValue::of(ValueKind::List,
                                   {FlightValue::of(ValueKind::List, {static_cast<std::int64_t>(step.elements)})});
        };
        value.set("input_sizes", sizes());
        value.set("input_dtypes", FlightValue::of(ValueKind::List, {step.type}));
        value.set("output_sizes", sizes());
        value.set("output_dtypes", FlightValue::of(ValueKind::List, {step.type}));
        value.set("state", isDone ? "completed" : tellsStart && isStarted ? "started" : "scheduled");
        const auto time = [&](bool isThere, std::uint64_t after) {
            return isThere ? FlightValue(static_cast<std::int64_t>(created + after)) : FlightValue();
        };
        value.set("time_discovered_started_ns", time(tellsStart && isStarted, operationTime / 4));
        value.set("time_discovered_completed_ns", time(isDone, operationTime / 2));
        value.set("retired", FlightValue::boolean(isDone));
        value.set("timeout_ms", std::int64_t{600'000});
        value.set("is_p2p", FlightValue::boolean(step.peer != none));
        return value;
    }

    [[nodiscard]] static FlightValue frames(const Step &step) {
        const auto frame = [](const char *name, const char *file, std::uint32_t line) {
            FlightValue value = FlightValue::of(ValueKind::Map);
            value.set("name", name);
            value.set("filename", file);
            value.set("line", std::int64_t{line});
            return value;
        };
        return FlightValue::of(ValueKind::List,
                               {frame(step.line < 30   ? "exchange"
                                      : step.line < 40 ? "layer"
                                                       : "reduce",
                                      "model.py", step.line),
                                frame("step", "train.py", 120 + step.line / 10), frame("<module>", "train.py", 200)});
    }

    const FlightJob &m_job;
    std::vector<Group> m_groups;
    std::vector<Process> m_ranks;
    std::vector<std::size_t> m_needed;
    std::vector<std::vector<std::uint32_t>> m_come;
    std::vector<std::uint64_t> m_never; ///< meetings that do not come to an end
};

} // namespace

std::vector<std::string> dumpsOf(const FlightJob &job) {
    const Simulation simulation(job);
    std::vector<std::string> dumps;
    for (std::uint32_t rank = 0; rank < job.ranks(); ++rank)
        dumps.push_back(simulation.dump(rank));
    return dumps;
}

void writeDumps(const FlightJob &job, const std::string &folder, const std::string &name) {
    const Simulation simulation(job);
    for (std::uint32_t rank = 0; rank < job.ranks(); ++rank)
        if (const std::string dump = simulation.dump(rank); !dump.empty())
            setFileBytes(folder + '/' + name + std::to_string(rank), dump);
}

} // namespace laggard::test
