// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/Frames.h"

#include <QTest>

using namespace laggard;

class TestFrames : public QObject {
    Q_OBJECT
  private slots:
    void innermostFrameWithAFile() {
        QCOMPARE(innermostWithSource({{"MPI_Allreduce", "", 0}, {"residual", "r.c", 4}, {"main", "m.c", 1}}), std::size_t{1});
        QCOMPARE(innermostWithSource({{"f", "f.c", 1}}), std::size_t{0});
    }
    void noneHasAFile() {
        QCOMPARE(innermostWithSource({}), std::size_t{0});
        QCOMPARE(innermostWithSource({{"f", "", 0}, {"g", "", 0}}), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestFrames)
#include "tst_frames.moc"
