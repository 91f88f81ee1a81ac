// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ZFunction.h"

#include <QTest>
#include <random>

using namespace laggard;

class TestZFunction : public QObject {
    Q_OBJECT
  private slots:
    void workedExample();
    void equalsComparingEachPlace();
};

void TestZFunction::workedExample() {
    const std::vector<char> text = {'a', 'a', 'b', 'c', 'a', 'a', 'b', 'x', 'a', 'a', 'a', 'z'};
    const std::vector<std::uint32_t> expected = {12, 1, 0, 0, 3, 1, 0, 0, 2, 2, 1, 0}; // Gusfield §1.3
    QCOMPARE(zFunction<char>(text), expected);
    QCOMPARE(zFunction<char>({}), std::vector<std::uint32_t>());
}

void TestZFunction::equalsComparingEachPlace() {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        std::vector<int> text(random() % 200);
        const int letters = 1 + static_cast<int>(random() % 4);
        for (int &letter : text)
            letter = static_cast<int>(random() % static_cast<unsigned>(letters));
        const auto z = zFunction<int>(text);
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::uint32_t length = 0;
            while (i + length < text.size() && text[length] == text[i + length])
                ++length;
            QCOMPARE(z[i], length);
        }
    }
}

QTEST_APPLESS_MAIN(TestZFunction)
#include "tst_zfunction.moc"
