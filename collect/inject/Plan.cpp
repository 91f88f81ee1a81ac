// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Plan.h"

#include <array>

namespace laggard::collect {

namespace {

/// SplitMix64. Each choice has a stream of its own, so that giving one does not change the others.
class Draw {
  public:
    Draw(std::uint64_t seed, std::uint64_t stream) : m_state(seed * 0x9E3779B97F4A7C15U + stream * 0xD1B54A32D192ED03U) {}

    /// 0 … limit - 1
    std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }

  private:
    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15U);
        z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
        z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
        return z ^ z >> 31U;
    }
    std::uint64_t m_state;
};

enum Stream : std::uint64_t { rankStream = 1, placeStream, whatStream, instanceStream, secondsStream };

bool isMessageFault(FaultKind kind) { return kind == FaultKind::DropMessage || kind == FaultKind::RepeatMessage; }

FaultPlace drawPlace(const FaultSpec &spec, bool hasFunctions) {
    if (spec.place)
        return *spec.place;
    constexpr std::array places = {FaultPlace::Before, FaultPlace::Inside, FaultPlace::After, FaultPlace::Function};
    return places[Draw(spec.seed, placeStream).below(hasFunctions && spec.operation.empty() ? 4 : 3)];
}

/// First which operation or function, each as likely as any other, then which of its instances (AutomaDeD §5.1).
void drawFromCensus(const FaultSpec &spec, const Census &census, FaultPlan &plan) {
    Draw what(spec.seed, whatStream);
    std::uint64_t count = 0;
    if (!isMessageFault(plan.kind) && plan.place == FaultPlace::Function) {
        if (!spec.function.empty() || census.functions.empty()) {
            if (census.functions.empty())
                plan.error = "the census has no function of that rank";
            return;
        }
        plan.censusFunction = census.functions[what.below(census.functions.size())];
        count = plan.censusFunction.count;
    } else {
        std::vector<std::pair<std::string, std::uint64_t>> candidates;
        for (const auto &[name, number] : isMessageFault(plan.kind) ? census.messages : census.calls)
            if (number > 0 && (spec.operation.empty() ? isDrawn(name) : name == spec.operation))
                candidates.emplace_back(name, number);
        if (candidates.empty()) {
            plan.error = "the census has no such operation of that rank";
            return;
        }
        const auto &[name, number] = candidates[what.below(candidates.size())];
        plan.operation = name;
        count = number;
    }
    if (!spec.instance)
        plan.instance = 1 + Draw(spec.seed, instanceStream).below(count);
}

} // namespace

bool isDrawn(const std::string &operation) {
    return operation != "MPI_Init" && operation != "MPI_Init_thread" && operation != "MPI_Finalize" && operation != "MPI_Abort";
}

std::int32_t drawRank(const FaultSpec &spec, std::int32_t size) {
    return spec.rank ? *spec.rank
                     : static_cast<std::int32_t>(Draw(spec.seed, rankStream).below(static_cast<std::uint64_t>(size)));
}

FaultPlan drawPlan(const FaultSpec &spec, std::int32_t size, const Census *census, bool hasFunctions) {
    FaultPlan plan;
    plan.kind = spec.kind;
    plan.rank = drawRank(spec, size);
    if (plan.rank >= size)
        plan.error = "there is no rank " + std::to_string(plan.rank) + " among " + std::to_string(size);
    plan.place = drawPlace(spec, hasFunctions);
    plan.operation = spec.operation;
    plan.function = spec.function;
    plan.instance = spec.instance
                        ? *spec.instance
                        : spec.firstInstance + Draw(spec.seed, instanceStream).below(spec.lastInstance - spec.firstInstance + 1);
    constexpr std::array<double, 3> lengths = {1, 5, 10};
    plan.seconds = spec.seconds ? *spec.seconds : lengths[Draw(spec.seed, secondsStream).below(lengths.size())];
    if (census != nullptr && spec.kind != FaultKind::Slow)
        drawFromCensus(spec, *census, plan);
    return plan;
}

} // namespace laggard::collect
