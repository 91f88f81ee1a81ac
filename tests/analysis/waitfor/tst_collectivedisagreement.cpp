// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveDisagreement.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Operation = CollectiveOperation;

namespace {

struct Step {
    Operation operation = Operation::Barrier;
    Rank root = none;
};
using Steps = std::vector<std::vector<Step>>; // by rank

std::shared_ptr<Trace> traceOf(const Steps &steps) {
    TraceBuilder builder(static_cast<Rank>(steps.size()));
    for (Rank rank = 0; rank < steps.size(); ++rank)
        for (std::size_t i = 0; i < steps[rank].size(); ++i)
            builder.collectiveCall(rank, 10 * i + 1, 10 * i + 5, steps[rank][i].operation, 0, steps[rank][i].root);
    auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
    trace->tellsOpenCalls = true;
    trace->format = "recording";
    return trace;
}

/// "Root of #2 (Bcast 1): 0,2 | 1; 1"
QString text(const std::optional<CollectiveDisagreement> &found) {
    if (!found)
        return {};
    QStringList parties;
    for (const auto &party : found->parties)
        parties << QString::fromStdString(formatRanges(party.ranks));
    return QString::fromStdString(std::string(name(found->difference))) + QString(" of %1 (%2): %3; %4%5")
                                                                              .arg(found->number)
                                                                              .arg(found->ordinal)
                                                                              .arg(parties.join(" | "))
                                                                              .arg(found->instances)
                                                                              .arg(found->isEven ? " even" : "");
}

} // namespace

class TestCollectiveDisagreement : public QObject {
    Q_OBJECT
  private slots:
    void disagreements_data() {
        QTest::addColumn<Steps>("steps");
        QTest::addColumn<QString>("found");
        const Step barrier{Operation::Barrier};
        const auto bcast = [](Rank root) { return Step{Operation::Bcast, root}; };
        QTest::newRow("none") << Steps{{barrier, bcast(1)}, {barrier, bcast(1)}} << "";
        QTest::newRow("nothing") << Steps{{}, {}} << "";
        QTest::newRow("root") << Steps{{bcast(0), barrier, bcast(1)},
                                       {bcast(0), barrier, bcast(0)},
                                       {bcast(0), barrier, bcast(1)}}
                              << "the root of 2 (1): 0,2 | 1; 1";
        QTest::newRow("two of each") << Steps{{bcast(0)}, {bcast(1)}} << "the root of 0 (0): 0 | 1; 1 even";
        QTest::newRow("operation, and all that follows")
            << Steps{{barrier, bcast(0), barrier}, {bcast(0), barrier, barrier}, {barrier, bcast(0), barrier}}
            << "the operation of 0 (0): 0,2 | 1; 2";
        QTest::newRow("who does not know the root agrees with nobody in particular")
            << Steps{{bcast(none)}, {bcast(0)}, {bcast(1)}, {bcast(0)}} << "the root of 0 (0): 0-1,3 | 2; 1";
    }

    void disagreements() {
        QFETCH(Steps, steps);
        const auto trace = traceOf(steps);
        QTEST(text(findDisagreement(*trace, {})), "found");
        trace->tellsOpenCalls = false; // OTF2 does not tell enough
        QVERIFY(!findDisagreement(*trace, {}));
    }

    /// Each group of an intercommunicator has a root of its own; the operation is the same in both.
    void intercommunicator() {
        auto trace = traceOf({{{Operation::Bcast, 0}}, {{Operation::Bcast, 1}}, {{Operation::Bcast, 1}}});
        trace->communicators[0].isIntercommunicator = true;
        QVERIFY(!findDisagreement(*trace, {}));
        trace = traceOf({{{Operation::Bcast, 0}}, {{Operation::Bcast, 1}}, {{Operation::Barrier}}});
        trace->communicators[0].isIntercommunicator = true;
        QCOMPARE(text(findDisagreement(*trace, {})), QString("the operation of 0 (0): 0-1 | 2; 1"));
    }

    /// What frees a handle comes where each member has done with it.
    void freesShiftNothing() {
        const Step barrier{Operation::Barrier};
        const Step release{Operation::DestroyHandle};
        const Step bcast{Operation::Bcast, 0};
        QVERIFY(!findDisagreement(*traceOf({{barrier, release, bcast}, {barrier, bcast, release}}), {}));
    }
};

QTEST_APPLESS_MAIN(TestCollectiveDisagreement)
#include "tst_collectivedisagreement.moc"
