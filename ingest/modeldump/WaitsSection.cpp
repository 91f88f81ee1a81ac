// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/WaitsSection.h"

#include "ingest/assembly/OperationName.h"

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

class WaitsReader {
  public:
    WaitsReader(DumpInput &json, DumpContent &content) : m_json(json), m_content(content) {}

    void readWaits(Value value) {
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

    void readPending(Value value) {
        DumpContent::Pending pending;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                pending.ranks = m_json.ranks(each);
            else if (key == "relative")
                pending.relative = m_json.boolean(each);
            else if (key == "requests")
                m_json.array(each, [&](Value v) { pending.requests.push_back(request(v)); });
        });
        m_content.pending.push_back(std::move(pending));
    }

  private:
    void activity(Value value) {
        DumpContent::WrittenActivity activity;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                activity.ranks = m_json.ranks(each);
            else if (key == "doing")
                activity.kind = m_json.named<Activity::Kind>(each);
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
                open.ranks = m_json.ranks(each);
            else if (key == "relative")
                open.relative = m_json.boolean(each);
            else if (key == "known")
                open.call.source = m_json.named<OpenCall::Source>(each);
            else if (key == "confidence")
                open.call.confidence = m_json.real(each);
            else if (key == "precedent")
                precedent(each, open.call.precedent);
            else if (key == "any")
                open.call.anyReceive = m_json.boolean(each);
            else if (key == "goes_on_without")
                open.call.goesOnWithout = m_json.boolean(each);
            else if (key == "serves_meanwhile")
                open.call.servesMeanwhile = m_json.boolean(each);
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
        const std::vector<std::uint32_t> numbers = m_json.numbers32(value, 3);
        precedent.run = numbers[0];
        precedent.tested = numbers[1];
        precedent.right = numbers[2];
    }

    DumpContent::Receive receive(Value value) {
        DumpContent::Receive receive;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                receive.from = m_json.peer(each);
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
                send.to = m_json.peer(each);
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
                collectives.ranks = m_json.ranks(each);
            else if (key == "counts")
                m_json.array(each, [&](Value v) {
                    const std::vector<std::uint32_t> numbers = m_json.numbers32(v, 3);
                    collectives.counts.push_back({numbers[0], numbers[1], numbers[2]});
                });
        });
        m_content.collectives.push_back(std::move(collectives));
    }

    void messages(Value value) {
        DumpContent::Messages messages;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "ranks")
                messages.ranks = m_json.ranks(each);
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
                result.peer = m_json.peer(each);
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

    DumpContent::Request request(Value value) {
        DumpContent::Request result;
        DumpedRequest &request = result.request;
        std::size_t index = 0;
        m_json.array(value, [&](Value each) {
            switch (index++) {
            case 0:
                request.kind = m_json.named<PendingRequest::Kind>(each);
                break;
            case 1:
                request.anySource = m_json.isString(each);
                result.peer = request.anySource ? noPeer : m_json.peer(each);
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

    DumpInput &m_json;
    DumpContent &m_content;
};

} // namespace

void readWaits(DumpInput &json, JsonInput::Value value, DumpContent &content) { WaitsReader(json, content).readWaits(value); }

void readPending(DumpInput &json, JsonInput::Value value, DumpContent &content) {
    json.array(value, [&](Value each) { WaitsReader(json, content).readPending(each); });
}

} // namespace laggard::modeldump
