// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Truth.h"

#include "collect/inject/NewFile.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <string_view>

namespace laggard::collect {

namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20U) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string orNull(const std::string &text) { return text.empty() ? "null" : quoted(text); }

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string hexadecimal(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "\"0x%" PRIx64 "\"", value);
    return text;
}

/// The members of the object, a line each.
class Object {
  public:
    void add(const char *key, const std::string &value) {
        m_text += (m_text.empty() ? "  " : ",\n  ") + quoted(key) + ": " + value;
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

  private:
    std::string m_text;
};

std::string textOf(const CodePlace &place) {
    return "{\"function\": " + orNull(place.function) + ", \"module\": " + orNull(place.module) +
           ", \"offset\": " + hexadecimal(place.offset) + "}";
}

std::string textOf(const SentMessage &message) {
    return "{\"peer\": " + std::to_string(static_cast<std::int32_t>(message.peer)) + ", \"tag\": " + std::to_string(message.tag) +
           ", \"communicator\": " + hexadecimal(message.communicatorKey) + ", \"bytes\": " + std::to_string(message.bytes) + "}";
}

bool hasPlace(FaultKind kind) {
    return kind == FaultKind::FiniteLoop || kind == FaultKind::InfiniteLoop || kind == FaultKind::CpuThread ||
           kind == FaultKind::MemoryThread;
}

std::string textOf(const Truth &truth) {
    const FaultPlan &plan = truth.plan;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    Object object;
    object.add("schema", "\"laggard.truth/1\"");
    object.add("kind", quoted(nameOf(plan.kind)));
    object.add("seed", std::to_string(truth.spec.seed));
    object.add("rank", std::to_string(plan.rank));
    object.add("ranks", std::to_string(truth.ranks));
    object.add("struck", truth.hasStruck ? "true" : "false");
    object.add("place", hasPlace(plan.kind) ? quoted(nameOf(plan.place)) : "null");
    object.add("operation", orNull(truth.hasStruck ? truth.operation : plan.operation));
    object.add("function", orNull(truth.place ? truth.place->function : plan.function));
    if (plan.kind != FaultKind::Slow) {
        object.add("instance", std::to_string(plan.instance));
        const bool ofAll = plan.operation.empty() && plan.function.empty() && plan.censusFunction.module.empty();
        object.add("instance_among", ofAll ? "\"all\"" : plan.operation.empty() ? "\"function\"" : "\"operation\"");
    }
    if (plan.kind == FaultKind::FiniteLoop)
        object.add("seconds", number(plan.seconds));
    if (plan.kind == FaultKind::MemoryThread)
        object.add("bytes", std::to_string(truth.spec.bytes));
    if (plan.kind == FaultKind::Slow)
        object.add("factor", number(truth.spec.factor));
    object.add("code", truth.place ? textOf(*truth.place) : "null");
    object.add("message", truth.message ? textOf(*truth.message) : "null");
    object.add("ticks", truth.hasStruck ? std::to_string(truth.ticks) : "null");
    object.add("utc_ns", truth.hasStruck ? std::to_string(truth.utc) : "null");
    object.add("phases", truth.hasStruck ? std::to_string(truth.phases) : "null");
    object.add("host", quoted(host));
    object.add("pid", std::to_string(getpid()));
    if (!plan.error.empty())
        object.add("error", quoted(plan.error));
    return "{\n" + object.text() + "\n}\n";
}

} // namespace

bool writeTruth(const std::string &path, const Truth &truth) { return writeNewFile(path, textOf(truth)); }

} // namespace laggard::collect
