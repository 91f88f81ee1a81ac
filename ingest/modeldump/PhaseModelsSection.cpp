// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/PhaseModelsSection.h"

#include <array>
#include <cmath>

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

class PhaseModelsReader {
  public:
    PhaseModelsReader(DumpInput &json, DumpContent &content) : m_json(json), m_content(content) {}

    void read(Value value) {
        m_content.hasPhaseModels = true;
        PhaseModels &models = m_content.phaseModels;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "source")
                models.source = m_json.named<PhaseSource>(each);
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
                    const std::vector<std::uint32_t> states = m_json.numbers32(transition, 2);
                    models.transitions.emplace_back(states[0], states[1]);
                });
            else if (key == "ranks")
                m_json.array(each, [&](Value rank) { phasesOfRank(rank); });
        });
    }

  private:
    PhaseModels::Set phaseSet(Value value) {
        PhaseModels::Set set;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "call_path")
                set.callPath = m_json.numberOrNone(each);
            else if (key == "level") {
                set.isMark = true;
                set.level = m_json.signed32(each);
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
                state.kind = m_json.named<PhaseState::Kind>(each);
            else if (key == "call_path")
                state.callPath = m_json.numberOrNone(each);
            else if (key == "level")
                state.level = m_json.signed32(each);
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

    DumpInput &m_json;
    DumpContent &m_content;
};

} // namespace

void readPhaseModels(DumpInput &json, JsonInput::Value value, DumpContent &content) {
    PhaseModelsReader(json, content).read(value);
}

} // namespace laggard::modeldump
