// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/MedianStep.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace laggard {
namespace {

/// The median of what was added so far, and the sum of the distances from it.
class RunningMedian {
  public:
    void add(double value) {
        if (m_low.empty() || value <= m_low.top()) {
            m_low.push(value);
            m_sumLow += value;
        } else {
            m_high.push(value);
            m_sumHigh += value;
        }
        if (m_low.size() > m_high.size() + 1)
            move(m_low, m_sumLow, m_high, m_sumHigh);
        else if (m_high.size() > m_low.size())
            move(m_high, m_sumHigh, m_low, m_sumLow);
    }
    [[nodiscard]] double median() const { return m_low.size() > m_high.size() ? m_low.top() : (m_low.top() + m_high.top()) / 2; }
    [[nodiscard]] double deviation() const {
        const double balance = static_cast<double>(m_low.size()) - static_cast<double>(m_high.size());
        return m_sumHigh - m_sumLow + balance * median();
    }

  private:
    template <typename From, typename To> static void move(From &from, double &sumFrom, To &to, double &sumTo) {
        sumFrom -= from.top();
        sumTo += from.top();
        to.push(from.top());
        from.pop();
    }

    std::priority_queue<double> m_low;
    std::priority_queue<double, std::vector<double>, std::greater<>> m_high;
    double m_sumLow = 0;
    double m_sumHigh = 0;
};

} // namespace

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<MedianStep> medianStep(std::span<const double> values) {
    struct Side {
        double median = 0;
        double deviation = 0;
    };
    std::vector<Side> after(values.size());
    RunningMedian behind;
    for (std::size_t i = values.size(); i-- > 0;) {
        behind.add(values[i]);
        after[i] = {behind.median(), behind.deviation()};
    }
    std::optional<MedianStep> best;
    double least = 0;
    RunningMedian before;
    for (std::size_t at = 1; at < values.size(); ++at) {
        before.add(values[at - 1]);
        const double cost = before.deviation() + after[at].deviation;
        if (after[at].median > before.median() && (!best || cost < least)) {
            best = {at, before.median(), after[at].median};
            least = cost;
        }
    }
    return best;
}

} // namespace laggard
