// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Launch.h"
#include "app/across/Shares.h"

#include <QTest>
#include <map>

using namespace laggard;

using Variables = QMap<QString, QString>;

class TestLaunch : public QObject {
    Q_OBJECT

  private slots:
    void launched_data();
    void launched();
    void shares_data();
    void shares();
};

void TestLaunch::launched_data() {
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<QString>("found"); // rank/size flavour; empty: started alone
    QTest::newRow("nothing") << Variables{} << "";
    QTest::newRow("Hydra") << Variables{{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"PMI_FD", "9"}} << "2/4 mpich";
    QTest::newRow("Hydra, one process") << Variables{{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}} << "";
    QTest::newRow("Open MPI") << Variables{{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "3"}, {"PMIX_RANK", "1"}}
                              << "1/3 openmpi";
    QTest::newRow("srun") << Variables{{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_NTASKS", "64"}} << "5/8 ?";
    QTest::newRow("srun with PMI")
        << Variables{{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"PMI_RANK", "5"}, {"PMI_SIZE", "8"}} << "5/8 mpich";
    QTest::newRow("batch script") << Variables{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "64"}} << "";
    QTest::newRow("batch script's step") << Variables{{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}} << "";
    QTest::newRow("no number") << Variables{{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}} << "";
    QTest::newRow("beyond") << Variables{{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}} << "";
}

void TestLaunch::launched() {
    QFETCH(Variables, variables);
    QFETCH(QString, found);
    std::map<std::string, std::string> environment;
    for (auto each = variables.begin(); each != variables.end(); ++each)
        environment[each.key().toStdString()] = each.value().toStdString();
    const auto launch = launchedTogether([&](const char *name) {
        const auto entry = environment.find(name);
        return entry == environment.end() ? nullptr : entry->second.c_str();
    });
    const QString text =
        !launch ? QString()
                : QString("%1/%2 %3").arg(launch->rank).arg(launch->size).arg(launch->flavour ? name(*launch->flavour) : "?");
    QCOMPARE(text, found);
}

void TestLaunch::shares_data() {
    QTest::addColumn<QList<int>>("weights");
    QTest::addColumn<unsigned>("processes");
    QTest::addColumn<QList<int>>("borders");
    QTest::newRow("one process") << QList<int>{5, 5, 5} << 1U << QList<int>{0, 3};
    QTest::newRow("equal") << QList<int>{5, 5, 5, 5} << 2U << QList<int>{0, 2, 4};
    QTest::newRow("empty files") << QList<int>{0, 0, 0, 0} << 4U << QList<int>{0, 1, 2, 3, 4};
    QTest::newRow("one has most") << QList<int>{1000, 1, 1, 1} << 2U << QList<int>{0, 1, 4};
    QTest::newRow("the last has most") << QList<int>{1, 1, 1, 1000} << 2U << QList<int>{0, 3, 4};
    QTest::newRow("nobody without") << QList<int>{1, 1, 1, 1000} << 4U << QList<int>{0, 1, 2, 3, 4};
    QTest::newRow("more processes than ranks") << QList<int>{1, 1} << 3U << QList<int>{0, 1, 1, 2};
    QTest::newRow("nothing") << QList<int>{} << 2U << QList<int>{0, 0, 0};
}

void TestLaunch::shares() {
    QFETCH(QList<int>, weights);
    QFETCH(unsigned, processes);
    QFETCH(QList<int>, borders);
    const std::vector<std::uint64_t> all(weights.begin(), weights.end());
    QList<int> found;
    for (const std::uint64_t border : shareBorders(all, processes))
        found.append(static_cast<int>(border));
    QCOMPARE(found, borders);
}

QTEST_GUILESS_MAIN(TestLaunch)
#include "tst_launch.moc"
