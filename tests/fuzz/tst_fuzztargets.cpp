// SPDX-License-Identifier: GPL-3.0-or-later
// What the search begins with, and what it has found (inputs/TARGET), is read without harm.
#include "tests/fuzz/Target.h"

#include <QDir>
#include <QTest>

using namespace laggard::test;

class TestFuzzTargets : public QObject {
    Q_OBJECT
  private slots:
    void readsWithoutHarm_data() {
        QTest::addColumn<std::size_t>("target");
        QTest::addColumn<std::string>("bytes");
        for (std::size_t i = 0; i < fuzzTargets().size(); ++i) {
            const QByteArray name = QByteArray::fromStdString(std::string(fuzzTargets()[i].name));
            std::size_t number = 0;
            for (const std::string &seed : fuzzTargets()[i].seeds())
                QTest::addRow("%s, seed %zu", name.constData(), number++) << i << seed;
            for (const QFileInfo &input : QDir(LAGGARD_FUZZ_INPUTS + ('/' + name)).entryInfoList(QDir::Files)) {
                QFile file(input.filePath());
                QVERIFY2(file.open(QFile::ReadOnly), qPrintable(input.filePath() + " cannot be read."));
                QTest::addRow("%s, %s", name.constData(), qPrintable(input.fileName())) << i << file.readAll().toStdString();
            }
        }
    }
    /// Harm ends the program, with a sentence or with a sanitizer's report.
    void readsWithoutHarm() {
        QFETCH(std::size_t, target);
        QFETCH(std::string, bytes);
        fuzzTargets()[target].take(bytes);
    }

    /// Seeds are about something: the search needs them to get anywhere.
    void eachHasSeeds() {
        for (const FuzzTarget &target : fuzzTargets())
            QVERIFY2(!target.seeds().empty() && !target.seeds()[0].empty(), std::string(target.name).c_str());
    }
};

QTEST_APPLESS_MAIN(TestFuzzTargets)
#include "tst_fuzztargets.moc"
