// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Injector.h"

#include "collect/inject/Faults.h"
#include "collect/inject/Truth.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"
#include "collect/store/Undisturbed.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace laggard::collect {

namespace {

void say(const std::string &sentence) {
    const Undisturbed undisturbed;
    std::fprintf(stderr, "laggard-record: --inject: %s\n", sentence.c_str());
}

std::uint64_t utcNow() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Counts everything, for a Census.
class Counter final : public Injector {
  public:
    explicit Counter(std::string folder) : m_folder(std::move(folder)) {}

    void worldKnown(std::int32_t rank, std::int32_t) override { m_rank = rank; }
    void jobEnds() override {
        const std::scoped_lock lock(m_mutex);
        for (const auto &[address, count] : m_functions) {
            const CodePlace place = codePlaceOf(address);
            if (!place.module.empty())
                m_census.functions.push_back({place.module, place.offset, count});
        }
        // A hash table has an order of its own.
        std::ranges::sort(m_census.functions, {}, [](const Census::Function &f) { return std::pair(f.module, f.offset); });
        if (!writeCensus(censusPath(m_folder, m_rank), m_census))
            say("the census of rank " + std::to_string(m_rank) + " could not be written");
        m_census = {};
        m_functions.clear();
    }
    void functionEntered(const void *address) override {
        if (m_rank < 0)
            return;
        const std::scoped_lock lock(m_mutex);
        ++m_functions[address];
    }
    bool beforeCall(const char *operation, const void *) override {
        const std::scoped_lock lock(m_mutex);
        if (m_rank >= 0)
            ++m_census.calls[operation];
        return false;
    }
    void insideCall() override {}
    void afterCall() override {}
    MessageFault messageSent(const char *operation, const void *, const SentMessage &, bool canBeRepeated) override {
        const std::scoped_lock lock(m_mutex);
        if (canBeRepeated)
            ++m_census.messages[operation];
        return MessageFault::None;
    }
    void phaseBegins() override {}
    void computationEnds() override {}
    void computationBegins() override {}

  private:
    std::string m_folder;
    std::atomic<std::int32_t> m_rank{-1};
    Mutex m_mutex;
    Census m_census;
    std::unordered_map<const void *, std::uint64_t> m_functions;
};

class FaultInjector final : public Injector {
  public:
    FaultInjector(FaultSpec spec, std::string folder) : m_folder(std::move(folder)) { m_truth.spec = std::move(spec); }

    void worldKnown(std::int32_t rank, std::int32_t size) override;
    void jobEnds() override {}
    void functionEntered(const void *address) override;
    bool beforeCall(const char *operation, const void *caller) override;
    void insideCall() override { strikeIfPending(FaultPlace::Inside); }
    void afterCall() override { strikeIfPending(FaultPlace::After); }
    MessageFault messageSent(const char *operation, const void *caller, const SentMessage &message, bool canBeRepeated) override;
    void phaseBegins() override { m_phases.fetch_add(1, std::memory_order_relaxed); }
    void computationEnds() override;
    void computationBegins() override;

  private:
    enum class Armed { No, Calls, Messages, Functions, Slow };
    struct Pending {
        bool is = false;
        const char *operation = nullptr;
        const void *caller = nullptr;
    };

    void arm();
    [[nodiscard]] bool isTheOne() { return m_count.fetch_add(1, std::memory_order_relaxed) + 1 == m_truth.plan.instance; }
    [[nodiscard]] bool isMeant(const char *operation) const;
    void strikeIfPending(FaultPlace place);
    void strike(const char *operation, const void *code);
    void noteStrike(const char *operation, const void *code);
    void writeTruthFile();

    static Pending &pending() {
        static thread_local Pending pending;
        return pending;
    }
    static std::uint64_t &computationSince() {
        static thread_local std::uint64_t since = 0;
        return since;
    }

    std::string m_folder;
    Truth m_truth;
    std::vector<const void *> m_functions; ///< empty: any
    std::atomic<Armed> m_armed{Armed::No};
    std::atomic<std::uint64_t> m_count{0};
    std::atomic<std::uint64_t> m_phases{0}; ///< calls of MPI_Pcontrol
    std::atomic<bool> m_hasFunctions{false};
    std::atomic<bool> m_isSlowNoted{false};
};

void FaultInjector::worldKnown(std::int32_t rank, std::int32_t size) {
    const FaultSpec &spec = m_truth.spec;
    m_truth.ranks = size;
    const std::int32_t chosen = drawRank(spec, size);
    // If the rank does not exist, the first one reports.
    if (rank != (chosen < size ? chosen : 0))
        return;
    Census census;
    const bool hasCensus = !spec.census.empty();
    const bool isRead = hasCensus && readCensus(censusPath(spec.census, chosen), census);
    m_truth.plan = drawPlan(spec, size, isRead ? &census : nullptr, m_hasFunctions);
    if (hasCensus && !isRead && m_truth.plan.error.empty())
        m_truth.plan.error = censusPath(spec.census, chosen) + " cannot be read";
    if (m_truth.plan.error.empty())
        arm();
    if (!m_truth.plan.error.empty())
        say(m_truth.plan.error);
    writeTruthFile();
}

void FaultInjector::arm() {
    FaultPlan &plan = m_truth.plan;
    if (plan.kind == FaultKind::Slow) {
        m_armed = Armed::Slow;
    } else if (plan.kind == FaultKind::DropMessage || plan.kind == FaultKind::RepeatMessage) {
        m_armed = Armed::Messages;
    } else if (plan.place != FaultPlace::Function) {
        m_armed = Armed::Calls;
    } else {
        if (!plan.function.empty())
            m_functions = functionsNamed(plan.function);
        else if (!plan.censusFunction.module.empty())
            if (const void *address = addressIn(plan.censusFunction.module, plan.censusFunction.offset))
                m_functions = {address};
        if (m_functions.empty() && !(plan.function.empty() && plan.censusFunction.module.empty()))
            plan.error =
                "the program has no function '" + (plan.function.empty() ? plan.censusFunction.module : plan.function) + "'";
        else
            m_armed = Armed::Functions;
    }
}

bool FaultInjector::isMeant(const char *operation) const {
    return m_truth.plan.operation.empty() ? isDrawn(operation) : m_truth.plan.operation == operation;
}

void FaultInjector::functionEntered(const void *address) {
    m_hasFunctions.store(true, std::memory_order_relaxed);
    if (m_armed.load(std::memory_order_acquire) != Armed::Functions)
        return;
    if ((m_functions.empty() || std::ranges::find(m_functions, address) != m_functions.end()) && isTheOne())
        strike("", address);
}

bool FaultInjector::beforeCall(const char *operation, const void *caller) {
    if (m_armed.load(std::memory_order_acquire) != Armed::Calls || !isMeant(operation) || !isTheOne())
        return false;
    if (m_truth.plan.place == FaultPlace::Before) {
        strike(operation, caller);
        return false;
    }
    pending() = {true, operation, caller};
    return true;
}

void FaultInjector::strikeIfPending(FaultPlace place) {
    if (!pending().is || m_truth.plan.place != place)
        return;
    const Pending now = pending();
    pending() = {};
    strike(now.operation, now.caller);
}

MessageFault FaultInjector::messageSent(const char *operation, const void *caller, const SentMessage &message,
                                        bool canBeRepeated) {
    const bool isDrop = m_truth.plan.kind == FaultKind::DropMessage;
    if (m_armed.load(std::memory_order_acquire) != Armed::Messages || !isMeant(operation) || !(isDrop || canBeRepeated) ||
        !isTheOne())
        return MessageFault::None;
    m_truth.message = message;
    noteStrike(operation, caller);
    return isDrop ? MessageFault::Drop : MessageFault::Repeat;
}

void FaultInjector::strike(const char *operation, const void *code) {
    const FaultPlan &plan = m_truth.plan;
    // Before it acts: an infinite loop does not come back, and a killed job must have its truth.
    noteStrike(operation, code);
    bool isDone = true;
    switch (plan.kind) {
    case FaultKind::FiniteLoop:
        loopFor(plan.seconds);
        break;
    case FaultKind::InfiniteLoop:
        loopForever();
    case FaultKind::CpuThread:
        isDone = startCpuThread();
        break;
    case FaultKind::MemoryThread:
        isDone = startMemoryThread(m_truth.spec.bytes);
        break;
    default:
        break;
    }
    if (!isDone) {
        m_truth.hasStruck = false;
        m_truth.plan.error = "there was no room for the thread or its memory";
        say(m_truth.plan.error);
        writeTruthFile();
    }
}

void FaultInjector::noteStrike(const char *operation, const void *code) {
    m_truth.hasStruck = true;
    m_truth.ticks = now();
    m_truth.utc = utcNow();
    m_truth.phases = m_phases.load(std::memory_order_relaxed);
    m_truth.operation = operation;
    if (code != nullptr) {
        // A return address may lie behind the end of its function.
        const bool isReturnAddress = *operation != '\0';
        m_truth.place = codePlaceOf(static_cast<const char *>(code) - (isReturnAddress ? 1 : 0));
        m_truth.place->offset += isReturnAddress ? 1 : 0;
    }
    writeTruthFile();
}

void FaultInjector::writeTruthFile() {
    const std::string path = m_folder + "/truth.json";
    if (!writeTruth(path, m_truth))
        say(path + " could not be written");
}

void FaultInjector::computationEnds() {
    if (m_armed.load(std::memory_order_acquire) != Armed::Slow || computationSince() == 0)
        return;
    if (!m_isSlowNoted.exchange(true))
        noteStrike("", nullptr);
    const std::uint64_t used = threadCpuTime() - computationSince();
    burnCpuTime(static_cast<std::uint64_t>(static_cast<double>(used) * (m_truth.spec.factor - 1)));
    computationSince() = 0;
}

void FaultInjector::computationBegins() {
    if (m_armed.load(std::memory_order_acquire) == Armed::Slow)
        computationSince() = threadCpuTime();
}

} // namespace

Injector *injector() {
    static Injector *const existing = []() -> Injector * {
        const char *text = std::getenv("LAGGARD_INJECT");
        const char *folder = std::getenv("LAGGARD_RECORD_DIR");
        if (text == nullptr || *text == '\0' || folder == nullptr || processLog() == nullptr)
            return nullptr;
        ParsedSpec parsed = parseFaultSpec(text);
        if (!parsed.spec) {
            say(parsed.error);
            return nullptr;
        }
        if (parsed.spec->kind == FaultKind::Census)
            return new Counter(folder);
        return new FaultInjector(std::move(*parsed.spec), folder);
    }();
    return existing;
}

} // namespace laggard::collect
