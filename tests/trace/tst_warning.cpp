// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Warning.h"

#include <QFile>
#include <QSet>
#include <QTest>

using namespace laggard;

class TestWarning : public QObject {
    Q_OBJECT
  private slots:
    /// Programs rely on the names: each has a row of the table in docs/json-report.md, and the table has no others.
    void everyIdIsDocumented() {
        QFile file(LAGGARD_DOCS "/json-report.md");
        QVERIFY2(file.open(QIODevice::ReadOnly), "docs/json-report.md cannot be read");
        const QString text = QString::fromUtf8(file.readAll());
        const QString section = text.section("## Warnings\n", 1).section("\n## ", 0, 0);
        QSet<QString> documented;
        for (const QString &line : section.split('\n'))
            if (line.startsWith("| `"))
                documented.insert(line.section('`', 1, 1));
        QSet<QString> known;
        for (int id = 0; id <= static_cast<int>(lastWarningId); ++id) {
            const std::string_view given = name(static_cast<WarningId>(id));
            QVERIFY(warningIdOf(given) == static_cast<WarningId>(id));
            known.insert(QString::fromUtf8(given.data(), static_cast<qsizetype>(given.size())));
        }
        QCOMPARE(known.size(), qsizetype{static_cast<int>(lastWarningId) + 1});
        QVERIFY2((known - documented).isEmpty(), qPrintable("not in the table: " + (known - documented).values().join(", ")));
        QVERIFY2((documented - known).isEmpty(), qPrintable("no such warning: " + (documented - known).values().join(", ")));
    }

    void namesOfOthersAreNotKnown() {
        QVERIFY(!warningIdOf(""));
        QVERIFY(!warningIdOf("Dropped-Records"));
    }
};

QTEST_APPLESS_MAIN(TestWarning)
#include "tst_warning.moc"
