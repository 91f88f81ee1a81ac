// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommonCourse.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// A letter is a call: s MPI_Send, r MPI_Recv, b MPI_Barrier, w MPI_File_write; each rank stands in its last one. `waiter` waits
/// for what its call w began.
std::optional<CourseLeft> offCourse(const QStringList &courses, const RankSet &among, Rank waiter = none) {
    const auto ranks = static_cast<Rank>(courses.size());
    TraceBuilder builder(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
        Tick time = 10;
        const QString &course = courses[static_cast<int>(rank)];
        for (int i = 0; i < course.size(); ++i, time += 10) {
            const std::string name = course[i] == 's'   ? "MPI_Send"
                                     : course[i] == 'r' ? "MPI_Recv"
                                     : course[i] == 'w' ? "MPI_File_write"
                                                        : "MPI_Barrier";
            if (i + 1 == course.size())
                builder.enter(rank, time, name);
            else
                builder.call(rank, time, time + 5, name);
        }
    }
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(10000));
    trace->tellsOpenCalls = true;
    JobState state;
    state.at = 10000;
    state.tasks.resize(ranks);
    const JobView job(*trace, state);
    std::vector<Wait> waits;
    if (waiter != none) {
        const Track &track = trace->mainEvents(waiter)->track;
        const auto *begun =
            std::ranges::find_if(track.callPath, [&](CallPathId path) { return trace->region(path).name == "MPI_File_write"; });
        Wait wait;
        wait.kind = Wait::Kind::PointToPoint;
        wait.waiters = {waiter};
        wait.on = {0};
        wait.startedBy = *begun;
        waits.push_back(wait);
    }
    return onlyOneOffCourse(job, waits, among);
}

const QString rounds = QString("srb").repeated(5);

} // namespace

class TestCommonCourse : public QObject {
    Q_OBJECT
  private slots:
    void courses_data() {
        QTest::addColumn<QStringList>("courses");
        QTest::addColumn<int>("odd"); // -1: nobody
        QTest::newRow("one skips a send") << QStringList{rounds + "sr", rounds + "srb", rounds + "rb", rounds + "srb"} << 2;
        QTest::newRow("one goes on without the barrier")
            << QStringList{rounds + "srb", rounds + "srb", rounds + "srb", rounds + "srs"} << 3;
        QTest::newRow("some are further") << QStringList{rounds + "s", rounds + "srb", rounds + "sr", rounds + "srb"} << -1;
        QTest::newRow("two and two") << QStringList{rounds + "sr", rounds + "sr", rounds + "rb", rounds + "rb"} << -1;
        QTest::newRow("one other is none to compare with") << QStringList{rounds + "sr", rounds + "rb"} << -1;
        QTest::newRow("parts of their own from the beginning")
            << QStringList{QString("s").repeated(16), QString("r").repeated(16), QString("r").repeated(16)} << -1;
        QTest::newRow("one alone writes files, and goes on")
            << QStringList{rounds + "w" + rounds + "ww" + "s", rounds + rounds + "srb", rounds + rounds + "s",
                           rounds + rounds + "s"}
            << -1;
        QTest::newRow("one alone writes files, and another one skips a send")
            << QStringList{rounds + "w" + rounds + "s", rounds + rounds + "srb", rounds + rounds + "s", rounds + rounds + "rb"}
            << 3;
        QTest::newRow("one stands in a call of its own")
            << QStringList{rounds + "w", rounds + "srb", rounds + "sr", rounds + "srb"} << 0;
        QTest::newRow("one stands in a call of its own, from which it came back before")
            << QStringList{rounds + "w" + rounds + "w", rounds + rounds + "srb", rounds + rounds + "sr", rounds + rounds + "srb"}
            << -1;
        QTest::newRow("one makes a call of its own in the place of another")
            << QStringList{rounds + "wrb", rounds + "srb", rounds + "sr", rounds + "srb"} << 0;
        QTest::newRow("parted too soon to tell") << QStringList{"srbs", "srbs", "srbr", "srbs"} << -1;
    }
    void courses() {
        QFETCH(QStringList, courses);
        QFETCH(int, odd);
        RankSet all;
        for (int rank = 0; rank < courses.size(); ++rank)
            all.push_back(static_cast<Rank>(rank));
        const std::optional<CourseLeft> found = offCourse(courses, all);
        QCOMPARE(found ? static_cast<int>(found->rank) : -1, odd);
    }

    /// Rank 2 alone began something, went on as the others do, and waits for just that.
    void whatItAloneBegan() {
        const QStringList courses{rounds + "srb", rounds + "srb", rounds + "wsr", rounds + "srb"};
        QVERIFY2(!offCourse(courses, {0, 1, 2, 3}), "it has gone on, and waits for something else");
        const std::optional<CourseLeft> found = offCourse(courses, {0, 1, 2, 3}, 2);
        QVERIFY(found.has_value());
        QCOMPARE(found->rank, Rank{2});
        QVERIFY(found->isOwnPart);
        QCOMPARE(found->row, static_cast<std::uint32_t>(rounds.size()));
        const QStringList twice{rounds + rounds + "srb", rounds + rounds + "srb", rounds + "w" + rounds + "wsr",
                                rounds + rounds + "srb"};
        QVERIFY2(!offCourse(twice, {0, 1, 2, 3}, 2), "it has come back from such a part before");
        const QStringList both{rounds + "srb", rounds + "wsrb", rounds + "wsr", rounds + "srb"};
        QVERIFY2(!offCourse(both, {0, 1, 2, 3}, 2), "another one began the same, and has gone on");
    }

    void whatWasLeft() {
        const std::optional<CourseLeft> found =
            offCourse({rounds + "sr", rounds + "srb", rounds + "rb", rounds + "srb"}, {0, 1, 2, 3});
        QVERIFY(found.has_value());
        QCOMPARE(found->times, 5U);
        QCOMPARE(found->alike, std::size_t{3});
        QCOMPARE(found->confidence, 0.8); // (3 + 1) / (3 + 2)
        QVERIFY2(!offCourse({rounds + "sr", rounds + "srb", rounds + "rb", rounds + "srb"}, {0, 1}), "not asked about");
    }
};

QTEST_APPLESS_MAIN(TestCommonCourse)
#include "tst_commoncourse.moc"
