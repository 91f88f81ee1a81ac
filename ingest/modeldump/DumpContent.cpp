// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpContent.h"

#include "ingest/modeldump/JsonInput.h"
#include "trace/ModelDumpNames.h"

#include <array>
#include <charconv>
#include <cmath>

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

constexpr std::string_view schema = "laggard.model/2";
constexpr std::string_view olderSchema = "laggard.model/1"; ///< its `times` have no place in time: they are passed over

CollectiveOperation operationNamed(std::string_view text) {
    for (auto i = static_cast<unsigned>(CollectiveOperation::Unknown); i <= static_cast<unsigned>(CollectiveOperation::Other);
         ++i)
        if (name(static_cast<CollectiveOperation>(i)) == text)
            return static_cast<CollectiveOperation>(i);
    return CollectiveOperation::Unknown;
}

/// Members of an object that is an entry of a list: fills a T.
class Parser {
  public:
    explicit Parser(const std::string &file) : m_json(file) { m_content.file = file; }

    DumpContent parse() {
        bool hasSchema = false;
        m_json.root([&](std::string_view key, Value value) {
            if (key == "schema") {
                hasSchema = true;
                if (const std::string found = m_json.string(value); found != schema && found != olderSchema)
                    m_json.fail("its schema is \"" + found + "\", not \"" + std::string(schema) + '"');
            } else {
                section(key, value);
            }
        });
        if (!hasSchema)
            m_json.fail("it does not name its schema");
        return std::move(m_content);
    }

  private:
    void section(std::string_view key, Value value) {
        if (key == "job")
            job(value);
        else if (key == "warnings")
            m_json.array(value, [&](Value each) { warning(each); });
        else if (key == "functions")
            m_json.array(value, [&](Value each) { function(each); });
        else if (key == "sites")
            m_json.array(value, [&](Value each) { site(each); });
        else if (key == "call_paths")
            m_json.array(value, [&](Value each) { path(each); });
        else if (key == "hosts")
            m_json.array(value, [&](Value each) { host(each); });
        else if (key == "pids")
            m_json.array(value, [&](Value each) { m_content.pids.push_back(static_cast<std::int32_t>(m_json.number32(each))); });
        else if (key == "ends")
            m_json.array(value, [&](Value each) { end(each); });
        else if (key == "damaged")
            m_content.damaged = ranks(value);
        else if (key == "world")
            m_content.world = m_json.numberOrNone(value);
        else if (key == "communicators")
            m_json.array(value, [&](Value each) { communicator(each); });
        else if (key == "states")
            m_json.array(value, [&](Value each) { state(each); });
        else if (key == "models")
            m_json.array(value, [&](Value each) { model(each); });
        else if (key == "tasks")
            m_json.array(value, [&](Value each) { task(each); });
        else if (key == "semi_markov")
            semiMarkov(value);
        else if (key == "waits")
            waits(value);
        else if (key == "pending")
            m_json.array(value, [&](Value each) { pending(each); });
    }

    /// "0-2,4-15".
    RankRanges ranks(Value value) {
        const std::string text = m_json.string(value);
        RankRanges ranges;
        const char *at = text.data();
        const char *last = at + text.size();
        const auto number = [&] {
            Rank rank = 0;
            const auto [end, error] = std::from_chars(at, last, rank);
            if (error != std::errc() || end == at)
                m_json.fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
            at = end;
            return rank;
        };
        while (at != last) {
            const Rank first = number();
            Rank end = first;
            if (at != last && *at == '-') {
                ++at;
                end = number();
            }
            if (end < first || (!ranges.empty() && first <= ranges.back().second))
                m_json.fail('"' + text.substr(0, 40) + "\" does not name ranks in rising order");
            ranges.emplace_back(first, end);
            if (at != last && *at++ != ',')
                m_json.fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
        }
        return ranges;
    }

    template <typename Kind> Kind named(Value value) {
        const std::string text = m_json.string(value);
        const std::optional<Kind> kind = fromDumpName<Kind>(text);
        if (!kind)
            m_json.fail('"' + text.substr(0, 40) + "\" is not one of the words for this");
        return *kind;
    }

    WrittenPeer peer(Value value) { return m_json.isNull(value) ? noPeer : m_json.signedNumber(value); }

    void job(Value value) {
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                m_content.rankCount = m_json.number(each);
            else if (key == "source")
                m_content.source = m_json.string(each);
            else if (key == "format")
                m_content.format = m_json.string(each);
            else if (key == "creator")
                m_content.creator = m_json.string(each);
            else if (key == "ticks_per_second")
                m_content.ticksPerSecond = m_json.number(each);
            else if (key == "ticks")
                m_content.ticks = m_json.number(each);
            else if (key == "start_utc_ns")
                m_content.startUtc = m_json.number(each);
            else if (key == "events")
                m_content.events = m_json.number(each);
            else if (key == "messages")
                m_content.messageCount = m_json.number(each);
            else if (key == "tells_open_calls")
                m_content.tellsOpenCalls = m_json.boolean(each);
        });
        if (m_content.ticksPerSecond == 0)
            m_json.fail("a clock without ticks");
    }

    void warning(Value value) {
        Warning warning;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "message")
                warning.message = m_json.string(each);
            else if (key == "place")
                warning.place = m_json.string(each);
            else if (key == "data_loss" && m_json.boolean(each))
                warning.severity = Warning::Severity::DataLoss;
        });
        m_content.warnings.push_back(std::move(warning));
    }

    void function(Value value) {
        Region region;
        CodePlace place;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "name")
                region.name = m_json.string(each);
            else if (key == "symbol")
                region.canonicalName = m_json.string(each);
            else if (key == "file")
                region.file = m_json.string(each);
            else if (key == "line")
                region.line = m_json.number32(each);
            else if (key == "mpi" && m_json.boolean(each))
                region.paradigm = Paradigm::Mpi;
            else if (key == "module")
                place.module = m_json.string(each);
            else if (key == "build_id")
                place.buildId = m_json.string(each);
            else if (key == "offset")
                place.offset = m_json.number(each);
        });
        if (region.name.empty())
            region.name = region.canonicalName.empty() ? "unnamed function" : region.canonicalName;
        if (region.canonicalName.empty())
            region.canonicalName = region.name;
        m_content.functions.push_back(std::move(region));
        m_content.places.push_back(std::move(place));
    }

    void site(Value value) {
        CallSite site;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            if (index == 0)
                site.file = m_json.string(each);
            else if (index == 1)
                site.line = m_json.number32(each);
            else if (index == 2)
                site.datatype = m_json.string(each);
            ++index;
        });
        m_content.sites.push_back(std::move(site));
    }

    void path(Value value) {
        const std::vector<std::uint64_t> numbers = m_json.numbers(value, 2, 3);
        const auto at = [&](std::size_t i) {
            return i < numbers.size() && numbers[i] < none ? static_cast<std::uint32_t>(numbers[i]) : none;
        };
        m_content.paths.push_back({at(0), at(1), at(2)});
    }

    void host(Value value) {
        DumpContent::Host host;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "name")
                host.name = m_json.string(each);
            else if (key == "ranks")
                host.ranks = ranks(each);
        });
        m_content.hosts.push_back(std::move(host));
    }

    void end(Value value) {
        DumpContent::End end;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                end.ranks = ranks(each);
            else if (key == "kind")
                end.end.kind = named<ProcessEnd::Kind>(each);
            else if (key == "value")
                end.end.value = static_cast<std::int32_t>(m_json.signedNumber(each));
            else if (key == "ticks")
                end.end.time = m_json.number(each);
            else if (key == "stack")
                m_json.array(each, [&](Value frame) { end.end.stack.push_back(stackFrame(frame)); });
        });
        m_content.ends.push_back(std::move(end));
    }

    Frame stackFrame(Value value) {
        Frame frame;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            if (index == 0)
                frame.function = m_json.string(each);
            else if (index == 1)
                frame.file = m_json.string(each);
            else if (index == 2)
                frame.line = m_json.number32(each);
            ++index;
        });
        return frame;
    }

    void communicator(Value value) {
        DumpContent::WrittenCommunicator communicator;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "key")
                communicator.key = m_json.string(each);
            else if (key == "name")
                communicator.name = m_json.string(each);
            else if (key == "parent")
                communicator.parent = m_json.numberOrNone(each);
            else if (key == "self")
                communicator.isSelf = m_json.boolean(each);
            else if (key == "members")
                m_json.array(each, [&](Value run) { communicator.members.push_back(memberRun(run)); });
        });
        m_content.communicators.push_back(std::move(communicator));
    }

    DumpContent::Run memberRun(Value value) {
        DumpContent::Run run{0, 1, 1};
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            if (index == 0)
                run.first = m_json.number32(each);
            else if (index == 1)
                run.count = m_json.number32(each);
            else if (index == 2)
                run.step = m_json.signedNumber(each);
            ++index;
        });
        return run;
    }

    void state(Value value) {
        DumpContent::State state;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "kind")
                state.kind = named<ModelState::Kind>(each);
            else if (key == "call_path")
                state.path = m_json.numberOrNone(each);
            else if (key == "datatype")
                state.datatype = m_json.string(each);
        });
        m_content.states.push_back(std::move(state));
    }

    void model(Value value) {
        DumpContent::Model model;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                model.ranks = ranks(each);
            else if (key == "transitions")
                m_json.array(each, [&](Value transition) {
                    const std::vector<std::uint64_t> t = m_json.numbers(transition, 3, 3);
                    if (t[0] >= none || t[1] >= none)
                        m_json.fail("the number of a state is too large");
                    model.transitions.push_back({static_cast<std::uint32_t>(t[0]), static_cast<std::uint32_t>(t[1]), t[2]});
                });
        });
        m_content.models.push_back(std::move(model));
    }

    void task(Value value) {
        DumpContent::Task task;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                task.ranks = ranks(each);
            else if (key == "state")
                task.state = m_json.numberOrNone(each);
            else if (key == "last") {
                task.last = m_json.numberOrNone(each);
                task.hasLast = true;
            }
        });
        m_content.tasks.push_back(std::move(task));
    }

    void semiMarkov(Value value) {
        m_content.hasPhaseModels = true;
        PhaseModels &models = m_content.phaseModels;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "source")
                models.source = named<PhaseSource>(each);
            else if (key == "region")
                models.region = m_json.string(each);
            else if (key == "call_path")
                models.callPath = m_json.numberOrNone(each);
            else if (key == "coverage")
                models.coverage = m_json.real(each);
            else if (key == "sets")
                m_json.array(each, [&](Value set) { models.sets.push_back(phaseSet(set)); });
            else if (key == "states")
                m_json.array(each, [&](Value state) { models.states.push_back(phaseState(state)); });
            else if (key == "transitions")
                m_json.array(each, [&](Value transition) {
                    const std::vector<std::uint64_t> states = m_json.numbers(transition, 2, 2);
                    if (states[0] >= none || states[1] >= none)
                        m_json.fail("the number of a state is too large");
                    models.transitions.emplace_back(static_cast<std::uint32_t>(states[0]), static_cast<std::uint32_t>(states[1]));
                });
            else if (key == "ranks")
                m_json.array(each, [&](Value rank) { phasesOfRank(rank); });
        });
    }

    PhaseModels::Set phaseSet(Value value) {
        PhaseModels::Set set;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "call_path")
                set.callPath = m_json.numberOrNone(each);
            else if (key == "level") {
                set.isMark = true;
                set.level = static_cast<std::int32_t>(m_json.signedNumber(each));
            } else if (key == "joined")
                set.joined = m_json.number32(each);
        });
        if (set.joined == 0 || set.joined > 1'000'000)
            m_json.fail("so many iterations cannot be joined");
        return set;
    }

    PhaseState phaseState(Value value) {
        PhaseState state;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "kind")
                state.kind = named<PhaseState::Kind>(each);
            else if (key == "call_path")
                state.callPath = m_json.numberOrNone(each);
            else if (key == "level")
                state.level = static_cast<std::int32_t>(m_json.signedNumber(each));
        });
        return state;
    }

    void phasesOfRank(Value value) {
        Rank number = none;
        PhaseModels::Rank rank;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "rank")
                number = m_json.number32(each);
            else if (key == "end")
                rank.end = moment(each);
            else if (key == "open")
                rank.open = m_json.boolean(each);
            else if (key == "open_path")
                rank.openPath = m_json.numberOrNone(each);
            else if (key == "phases")
                m_json.array(each, [&](Value phase) { rank.phases.push_back(rankPhase(phase)); });
        });
        m_content.rankOfPhases.push_back(number);
        m_content.phasesOfRank.push_back(std::move(rank));
    }

    RankPhase rankPhase(Value value) {
        RankPhase phase;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "set")
                phase.set = m_json.numberOrNone(each);
            else if (key == "begin")
                phase.begin = moment(each);
            else if (key == "end")
                phase.end = moment(each);
            else if (key == "transitions")
                m_json.array(each, [&](Value t) { phase.transitions.push_back(phaseTransition(t)); });
            else if (key == "as_if_cut")
                m_json.array(each, [&](Value t) { phase.asIfCut.push_back(phaseTransition(t)); });
        });
        return phase;
    }

    /// Four parts for a single occurrence, eight for several.
    PhaseTransition phaseTransition(Value value) {
        PhaseTransition t;
        std::vector<double> buckets;
        std::array<double, 7> numbers{};
        std::size_t index = 0;
        bool isLong = false;
        m_json.array(value, [&](Value each) {
            if (index == 7) {
                isLong = true;
                m_json.array(each, [&](Value number) { buckets.push_back(m_json.real(number)); });
            } else if (index > 7) {
                m_json.fail("a transition has four or eight parts");
            } else {
                numbers[index] = m_json.isNull(each) ? -1 : m_json.real(each);
            }
            ++index;
        });
        if (index != 4 && !isLong)
            m_json.fail("a transition has four or eight parts");
        const auto path = [&](double number) { return number < 0 ? none : whole(number, none); };
        t.transition = whole(numbers[0], none);
        if (!isLong) {
            t.count = 1;
            t.mean = t.longest = length(numbers[1]);
            t.longestBegin = static_cast<Tick>(length(numbers[2]));
            t.longestPath = path(numbers[3]);
            t.buckets = {{t.mean, 1}};
            return t;
        }
        t.mean = length(numbers[2]);
        t.squares = numbers[3];
        t.longest = length(numbers[4]);
        t.longestBegin = static_cast<Tick>(length(numbers[5]));
        t.longestPath = path(numbers[6]);
        fillBuckets(t, numbers[1], buckets);
        return t;
    }

    void fillBuckets(PhaseTransition &t, double count, const std::vector<double> &buckets) {
        constexpr double mostCount = 1e15; // whole numbers up to here are exact
        if (buckets.size() % 2 != 0 || buckets.empty() || buckets.size() > 2 * Histogram::maxBuckets)
            m_json.fail("a histogram has 1 to " + std::to_string(Histogram::maxBuckets) + " buckets, each a mean and a count");
        double sum = 0;
        for (std::size_t i = 0; i < buckets.size(); i += 2) {
            if (!(buckets[i + 1] >= 1) || buckets[i + 1] > mostCount || buckets[i + 1] != std::floor(buckets[i + 1]))
                m_json.fail("a bucket does not hold a whole number of times");
            t.buckets.push_back({length(buckets[i]), buckets[i + 1]});
            sum += buckets[i + 1];
        }
        if (sum != count)
            m_json.fail("the buckets do not hold as many times as the transition was taken");
        if (!(t.squares >= 0))
            m_json.fail("a sum of squares is negative");
        t.count = static_cast<std::uint64_t>(sum);
    }

    std::uint32_t whole(double number, double limit) {
        if (!(number >= 0) || number >= limit || number != std::floor(number))
            m_json.fail("a whole number below " + std::to_string(static_cast<std::uint64_t>(limit)) + " was expected");
        return static_cast<std::uint32_t>(number);
    }

    /// Ticks that can be added without leaving what times can be.
    double length(double ticks) {
        if (!(ticks >= 0) || ticks > longestTime)
            m_json.fail("a time that cannot be");
        return ticks;
    }
    Tick moment(Value value) {
        const std::uint64_t ticks = m_json.number(value);
        if (static_cast<double>(ticks) > longestTime)
            m_json.fail("a time that cannot be");
        return ticks;
    }
    static constexpr double longestTime = 4e18;

    void waits(Value value) {
        m_content.hasWaits = true;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ticks")
                m_content.at = m_json.number(each);
            else if (key == "last_event_ticks")
                m_content.lastEvent = m_json.number(each);
            else if (key == "activities")
                m_json.array(each, [&](Value v) { activity(v); });
            else if (key == "since_ticks")
                m_json.array(each, [&](Value v) { m_content.since.push_back(m_json.number(v)); });
            else if (key == "open_calls")
                m_json.array(each, [&](Value v) { openCall(v); });
            else if (key == "collectives")
                m_json.array(each, [&](Value v) { collectives(v); });
            else if (key == "messages")
                m_json.array(each, [&](Value v) { messages(v); });
            else if (key == "missing_sends")
                m_json.array(each, [&](Value v) { missingSend(v); });
        });
    }

    void activity(Value value) {
        DumpContent::WrittenActivity activity;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                activity.ranks = ranks(each);
            else if (key == "doing")
                activity.kind = named<Activity::Kind>(each);
            else if (key == "call_path")
                activity.path = m_json.numberOrNone(each);
            else if (key == "mpi_call_path")
                activity.mpiPath = m_json.numberOrNone(each);
            else if (key == "site")
                activity.site = m_json.numberOrNone(each);
        });
        m_content.activities.push_back(std::move(activity));
    }

    void openCall(Value value) {
        DumpContent::Open open;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                open.ranks = ranks(each);
            else if (key == "relative")
                open.relative = m_json.boolean(each);
            else if (key == "known")
                open.call.source = named<OpenCall::Source>(each);
            else if (key == "confidence")
                open.call.confidence = m_json.real(each);
            else if (key == "precedent")
                precedent(each, open.call.precedent);
            else if (key == "any")
                open.call.anyReceive = m_json.boolean(each);
            else if (key == "receives")
                m_json.array(each, [&](Value v) { open.receives.push_back(receive(v)); });
            else if (key == "send_confidence")
                open.call.sendConfidence = m_json.real(each);
            else if (key == "sends")
                m_json.array(each, [&](Value v) { open.sends.push_back(send(v)); });
            else if (key == "collective")
                collective(each, open.call);
        });
        m_content.openCalls.push_back(std::move(open));
    }

    void precedent(Value value, Precedent &precedent) {
        const std::vector<std::uint64_t> numbers = m_json.numbers(value, 3, 3);
        precedent.run = static_cast<std::uint32_t>(numbers[0]);
        precedent.tested = static_cast<std::uint32_t>(numbers[1]);
        precedent.right = static_cast<std::uint32_t>(numbers[2]);
    }

    DumpContent::Receive receive(Value value) {
        DumpContent::Receive receive;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                receive.from = peer(each);
                break;
            case 1:
                receive.receive.communicator = m_json.numberOrNone(each);
                break;
            case 2:
                receive.receive.anyTag = m_json.isNull(each);
                receive.receive.tag = receive.receive.anyTag ? 0 : m_json.number32(each);
                break;
            case 3:
                receive.receive.count = m_json.number32(each);
                break;
            default:
                m_json.fail("a receive has at most four parts");
            }
        });
        return receive;
    }

    DumpContent::Send send(Value value) {
        DumpContent::Send send;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                send.to = peer(each);
                break;
            case 1:
                send.send.communicator = m_json.numberOrNone(each);
                break;
            case 2:
                send.send.tag = m_json.number32(each);
                break;
            case 3:
                send.send.isReceived = m_json.boolean(each);
                break;
            default:
                m_json.fail("a send has at most four parts");
            }
        });
        return send;
    }

    void collective(Value value, OpenCall &call) {
        call.isCollective = true;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "operation")
                call.collective.operation = operationNamed(m_json.string(each));
            else if (key == "communicator")
                call.collective.communicator = m_json.number32(each);
            else if (key == "root")
                call.collective.root = m_json.numberOrNone(each);
            else if (key == "number")
                call.collectiveNumber = m_json.number32(each);
        });
    }

    void collectives(Value value) {
        DumpContent::Collectives collectives;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                collectives.ranks = ranks(each);
            else if (key == "counts")
                m_json.array(each, [&](Value v) {
                    const std::vector<std::uint64_t> numbers = m_json.numbers(v, 3, 3);
                    for (const std::uint64_t number : numbers)
                        if (number >= none)
                            m_json.fail("the number " + std::to_string(number) + " is too large");
                    collectives.counts.push_back({static_cast<std::uint32_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1]),
                                                  static_cast<std::uint32_t>(numbers[2])});
                });
        });
        m_content.collectives.push_back(std::move(collectives));
    }

    void messages(Value value) {
        DumpContent::Messages messages;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                messages.ranks = ranks(each);
            else if (key == "relative")
                messages.relative = m_json.boolean(each);
            else if (key == "sent" || key == "received")
                m_json.array(each, [&](Value v) { (key == "sent" ? messages.sent : messages.received).push_back(count(v)); });
        });
        m_content.messages.push_back(std::move(messages));
    }

    DumpContent::PeerMessages count(Value value) {
        DumpContent::PeerMessages result;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                result.peer = peer(each);
                break;
            case 1:
                result.count.communicator = m_json.numberOrNone(each);
                break;
            case 2:
                result.count.tag = m_json.number32(each);
                break;
            case 3:
                result.count.messages = m_json.number(each);
                break;
            case 4:
                result.count.bytes = m_json.number(each);
                break;
            case 5:
                result.count.held = m_json.number(each);
                break;
            default:
                m_json.fail("a count of messages has at most six parts");
            }
        });
        return result;
    }

    void missingSend(Value value) {
        MissingSend missing;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "from")
                missing.from = m_json.number32(each);
            else if (key == "to")
                missing.to = m_json.number32(each);
            else if (key == "due_ticks")
                missing.due = m_json.number(each);
            else if (key == "call_path")
                missing.callPath = m_json.numberOrNone(each);
            else if (key == "confidence")
                missing.confidence = m_json.real(each);
            else if (key == "evidence")
                missing.evidence = m_json.string(each);
            else if (key == "times")
                missing.times = m_json.number32(each);
        });
        m_content.missingSends.push_back(std::move(missing));
    }

    void pending(Value value) {
        DumpContent::Pending pending;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                pending.ranks = ranks(each);
            else if (key == "relative")
                pending.relative = m_json.boolean(each);
            else if (key == "requests")
                m_json.array(each, [&](Value v) { pending.requests.push_back(request(v)); });
        });
        m_content.pending.push_back(std::move(pending));
    }

    DumpContent::Request request(Value value) {
        DumpContent::Request result;
        DumpedRequest &request = result.request;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                request.kind = named<PendingRequest::Kind>(each);
                break;
            case 1:
                request.anySource = m_json.isString(each);
                result.peer = request.anySource ? noPeer : peer(each);
                break;
            case 2:
                request.communicator = m_json.numberOrNone(each);
                break;
            case 3:
                request.anyTag = m_json.isString(each);
                request.tag = request.anyTag ? 0 : m_json.number32(each);
                break;
            case 4:
                request.bytes = m_json.number(each);
                break;
            case 5:
                request.callPath = m_json.numberOrNone(each);
                break;
            default:
                m_json.fail("a request has at most six parts");
            }
        });
        return result;
    }

    JsonInput m_json;
    DumpContent m_content;
};

} // namespace

DumpContent readContent(const std::string &file) { return Parser(file).parse(); }

} // namespace laggard::modeldump
