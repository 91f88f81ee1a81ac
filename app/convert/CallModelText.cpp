// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/CallModelText.h"

#include "app/convert/JsonWriter.h"

namespace laggard {
namespace {

void writeStacks(JsonWriter &json, std::string_view name, const std::vector<CallModel::Stack> &stacks) {
    json.key(name).beginArray();
    for (const CallModel::Stack &stack : stacks) {
        json.beginArray();
        for (const std::string &call : stack)
            json.string(call);
        json.endArray();
    }
    json.endArray();
}

void writeUnit(JsonWriter &json, const CallModel::UnitModel &unit) {
    json.line().beginObject().key("kind").string(nameOf(unit.kind));
    writeStacks(json, "connection", unit.connection);
    json.key("units").number(unit.units).key("calls").beginArray();
    for (const CallModel::Call &call : unit.calls) {
        json.line().beginObject().key("parent").numberOrNull(call.parent).key("function").string(call.function);
        if (!call.site.empty())
            json.key("site").string(call.site);
        if (!call.file.empty())
            json.key("file").string(call.file).key("line").number(call.line);
        json.key("units").number(call.units).endObject();
    }
    json.endArray().endObject();
}

} // namespace

std::string callModelText(const CallModel &model) {
    JsonWriter json;
    json.beginObject().key("schema").string("laggard.call-model/1").key("runs").number(model.runs).key("roles").beginArray();
    for (const CallModel::Role &role : model.roles) {
        json.line().beginObject();
        writeStacks(json, "signature", role.signature);
        json.key("processes").number(role.processes);
        writeStacks(json, "loops", role.loops);
        json.key("units").beginArray();
        for (const CallModel::UnitModel &unit : role.units)
            writeUnit(json, unit);
        json.endArray().endObject();
    }
    json.endArray().endObject();
    return json.take() + '\n';
}

} // namespace laggard
