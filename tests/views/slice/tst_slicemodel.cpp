// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice/SliceModel.h"

#include "ingest/slice/SliceReader.h"
#include "tests/support/FakeSlicer.h"
#include "views/kit/TableText.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace laggard;

namespace {

SlicePtr stencil() { return std::make_shared<Slice>(readSlice(test::stencilSlice)); }

QStringList rowOf(const SliceModel &model, int row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.index(row, column).data().toString();
    return cells;
}

} // namespace

class TestSliceModel : public QObject {
    Q_OBJECT
  private slots:
    void rows() {
        SliceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSlice(stencil(), 16);
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(rowOf(model, 1),
                 QStringList({"2", "stencil.c:46", "", "Data: `err` is set from `nw` and `w`", "err", "1", "compute_flux", "3"}));
        QVERIFY2(model.index(4, SliceModel::Why).data().toString().startsWith("Message: `inflow` was received"),
                 "kinds are named");
        QVERIFY(model.index(4, SliceModel::Place)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("Dependences from where the rank stands: 5"));
        model.setSlice(nullptr, 0);
        QCOMPARE(model.rowCount(), 0);
    }

    void withoutDetailTheKindIsExplained() {
        auto slice = std::make_shared<Slice>();
        SliceLine line;
        line.file = "a.c";
        line.line = 1;
        line.reason = SliceReason::Data;
        line.variable = "x";
        slice->lines = {line};
        SliceModel model;
        model.setSlice(slice, 1);
        QCOMPARE(model.index(0, SliceModel::Why).data().toString(), "Data: `x` gets its value here");
    }

    void kindsCanBeHidden() {
        SliceModel model;
        model.setSlice(stencil(), 16);
        model.setHidden({SliceReason::Data});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.step(1), 3U);
        QCOMPARE(model.rowOf(3), 1);
        QCOMPARE(model.rowOf(1), 0); // hidden: where the one before it is
        model.setHidden({SliceReason::Criterion});
        QCOMPARE(model.rowOf(0), -1);
    }

    void ranksBeyondTheJobAreNone() {
        auto slice = std::make_shared<Slice>(*stencil());
        slice->lines[0].ranks = {{2, 4'000'000'000U}};
        SliceModel model;
        model.setSlice(slice, 4);
        QCOMPARE(model.ranks(0), (RankSet{2, 3}));
    }

    void csvIsHarmless() {
        auto slice = std::make_shared<Slice>(*stencil());
        slice->lines[0].code = "=cmd|' /C calc'!A0";
        slice->lines[0].file = "/x/stencil.c";
        SliceModel model;
        model.setSlice(slice, 16);
        const QByteArray csv = toCsv(model);
        QVERIFY2(csv.startsWith("Step,Line,Code,Why,Variable,Distance (dependences),Function,Ranks\n"), csv.constData());
        QVERIFY2(csv.contains(",'=cmd|"), csv.constData());
        QVERIFY2(csv.contains("/x/stencil.c:45"), "an exported line can be found again");
    }

    void namesAreShownOnOneLine() {
        auto slice = std::make_shared<Slice>(*stencil());
        slice->lines[0].function = "a\nb\x1b[31m";
        slice->lines[0].code = std::string(100'000, 'x');
        SliceModel model;
        model.setSlice(slice, 16);
        const QString function = model.index(0, SliceModel::Function).data().toString();
        QVERIFY(!function.contains('\n') && !function.contains(QChar(0x1b)));
        QVERIFY2(model.index(0, SliceModel::Code).data().toString().size() <= 400, "what is drawn is bounded");
    }
};

QTEST_MAIN(TestSliceModel)
#include "tst_slicemodel.moc"
