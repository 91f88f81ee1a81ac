// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/RunningQuartile.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace laggard;

namespace {

/// Rows of random values, with equal ones among them.
std::vector<std::vector<double>> rows() {
    std::mt19937 random(7);
    std::vector<std::vector<double>> result;
    for (std::size_t size = 1; size < 120; ++size) {
        std::vector<double> &row = result.emplace_back();
        for (std::size_t i = 0; i < size; ++i)
            row.push_back(random() % (size % 3 == 0 ? 5 : 100'000));
    }
    return result;
}

} // namespace

class TestRunningQuartile : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithSorting() {
        for (const std::vector<double> &row : rows()) {
            RunningQuartile quartile;
            std::vector<double> sorted;
            for (const double value : row) {
                quartile.add(value);
                sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), value), value);
                QCOMPARE(quartile.value(), sorted[(sorted.size() - 1) / 4]);
            }
        }
    }

    void countsAsCountingDoes() {
        for (const std::vector<double> &row : rows()) {
            RunningCount count(row);
            for (std::size_t i = 0; i < row.size(); ++i) {
                count.add(row[i]);
                for (const double limit : {row[0], row[i], row[i] + 0.5, row.back() - 0.5, -1.0, 1e9})
                    QCOMPARE(count.below(limit),
                             static_cast<std::size_t>(std::count_if(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                                    [limit](double value) { return value < limit; })));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRunningQuartile)
#include "tst_runningquartile.moc"
