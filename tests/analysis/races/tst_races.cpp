// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/races/Races.h"
#include "tests/support/SimulatedJob.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>

using namespace laggard;
using laggard::test::SimulatedJob;
using laggard::test::SimulatedMachine;
using laggard::test::TraceBuilder;

namespace {

constexpr int any = -1;

// ---- MPI's matching, slow and obvious ----------------------------------------------------------------------------------

struct Step {
    enum class Kind : std::uint8_t { Send, Receive, Post, Wait };
    Kind kind = Kind::Send;
    int peer = 0; ///< any: any source
    int tag = 0;  ///< any: any tag
};
using Program = std::vector<std::vector<Step>>;
using MessageId = std::pair<int, int>; ///< sender, position in its sends
using ReceiveId = std::pair<int, int>; ///< receiver, position in its receives in order of posting

struct Posted {
    int number;
    int peer;
    int tag;
};
struct InFlight {
    MessageId id;
    int tag;
    auto operator<=>(const InFlight &) const = default;
};

/// The state of all ranks and of the network.
struct Job {
    const Program *program = nullptr;
    std::vector<std::size_t> next;
    std::vector<bool> stands; ///< in a blocking receive that is posted
    std::vector<int> sends;
    std::vector<int> receives;
    std::map<std::pair<int, int>, std::deque<InFlight>> network; ///< by sender and receiver
    std::vector<std::vector<InFlight>> unexpected;
    std::vector<std::vector<Posted>> posted;
    std::map<ReceiveId, InFlight> taken;

    explicit Job(const Program &p)
        : program(&p),
          next(p.size(), 0),
          stands(p.size(), false),
          sends(p.size(), 0),
          receives(p.size(), 0),
          unexpected(p.size()),
          posted(p.size()) {}

    [[nodiscard]] int size() const { return static_cast<int>(program->size()); }
    [[nodiscard]] const Step *step(int rank) const {
        const auto &steps = (*program)[static_cast<std::size_t>(rank)];
        const std::size_t at = next[static_cast<std::size_t>(rank)];
        return at < steps.size() ? &steps[at] : nullptr;
    }
    static bool fits(int peer, int tag, const InFlight &message) {
        return (peer == any || peer == message.id.first) && (tag == any || tag == message.tag);
    }
    /// False if the receive was matched at once.
    bool post(int rank, const Step &step) {
        const auto r = static_cast<std::size_t>(rank);
        const int number = receives[r]++;
        auto &waiting = unexpected[r];
        const auto found = std::find_if(waiting.begin(), waiting.end(),
                                        [&](const InFlight &message) { return fits(step.peer, step.tag, message); });
        if (found == waiting.end()) {
            posted[r].push_back({number, step.peer, step.tag});
            return true;
        }
        taken.emplace(ReceiveId{rank, number}, *found);
        waiting.erase(found);
        return false;
    }
    [[nodiscard]] bool canStep(int rank) const {
        const Step *now = step(rank);
        const auto r = static_cast<std::size_t>(rank);
        if (now == nullptr)
            return false;
        if (now->kind == Step::Kind::Receive && stands[r])
            return taken.contains({rank, receives[r] - 1});
        return now->kind != Step::Kind::Wait || posted[r].empty();
    }
    void go(int rank) {
        const Step &now = *step(rank);
        const auto r = static_cast<std::size_t>(rank);
        if (now.kind == Step::Kind::Send)
            network[{rank, now.peer}].push_back({{rank, sends[r]++}, now.tag});
        else if (now.kind == Step::Kind::Post)
            post(rank, now);
        else if (now.kind == Step::Kind::Receive && !stands[r]) {
            post(rank, now);
            stands[r] = true;
            return;
        }
        stands[r] = false;
        ++next[r];
    }
    void deliver(int from, int to) {
        auto &line = network[{from, to}];
        const InFlight message = line.front();
        line.pop_front();
        auto &open = posted[static_cast<std::size_t>(to)];
        const auto found = std::find_if(open.begin(), open.end(), [&](const Posted &p) { return fits(p.peer, p.tag, message); });
        if (found == open.end()) {
            unexpected[static_cast<std::size_t>(to)].push_back(message);
            return;
        }
        taken.emplace(ReceiveId{to, found->number}, message);
        open.erase(found);
    }
    /// What tells states apart.
    [[nodiscard]] std::string text() const {
        std::string all;
        for (int rank = 0; rank < size(); ++rank) {
            const auto r = static_cast<std::size_t>(rank);
            all += std::to_string(next[r]) + (stands[r] ? "s" : "-");
            for (const InFlight &message : unexpected[r])
                all += 'u' + std::to_string(message.id.first) + '.' + std::to_string(message.id.second);
            for (const Posted &p : posted[r])
                all += 'p' + std::to_string(p.number);
        }
        for (const auto &[line, messages] : network)
            all += '|' + std::to_string(messages.size());
        return all;
    }
};

using Taken = std::map<ReceiveId, InFlight>;

/// Whether all receives but `target` have taken what they took in the recorded run; adds what `target` has taken.
bool follows(const Job &job, const Taken &recorded, ReceiveId target, std::set<MessageId> &found) {
    for (const auto &[receive, message] : job.taken) {
        if (receive == target) {
            found.insert(message.id);
            return false; // from here on all is open
        }
        if (recorded.at(receive).id != message.id)
            return false;
    }
    return true;
}

void explore(const Job &job, const Taken &recorded, ReceiveId target, std::set<std::string> &seen, std::set<MessageId> &found) {
    if (!follows(job, recorded, target, found) || !seen.insert(job.text()).second)
        return;
    for (int rank = 0; rank < job.size(); ++rank)
        if (job.canStep(rank)) {
            Job next = job;
            next.go(rank);
            explore(next, recorded, target, seen, found);
        }
    for (const auto &[line, messages] : job.network)
        if (!messages.empty()) {
            Job next = job;
            next.deliver(line.first, line.second);
            explore(next, recorded, target, seen, found);
        }
}

// ---- A run of it, and its trace ----------------------------------------------------------------------------------------

struct RecordedRun {
    std::shared_ptr<Trace> trace;
    Taken taken;
};

/// A run in a random order; nothing if it hangs.
std::optional<RecordedRun> record(const Program &program, std::mt19937 &random) {
    Job job(program);
    const int ranks = job.size();
    TraceBuilder builder(static_cast<Rank>(ranks));
    std::vector<std::vector<int>> open(program.size()); // posted and not waited for
    std::vector<std::vector<std::pair<int, std::uint32_t>>> done(
        program.size()); // receives in order of completion, row of posting
    std::vector<std::map<int, std::uint32_t>> rowOf(program.size());
    std::vector<std::uint32_t> rows(program.size(), 0);
    Tick time = 0;
    while (true) {
        std::vector<std::pair<int, int>> moves; // rank and -1, or sender and receiver
        for (int rank = 0; rank < ranks; ++rank)
            if (job.canStep(rank))
                moves.emplace_back(rank, -1);
        for (const auto &[line, messages] : job.network)
            if (!messages.empty())
                moves.push_back(line);
        if (moves.empty())
            break;
        time += 10;
        const auto [first, second] = moves[random() % moves.size()];
        if (second >= 0) {
            job.deliver(first, second);
            continue;
        }
        const auto r = static_cast<std::size_t>(first);
        const auto rank = static_cast<Rank>(first);
        const Step step = *job.step(first);
        const bool stood = job.stands[r];
        job.go(first);
        if (step.kind == Step::Kind::Send) {
            builder.enter(rank, time, "MPI_Send");
            builder.send(rank, time, static_cast<Rank>(step.peer), static_cast<std::uint32_t>(step.tag));
            builder.leave(rank, time + 5, "MPI_Send");
            ++rows[r];
        } else if (step.kind == Step::Kind::Post) {
            open[r].push_back(job.receives[r] - 1);
            rowOf[r][job.receives[r] - 1] = rows[r]++;
            builder.call(rank, time, time + 5, "MPI_Irecv");
        } else if (step.kind == Step::Kind::Receive && !stood) {
            builder.enter(rank, time, "MPI_Recv");
            rowOf[r][job.receives[r] - 1] = rows[r]++;
        } else {
            const bool isWait = step.kind == Step::Kind::Wait;
            if (isWait) {
                builder.enter(rank, time, "MPI_Waitall");
                ++rows[r];
            }
            const std::vector<int> completed = isWait ? std::exchange(open[r], {}) : std::vector<int>{job.receives[r] - 1};
            for (const int receive : completed) {
                const InFlight &message = job.taken.at({first, receive});
                builder.receive(rank, time + 5, static_cast<Rank>(message.id.first), static_cast<std::uint32_t>(message.tag));
                done[r].emplace_back(receive, rowOf[r][receive]);
            }
            builder.leave(rank, time + 5, isWait ? "MPI_Waitall" : "MPI_Recv");
        }
    }
    for (int rank = 0; rank < ranks; ++rank)
        if (job.step(rank) != nullptr || !open[static_cast<std::size_t>(rank)].empty())
            return std::nullopt;
    RecordedRun run{std::const_pointer_cast<Trace>(builder.finish(time + 10)), job.taken};
    for (Location &location : run.trace->locations)
        for (std::uint32_t &match : location.events.sends.match)
            match = none;
    for (std::size_t r = 0; r < program.size(); ++r) {
        std::vector<const Step *> steps;
        for (const Step &step : program[r])
            if (step.kind == Step::Kind::Receive || step.kind == Step::Kind::Post)
                steps.push_back(&step);
        LocationEvents &events = run.trace->locations[r].events;
        for (std::uint32_t i = 0; i < done[r].size(); ++i) {
            const auto [receive, row] = done[r][i];
            const MessageId id = job.taken.at({static_cast<int>(r), receive}).id;
            events.receives.match[i] = static_cast<std::uint32_t>(id.second);
            run.trace->locations[static_cast<std::size_t>(id.first)].events.sends.match[static_cast<std::size_t>(id.second)] = i;
            const Step &step = *steps[static_cast<std::size_t>(receive)];
            events.postings.receive.push_back(i);
            events.postings.row.push_back(row);
            events.postings.how.push_back(static_cast<std::uint16_t>((step.peer == any ? ReceivePostings::AnySource : 0) |
                                                                     (step.tag == any ? ReceivePostings::AnyTag : 0)));
        }
    }
    return run;
}

Program randomProgram(std::mt19937 &random) {
    const auto below = [&random](unsigned limit) { return static_cast<int>(random() % limit); };
    Program program(static_cast<std::size_t>(2 + below(3)));
    const int messages = 2 + below(4);
    for (int i = 0; i < messages; ++i) {
        const int from = below(static_cast<unsigned>(program.size()));
        const int to = (from + 1 + below(static_cast<unsigned>(program.size() - 1))) % static_cast<int>(program.size());
        const int tag = below(2);
        program[static_cast<std::size_t>(from)].push_back({Step::Kind::Send, to, tag});
        const int peer = below(3) != 0 ? any : from;
        const int wanted = below(3) == 0 ? any : tag;
        auto &receiver = program[static_cast<std::size_t>(to)];
        receiver.push_back({below(3) == 0 ? Step::Kind::Post : Step::Kind::Receive, peer, wanted});
        if (below(4) == 0)
            receiver.push_back({Step::Kind::Wait, 0, 0});
    }
    for (auto &steps : program)
        steps.push_back({Step::Kind::Wait, 0, 0});
    return program;
}

std::string describe(const Program &program) {
    std::string text;
    for (const auto &steps : program) {
        for (const Step &step : steps)
            text += std::string(step.kind == Step::Kind::Send      ? "send"
                                : step.kind == Step::Kind::Receive ? "recv"
                                : step.kind == Step::Kind::Post    ? "irecv"
                                                                   : "wait") +
                    "(" + std::to_string(step.peer) + "," + std::to_string(step.tag) + ") ";
        text += "; ";
    }
    return text;
}

std::string describe(const std::set<MessageId> &messages) {
    std::string text;
    for (const MessageId &id : messages)
        text += "{" + std::to_string(id.first) + ", " + std::to_string(id.second) + "} ";
    return text;
}

/// "from 1 taken, from 2".
QString messagesOf(const Race &race) {
    std::vector<std::string> words;
    for (const RacingMessage &message : race.messages)
        words.push_back(std::to_string(message.from) + (message.isTaken ? " taken" : ""));
    std::sort(words.begin(), words.end());
    QString text;
    for (const std::string &word : words)
        text += (text.isEmpty() ? "" : ", ") + QString::fromStdString(word);
    return text;
}

std::shared_ptr<Trace> open(const TracePtr &trace) { return std::const_pointer_cast<Trace>(trace); }

void setAnySource(LocationEvents &events, std::uint32_t receive, std::uint32_t row) {
    events.postings.receive.push_back(receive);
    events.postings.row.push_back(row);
    events.postings.how.push_back(ReceivePostings::AnySource);
}

} // namespace

class TestRaces : public QObject {
    Q_OBJECT

  private slots:
    void findsExactlyWhatMpiAllows();
    void findsTwoSenders();
    void leavesOutWhatFollows();
    void leavesOutWhatABarrierOrders();
    void findsWhatAProbeCouldSee();
    void findsWhatCouldEndAWaitany();
    void marksWhatTheRecorderChanged();
    void hasNoneWithoutWildcards();
    void doesNotDependOnTheOrderOfRanks();
};

void TestRaces::findsExactlyWhatMpiAllows() {
    std::mt19937 random(20);
    int runs = 0;
    int races = 0;
    for (int round = 0; round < 4000 && runs < 600; ++round) {
        const Program program = randomProgram(random);
        const std::optional<RecordedRun> run = record(program, random);
        if (!run)
            continue;
        ++runs;
        const RaceReport report = findRaces(*run->trace, Work{});
        QVERIFY(report.note.empty());
        std::map<ReceiveId, std::set<MessageId>> found;
        for (const Race &race : report.races) {
            // Rows of posting are in order of posting.
            int number = 0;
            const ReceivePostings &postings = run->trace->locations[race.location].events.postings;
            for (const std::uint32_t row : postings.row)
                number += row < race.row ? 1 : 0;
            for (const RacingMessage &message : race.messages)
                found[{static_cast<int>(race.rank), number}].insert(
                    {static_cast<int>(message.from), static_cast<int>(message.send)});
        }
        for (const auto &[receive, message] : run->taken) {
            std::vector<Step> steps;
            for (const Step &step : program[static_cast<std::size_t>(receive.first)])
                if (step.kind == Step::Kind::Receive || step.kind == Step::Kind::Post)
                    steps.push_back(step);
            if (steps[static_cast<std::size_t>(receive.second)].peer != any)
                continue;
            std::set<MessageId> expected;
            std::set<std::string> seen;
            explore(Job(program), run->taken, receive, seen, expected);
            if (expected.size() < 2)
                expected.clear();
            races += expected.empty() ? 0 : 1;
            const std::string text = describe(program) + " receive " + std::to_string(receive.second) + " of rank " +
                                     std::to_string(receive.first) + ", took " + describe(std::set{message.id}) +
                                     ": MPI allows " + describe(expected) + ", found " + describe(found[receive]);
            QVERIFY2(found[receive] == expected, text.c_str());
        }
    }
    qInfo("%d runs, %d racing receives", runs, races);
    QVERIFY(runs > 500 && races > 100);
}

void TestRaces::findsTwoSenders() {
    TraceBuilder builder(3);
    builder.sendCall(1, 10, 20, 0, 5).sendCall(2, 12, 20, 0, 5);
    builder.receiveCall(0, 5, 30, 1, 5).receiveCall(0, 40, 50, 2, 5);
    const auto trace = open(builder.finish(100));
    setAnySource(trace->locations[0].events, 0, 0);
    setAnySource(trace->locations[0].events, 1, 1);
    const RaceReport report = findRaces(*trace, Work{});
    QCOMPARE(report.examined, std::uint64_t{2});
    QCOMPARE(report.count, std::uint64_t{1}); // the second takes what the first has left
    QCOMPARE(messagesOf(report.races[0]), QString("1 taken, 2"));
    QCOMPARE(report.races[0].apart, Tick{2});
    QCOMPARE(report.races[0].time, Tick{30});
    QVERIFY(!report.races[0].isChanged && !report.knowsRecorder);
}

void TestRaces::leavesOutWhatFollows() {
    TraceBuilder builder(3); // rank 2 sends when rank 0 has told it that it has the first message
    builder.sendCall(1, 10, 20, 0);
    builder.receiveCall(0, 5, 30, 1).sendCall(0, 35, 36, 2).receiveCall(0, 40, 60, 2);
    builder.receiveCall(2, 5, 45, 0).sendCall(2, 50, 55, 0);
    const auto trace = open(builder.finish(100));
    setAnySource(trace->locations[0].events, 0, 0);
    setAnySource(trace->locations[0].events, 1, 2);
    QCOMPARE(findRaces(*trace, Work{}).count, std::uint64_t{0});
}

void TestRaces::leavesOutWhatABarrierOrders() {
    for (const bool hasBarrier : {true, false}) {
        TraceBuilder builder(3);
        builder.sendCall(1, 10, 20, 0);
        builder.receiveCall(0, 5, 30, 1);
        if (hasBarrier)
            for (const Rank rank : {0U, 1U, 2U})
                builder.collectiveCall(rank, 32, 40, CollectiveOperation::Barrier);
        builder.sendCall(2, 50, 55, 0).receiveCall(0, 45, 60, 2);
        const auto trace = open(builder.finish(100));
        setAnySource(trace->locations[0].events, 0, 0);
        QCOMPARE(findRaces(*trace, Work{}).count, std::uint64_t{hasBarrier ? 0U : 1U});
    }
}

void TestRaces::findsWhatAProbeCouldSee() {
    TraceBuilder builder(3);
    builder.sendCall(1, 10, 20, 0).sendCall(2, 12, 20, 0);
    builder.call(0, 5, 30, "MPI_Probe").receiveCall(0, 31, 35, 1).receiveCall(0, 40, 50, 2);
    const auto trace = open(builder.finish(100));
    LocationEvents &events = trace->locations[0].events;
    events.probed.push_back({0, events.receives.envelope[0], true, false});
    const RaceReport report = findRaces(*trace, Work{});
    QCOMPARE(report.count, std::uint64_t{1}); // the receives take what they ask for
    QVERIFY(report.races[0].kind == Race::Kind::Probe);
    QCOMPARE(messagesOf(report.races[0]), QString("1 taken, 2"));
    setAnySource(events, 0, 1); // now the receive may take another message than the probe has seen
    const RaceReport both = findRaces(*trace, Work{});
    QCOMPARE(both.count, std::uint64_t{2});
}

void TestRaces::findsWhatCouldEndAWaitany() {
    for (const bool follows : {false, true}) {
        TraceBuilder builder(3);
        builder.call(0, 1, 2, "MPI_Irecv").call(0, 3, 4, "MPI_Irecv");
        builder.enter(0, 5, "MPI_Waitany").receive(0, 30, 1).leave(0, 30, "MPI_Waitany").sendCall(0, 31, 32, 2);
        builder.enter(0, 35, "MPI_Waitany").receive(0, 60, 2).leave(0, 60, "MPI_Waitany");
        builder.sendCall(1, 10, 20, 0);
        if (follows)
            builder.receiveCall(2, 12, 40, 0).sendCall(2, 45, 50, 0);
        else
            builder.sendCall(2, 12, 20, 0).receiveCall(2, 21, 40, 0);
        const auto trace = open(builder.finish(100));
        trace->locations[0].events.choices.push_back({2, {0, 1}});
        const RaceReport report = findRaces(*trace, Work{});
        QCOMPARE(report.count, std::uint64_t{follows ? 0U : 1U});
        if (!follows) {
            QVERIFY(report.races[0].kind == Race::Kind::Completion);
            QCOMPARE(messagesOf(report.races[0]), QString("1 taken, 2"));
        }
    }
}

/// Rank 2 would have been first, had it not been recorded for longer.
void TestRaces::marksWhatTheRecorderChanged() {
    TraceBuilder builder(3);
    builder.call(1, 100, 110, "MPI_Comm_rank").sendCall(1, 1000, 1010, 0);
    builder.call(2, 100, 200, "MPI_Comm_rank").sendCall(2, 1050, 1060, 0);
    builder.receiveCall(0, 5, 1200, 1).receiveCall(0, 1300, 1400, 2);
    const auto trace = open(builder.finish(2000));
    setAnySource(trace->locations[0].events, 0, 0);
    trace->locations[2].events.costs.add(0, 50, 50);
    const RaceReport report = findRaces(*trace, Work{});
    QCOMPARE(report.count, std::uint64_t{1});
    QCOMPARE(report.changed, std::uint64_t{1});
    QVERIFY(report.knowsRecorder);
    QCOMPARE(report.races[0].messages[1].sentCorrected, Tick{950});
}

void TestRaces::hasNoneWithoutWildcards() {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const auto trace = SimulatedJob::random(seed, 5, 400).trace({});
        const RaceReport report = findRaces(*trace, Work{});
        QCOMPARE(report.examined, std::uint64_t{0});
        QCOMPARE(report.count, std::uint64_t{0});
    }
}

void TestRaces::doesNotDependOnTheOrderOfRanks() {
    for (const bool isReversed : {false, true}) {
        TraceBuilder builder(4);
        const auto of = [&](Rank rank) { return isReversed ? 3 - rank : rank; };
        builder.sendCall(of(1), 10, 20, of(0)).sendCall(of(2), 12, 20, of(0)).sendCall(of(3), 8, 20, of(0), 9);
        builder.receiveCall(of(0), 5, 30, of(1)).receiveCall(of(0), 40, 50, of(2)).receiveCall(of(0), 60, 70, of(3), 9);
        const auto trace = open(builder.finish(100));
        for (const std::uint32_t i : {0U, 1U, 2U})
            setAnySource(trace->locations[of(0)].events, i, i);
        const RaceReport report = findRaces(*trace, Work{});
        QCOMPARE(report.count, std::uint64_t{1}); // the one with another tag races with nobody
        QCOMPARE(report.races[0].messages.size(), std::size_t{2});
    }
}

QTEST_GUILESS_MAIN(TestRaces)
#include "tst_races.moc"
