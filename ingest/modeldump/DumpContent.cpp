// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpContent.h"

#include "ingest/modeldump/JsonInput.h"
#include "trace/ModelDumpNames.h"

#include <charconv>

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

constexpr std::string_view schema = "laggard.model/1";

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
                if (const std::string found = m_json.string(value); found != schema)
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
        else if (key == "times")
            m_json.array(value, [&](Value each) { times(each); });
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

    void times(Value value) {
        DumpContent::Times times;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                times.ranks = ranks(each);
            else if (key == "phase")
                times.phase = static_cast<std::int32_t>(m_json.signedNumber(each));
            else if (key == "transitions")
                m_json.array(each, [&](Value t) { times.transitions.push_back(transitionTimes(t)); });
        });
        m_content.times.push_back(std::move(times));
    }

    TransitionTimes transitionTimes(Value value) {
        TransitionTimes times;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                times.from = m_json.number32(each);
                break;
            case 1:
                times.to = m_json.number32(each);
                break;
            case 2:
                times.count = m_json.number(each);
                break;
            case 3:
                times.mean = m_json.real(each);
                break;
            case 4:
                times.deviation = m_json.real(each);
                break;
            case 5:
                times.shortest = m_json.real(each);
                break;
            case 6:
                times.longest = m_json.real(each);
                break;
            case 7:
                m_json.array(each, [&](Value bucket) { addBucket(bucket, times.histogram); });
                break;
            default:
                m_json.fail("a transition has at most eight parts");
            }
        });
        if (index < 3)
            m_json.fail("a transition has at least two states and a count");
        return times;
    }

    void addBucket(Value value, Histogram &histogram) {
        if (histogram.used == Histogram::maxBuckets)
            m_json.fail("a histogram has at most " + std::to_string(Histogram::maxBuckets) + " buckets");
        Histogram::Bucket &bucket = histogram.buckets[histogram.used++];
        std::size_t index = 0;
        m_json.array(value, [&](Value each) { (index++ == 0 ? bucket.mean : bucket.count) = m_json.real(each); });
    }

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
