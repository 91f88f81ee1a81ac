// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>

using namespace laggard;

namespace {

enum Column { Name, Count, Note };

/// A table of which the last column has much text and the middle one numbers.
class Table : public QStandardItemModel {
  public:
    explicit Table(const QString &name = "compute_flux", const QString &note = "a remark of some length, with a reason") {
        appendRow({new QStandardItem(name), new QStandardItem("1,234,567"), new QStandardItem(note)});
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : 3; }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        static constexpr ColumnText columns[] = {
            {"", "Whether it counts", "name"}, {"Count", "How often", nullptr, true}, {"Note"}};
        return columnHeader(*this, columns, section, orientation, role);
    }
};

struct View {
    ItemView view{"Things"};
    explicit View(QAbstractItemModel &model, int width) {
        view.setModel(&model);
        view.resize(width, 100);
        view.show();
        view.fitColumns(Note);
    }
    [[nodiscard]] bool scrolls() const { return view.horizontalScrollBar()->maximum() > 0; }
    [[nodiscard]] bool isWhole(int column) const {
        return view.columnWidth(column) >= view.sizeHintForIndex(view.model()->index(0, column)).width();
    }
};

} // namespace

class TestItemView : public QObject {
    Q_OBJECT
  private slots:
    void wideColumnTakesWhatIsLeft() {
        Table model;
        const View shown(model, 900);
        QVERIFY(!shown.scrolls());
        for (const int column : {Name, Count, Note})
            QVERIFY2(shown.isWhole(column), qPrintable(QString("column %1 is cut off").arg(column)));
        QCOMPARE(shown.view.header()->length(), shown.view.viewport()->width());
    }

    void theWidestGivesWayAndNumbersNever() {
        Table model;
        const View shown(model, 320);
        QVERIFY2(!shown.scrolls(), "the note can be shortened: no need to scroll");
        QVERIFY(shown.isWhole(Name));
        QVERIFY(shown.isWhole(Count));
        QVERIFY(!shown.isWhole(Note));
    }

    void hiddenColumnsTakeNoRoom() {
        Table model;
        View shown(model, 320);
        shown.view.setColumnHidden(Count, true);
        shown.view.fitColumns(Note);
        QVERIFY(shown.view.isColumnHidden(Count));
        QCOMPARE(shown.view.header()->length(), shown.view.viewport()->width());
    }

    void tooNarrowScrolls() {
        Table model;
        const View shown(model, 120);
        QVERIFY(shown.scrolls());
        QVERIFY(shown.isWhole(Name));
        QVERIFY(shown.isWhole(Count));
    }

    void aFrameTellsWhereTheKeyboardIs() {
        Table model;
        View shown(model, 320);
        QVERIFY(QTest::qWaitForWindowActive(&shown.view));
        const auto corner = [&] { return shown.view.grab().toImage().pixelColor(0, 0); };
        shown.view.setFocus();
        QVERIFY(shown.view.hasFocus());
        QCOMPARE(corner(), shown.view.palette().color(QPalette::Highlight));
        shown.view.clearFocus();
        QCOMPARE(corner(), shown.view.palette().color(QPalette::Base));
    }

    void widthsFollowTheSize() {
        Table model;
        View shown(model, 320);
        shown.view.resize(900, 100);
        QVERIFY(shown.isWhole(Note));
    }

    void namesOfAnyLengthAreCut() {
        Table model(QString(200'000, 'x'), QString(200'000, 'y'));
        const View shown(model, 400);
        QVERIFY(shown.view.columnWidth(Name) < 5000 && shown.view.columnWidth(Note) < 5000);
        QCOMPARE(shown.view.csv().count('x'), qsizetype{200'000});
    }

    void headers() {
        const Table model;
        const auto header = [&model](int column, int role) { return model.headerData(column, Qt::Horizontal, role); };
        QCOMPARE(header(Count, Qt::DisplayRole).toString(), QString("Count"));
        QCOMPARE(header(Count, Qt::ToolTipRole).toString(), QString("How often"));
        QVERIFY(header(Count, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QCOMPARE(header(Name, ExportRole).toString(), QString("name"));
        QCOMPARE(header(Name, Qt::AccessibleTextRole).toString(), QString("Whether it counts"));
        QVERIFY(!header(Count, ExportRole).isValid() && !header(Note, Qt::ToolTipRole).isValid());
        QVERIFY(!header(3, Qt::DisplayRole).isValid() && !header(-1, Qt::DisplayRole).isValid());
        QVERIFY(!model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    }

    void labelsShortenAndKeepAll() {
        ElidedLabel label(Qt::ElideLeft);
        label.resize(100, 20);
        label.show();
        label.setFullText("/a/very/long/path/to/the/source/of/stencil.c");
        QVERIFY2(label.text().startsWith(QChar(0x2026)) && label.text().endsWith("stencil.c"), qPrintable(label.text()));
        QVERIFY(label.toolTip().contains("/a/very/long/path"));
        QVERIFY(label.fontMetrics().horizontalAdvance(label.text()) <= 100);
        label.resize(1000, 20);
        QCOMPARE(label.text(), label.fullText());
        label.setFullText(QString(200'000, 'x'));
        QVERIFY(label.fontMetrics().horizontalAdvance(label.text()) <= 1000);
        QVERIFY2(label.minimumSizeHint().width() <= 1000, "a long text must not widen the window");
    }
};

QTEST_MAIN(TestItemView)
#include "tst_itemview.moc"
