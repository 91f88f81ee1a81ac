// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpContent.h"

#include "ingest/modeldump/AnswerSection.h"
#include "ingest/modeldump/DumpInput.h"
#include "ingest/modeldump/PhaseModelsSection.h"
#include "ingest/modeldump/SamplesSection.h"
#include "ingest/modeldump/WaitsSection.h"
#include "trace/DumpCheck.h"

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

constexpr std::string_view schema = "laggard.model/2";
constexpr std::string_view olderSchema = "laggard.model/1"; ///< its `times` have no place in time: they are passed over

/// The outermost object, and those of its members that are about the job, its code and its models.
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
        // Where a bracket is missing, it may be a member of something else.
        if (!m_isChecked && m_json.has(dumpCheckMember))
            wasChanged();
        return std::move(m_content);
    }

  private:
    void section(std::string_view key, Value value) {
        if (m_isChecked && !m_content.wasChanged) // the check does not cover what stands behind it
            wasChanged();
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
            m_json.array(value, [&](Value each) { pid(each); });
        else if (key == "ends")
            m_json.array(value, [&](Value each) { end(each); });
        else if (key == "damaged")
            m_content.damaged = m_json.ranks(value);
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
            readPhaseModels(m_json, value, m_content);
        else if (key == "waits")
            readWaits(m_json, value, m_content);
        else if (key == "answer")
            readAnswer(m_json, value, m_content);
        else if (key == "pending")
            readPending(m_json, value, m_content);
        else if (key == "samples")
            readSamples(m_json, value, m_content);
        else if (key == "check")
            check(m_json.string(value));
    }

    void check(const std::string &written) {
        m_isChecked = true;
        if (!m_content.wasChanged && written != dumpCheck(m_json.textBefore(dumpCheckMember)))
            wasChanged();
    }
    void wasChanged() {
        m_content.wasChanged = true;
        m_content.warnings.push_back({WarningId::DumpChanged, Warning::Severity::DataLoss, std::nullopt, m_content.file,
                                      "the model dump was changed after it was written: what it says may be wrong"});
    }

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
            else if (key == "id")
                warning.id = warningIdOf(m_json.string(each)).value_or(WarningId::Converted);
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

    void pid(Value value) {
        m_content.pids.push_back(m_json.signed32(value));
        if (m_content.pids.back() < 0)
            m_json.fail("a process has no negative number");
    }

    void host(Value value) {
        DumpContent::Host host;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "name")
                host.name = m_json.string(each);
            else if (key == "ranks")
                host.ranks = m_json.ranks(each);
        });
        m_content.hosts.push_back(std::move(host));
    }

    void end(Value value) {
        DumpContent::End end;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                end.ranks = m_json.ranks(each);
            else if (key == "kind")
                end.end.kind = m_json.named<ProcessEnd::Kind>(each);
            else if (key == "value")
                end.end.value = m_json.signed32(each);
            else if (key == "ticks")
                end.end.time = m_json.number(each);
            else if (key == "exit")
                end.end.exit = m_json.named<ProcessEnd::Exit>(each);
            else if (key == "finalized")
                end.end.finalized = m_json.boolean(each);
            else if (key == "stopped")
                end.end.isStopped = m_json.boolean(each);
            else if (key == "last_seen")
                end.end.lastSeen = m_json.named<ProcessEnd::Seen>(each);
            else if (key == "hang_noticed_ticks")
                end.hangNoticed = m_json.number(each);
            else if (key == "mpi_error")
                end.end.mpiError = m_json.string(each);
            else if (key == "mpi_error_ticks")
                end.end.mpiErrorTime = m_json.number(each);
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
                state.kind = m_json.named<ModelState::Kind>(each);
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
                model.ranks = m_json.ranks(each);
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
                task.ranks = m_json.ranks(each);
            else if (key == "state")
                task.state = m_json.numberOrNone(each);
            else if (key == "last") {
                task.last = m_json.numberOrNone(each);
                task.hasLast = true;
            }
        });
        m_content.tasks.push_back(std::move(task));
    }

    DumpInput m_json;
    DumpContent m_content;
    bool m_isChecked = false;
};

} // namespace

DumpContent readContent(const std::string &file) { return Parser(file).parse(); }

} // namespace laggard::modeldump
