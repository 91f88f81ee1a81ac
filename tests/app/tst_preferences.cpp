// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MemoryBudget.h"
#include "app/window/PreferencesDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;

class TestPreferences : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;

  private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
        QCoreApplication::setOrganizationName("laggard-test");
    }
    void init() {
        QSettings().clear();
        qunsetenv("LAGGARD_MEMORY_BUDGET_MB");
    }

    void areKept_data() {
        QTest::addColumn<int>("appearance");
        QTest::addColumn<int>("megabytes"); // -1: the usual
        QTest::addColumn<int>("callLines");
        QTest::addColumn<int>("points");
        QTest::addColumn<bool>("servers");
        QTest::newRow("the usual") << 0 << -1 << 0 << 0 << false;
        QTest::newRow("all changed") << 2 << 4000 << 2 << 14 << true;
        QTest::newRow("never ask") << 1 << 0 << 1 << 6 << false;
    }
    void areKept() {
        QFETCH(int, appearance);
        QFETCH(int, megabytes);
        QFETCH(int, callLines);
        QFETCH(int, points);
        QFETCH(bool, servers);
        Preferences preferences;
        preferences.appearance = static_cast<Appearance>(appearance);
        if (megabytes >= 0)
            preferences.memoryBudgetMb = static_cast<std::uint64_t>(megabytes);
        preferences.callLines = static_cast<CallLines>(callLines);
        preferences.sourcePoints = points;
        preferences.askDebugServers = servers;
        savePreferences(preferences);
        QVERIFY(loadPreferences() == preferences);
        QVERIFY2(PreferencesDialog(preferences).preferences() == preferences, "the dialog changes nothing by itself");
        savePreferences({});
        QVERIFY2(QSettings().allKeys().isEmpty(), "the usual needs no settings");
    }

    void nonsenseIsTheUsual() {
        QSettings settings;
        settings.setValue("appearance", 17);
        settings.setValue("memoryBudgetMb", "a lot");
        settings.setValue("callLines", -3);
        settings.setValue("sourcePoints", 4000);
        settings.setValue("askDebugServers", "perhaps");
        QVERIFY(loadPreferences() == Preferences());
    }

    void memoryIsDecidedByTheNearest() {
        QCOMPARE(memoryBudget(), defaultMemoryBudget());
        QVERIFY(defaultMemoryBudget() > 0 && defaultMemoryBudget() < physicalMemory());
        Preferences preferences;
        preferences.memoryBudgetMb = 300;
        savePreferences(preferences);
        QCOMPARE(memoryBudget(), std::uint64_t{300'000'000});
        qputenv("LAGGARD_MEMORY_BUDGET_MB", "7");
        QCOMPARE(memoryBudget(), std::uint64_t{7'000'000});
        qputenv("LAGGARD_MEMORY_BUDGET_MB", "seven");
        QCOMPARE(memoryBudget(), std::uint64_t{300'000'000});
    }

    void isEditedByKeyboard() {
        PreferencesDialog dialog({});
        dialog.show();
        auto *memory = dialog.findChild<QComboBox *>("memory");
        auto *megabytes = dialog.findChild<QSpinBox *>("megabytes");
        QVERIFY2(!megabytes->isEnabled(), "a share of the machine needs no number");
        QTest::keyClick(memory, Qt::Key_Down);
        QVERIFY(megabytes->isEnabled());
        megabytes->setValue(2500);
        QTest::keyClick(dialog.findChild<QComboBox *>("appearance"), Qt::Key_End);
        QTest::keyClick(dialog.findChild<QSpinBox *>("sourcePoints"), Qt::Key_Up);
        const Preferences edited = dialog.preferences();
        QCOMPARE(edited.memoryBudgetMb, std::optional<std::uint64_t>(2500));
        QVERIFY(edited.appearance == Appearance::Dark);
        QCOMPARE(edited.sourcePoints, leastSourcePoints);
        QTest::keyClick(memory, Qt::Key_Down);
        QCOMPARE(dialog.preferences().memoryBudgetMb, std::optional<std::uint64_t>(0));
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::RestoreDefaults)->click();
        QVERIFY(dialog.preferences() == Preferences());
    }
};

QTEST_MAIN(TestPreferences)
#include "tst_preferences.moc"
