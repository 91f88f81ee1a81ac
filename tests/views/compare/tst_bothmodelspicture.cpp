// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/compare/BothModelsPicture.h"
#include "views/compare/TransitionsModel.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// One rank that computes between two calls, `length` ticks; then calls `last`.
TracePtr runOf(Tick length, const std::string &last) {
    TraceBuilder builder(1);
    builder.call(0, 0, 10, "MPI_Barrier")
        .call(0, 10 + length, 20 + length, "MPI_Barrier")
        .call(0, 30 + length, 40 + length, last);
    return builder.finish(50 + length);
}

} // namespace

class TestBothModelsPicture : public QObject {
    Q_OBJECT
  private slots:
    void edgesSayInWhatTheRunsDiffer() {
        const TracePtr here = runOf(100'000, "MPI_Bcast");
        const BothModels models = compareModelsOf(*here, *runOf(1000, "MPI_Reduce"), Work{});
        const BothModelsPicture shown = makeBothModelsPicture(*here, models, false);
        QStringList labels;
        for (const PictureEdge &edge : shown.picture.edges)
            if (!edge.label.isEmpty())
                labels << edge.label;
        QVERIFY2(labels.contains("100 µs, other run 1 µs") || labels.contains("100\u00a0µs, other run 1\u00a0µs"),
                 qPrintable(labels.join(" | ")));
        QVERIFY2(!labels.filter("this run only").isEmpty(), qPrintable(labels.join(" | ")));
        QVERIFY2(!labels.filter("other run only").isEmpty(), qPrintable(labels.join(" | ")));
        QCOMPARE(shown.picture.edges.size(), models.transitions.size());
        QVERIFY(shown.edgeOf(0).has_value());
        QVERIFY(!shown.picture.legend.empty());
    }
    void theListSaysTheSame() {
        const TracePtr here = runOf(100'000, "MPI_Bcast");
        TransitionsModel model;
        model.setModels(std::make_shared<const BothModels>(compareModelsOf(*here, *runOf(1000, "MPI_Bcast"), Work{})));
        QCOMPARE(model.index(0, TransitionsModel::Transition).data().toString(),
                 QString::fromUtf8("after MPI_Barrier \u2192 MPI_Barrier"));
        QCOMPARE(model.index(0, TransitionsModel::Ratio).data().toString(), QString::fromUtf8("× 100"));
    }
    void manyStatesAreNotDrawnAtOnce() {
        TraceBuilder builder(1);
        for (Tick i = 0; i < 200; ++i)
            builder.enter(0, 100 * i, "step" + std::to_string(i))
                .call(0, 100 * i + 10, 100 * i + 20, "MPI_Barrier")
                .leave(0, 100 * i + 90, "step" + std::to_string(i));
        const TracePtr here = builder.finish(30'000);
        const BothModelsPicture shown =
            makeBothModelsPicture(*here, compareModelsOf(*here, *runOf(5, "MPI_Bcast"), Work{}), true);
        QVERIFY(shown.states.size() <= 60);
        QVERIFY(!shown.picture.remarks.empty());
    }
};

QTEST_MAIN(TestBothModelsPicture)
#include "tst_bothmodelspicture.moc"
