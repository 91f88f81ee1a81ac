// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/callmodel/CallModelReader.h"

#include "ingest/assembly/JsonInput.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace laggard::callmodel {
namespace {

constexpr std::string_view schemaName = "laggard.call-model/";
constexpr std::string_view schema = "laggard.call-model/1";
constexpr std::uint64_t mostCount = std::uint64_t{1} << 53U; ///< sums of very many models stay below 64 bits

simdjson::padded_string textOf(const std::string &file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        throw ReadError("The call model \"" + file + "\" " +
                        (std::filesystem::exists(file, error) ? "is not a file." : "does not exist."));
    simdjson::padded_string text;
    if (simdjson::padded_string::load(file).get(text) != simdjson::SUCCESS)
        throw ReadError("The call model \"" + file + "\" cannot be read: " + std::strerror(errno) + '.');
    return text;
}

/// Reads one file; lives as long as that takes.
class Reader : public JsonInput {
  public:
    explicit Reader(const std::string &file) : JsonInput("call model \"" + file + '"', textOf(file)) {}

    CallModel read() {
        if (!has(schemaName))
            fail("it is no call model of Laggard");
        if (!has(schema))
            fail("it is of a version that this program does not know");
        CallModel written;
        root([&](std::string_view key, Value value) {
            if (key == "schema" && string(value) != schema)
                fail("it is of a version that this program does not know");
            else if (key == "runs")
                written.runs = count(value);
            else if (key == "roles")
                array(value, [&](Value each) { written.roles.push_back(role(each)); });
        });
        CallModel model; // brings roles, units and calls into order
        model.merge(written);
        checkCounts(model);
        return model;
    }

  private:
    std::uint64_t count(Value value) {
        const std::uint64_t counted = number(value);
        if (counted > mostCount)
            fail("the number " + std::to_string(counted) + " is too large");
        return counted;
    }

    std::vector<CallModel::Stack> stacks(Value value) {
        std::vector<CallModel::Stack> found;
        array(value, [&](Value each) {
            CallModel::Stack &stack = found.emplace_back();
            array(each, [&](Value name) { stack.push_back(string(name)); });
        });
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    CallModel::Role role(Value value) {
        CallModel::Role role;
        object(value, [&](std::string_view key, Value member) {
            if (key == "signature")
                role.signature = stacks(member);
            else if (key == "processes")
                role.processes = count(member);
            else if (key == "loops")
                role.loops = stacks(member);
            else if (key == "units")
                array(member, [&](Value each) { role.units.push_back(unit(each)); });
        });
        return role;
    }

    CallModel::UnitModel unit(Value value) {
        CallModel::UnitModel unit;
        object(value, [&](std::string_view key, Value member) {
            if (key == "kind") {
                const std::string name = string(member);
                const std::optional<UnitKind> kind = unitKindNamed(name);
                if (!kind)
                    fail('"' + name.substr(0, 40) + "\" is no kind of unit");
                unit.kind = *kind;
            } else if (key == "connection") {
                unit.connection = stacks(member);
            } else if (key == "units") {
                unit.units = count(member);
            } else if (key == "calls") {
                array(member, [&](Value each) { unit.calls.push_back(call(each, unit.calls.size())); });
            }
        });
        return unit;
    }

    CallModel::Call call(Value value, std::size_t position) {
        CallModel::Call call;
        object(value, [&](std::string_view key, Value member) {
            if (key == "parent")
                call.parent = numberOrNone(member);
            else if (key == "function")
                call.function = string(member);
            else if (key == "site")
                call.site = string(member);
            else if (key == "file")
                call.file = withoutFolders(string(member)); // which earlier versions wrote
            else if (key == "line")
                call.line = number32(member);
            else if (key == "units")
                call.units = count(member);
        });
        if (call.parent != none && call.parent >= position)
            fail("the caller of a call has to stand before it");
        if (call.function.empty())
            fail("a call has no function");
        if (call.units == 0)
            fail("the call of " + call.function.substr(0, 40) + " was in no unit");
        return call;
    }

    /// n_g <= n_f (thesis §6.1.3).
    void checkCounts(const CallModel &model) {
        for (const CallModel::Role &role : model.roles)
            for (const CallModel::UnitModel &unit : role.units)
                for (const CallModel::Call &call : unit.calls)
                    if (call.units > (call.parent == none ? unit.units : unit.calls[call.parent].units))
                        fail("the call of " + call.function.substr(0, 40) + " is said to be in more units than its caller");
    }
};

} // namespace

bool isCallModel(const std::string &file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return false;
    std::array<char, 256> beginning{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(beginning.data(), beginning.size());
    const std::string_view text(beginning.data(), static_cast<std::size_t>(stream.gcount()));
    return text.find(schemaName) != std::string_view::npos;
}

CallModel read(const std::string &file) { return Reader(file).read(); }

} // namespace laggard::callmodel
