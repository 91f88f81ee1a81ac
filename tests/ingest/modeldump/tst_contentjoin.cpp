// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/ContentFields.h"
#include "ingest/modeldump/ContentJoin.h"
#include "ingest/modeldump/DumpAssembly.h"
#include "ingest/modeldump/ModelDumpReader.h"
#include "tests/support/DumpFolder.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace laggard;
using namespace laggard::modeldump;

class TestContentJoin : public QObject {
    Q_OBJECT

  private slots:
    void packing();
    void grouping();
    void assembled();
    void later();
    void wrongNumbers_data();
    void wrongNumbers();

  private:
    [[nodiscard]] std::vector<DumpContent> read(int perFile) {
        const QString folder = m_folder.filePath(QString::number(perFile));
        test::writeDumps(folder, 23, perFile, 8);
        std::vector<DumpContent> contents;
        for (const std::string &file : filesOf(folder.toStdString()))
            contents.push_back(readContent(file));
        return contents;
    }
    QTemporaryDir m_folder;
};

void TestContentJoin::packing() {
    for (const DumpContent &content : read(4)) {
        const std::string bytes = packed(content);
        QCOMPARE(packed(unpacked<DumpContent>(bytes)), bytes);
        for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 200)
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(unpacked<DumpContent>(std::string_view(bytes).substr(0, length))),
                                     NotPacked);
    }
}

/// Joining neighbours first, in any way, gives the same.
void TestContentJoin::grouping() {
    ContentJoin inOrder;
    for (DumpContent &content : read(2))
        inOrder.add(std::move(content));
    const std::string expected = packed(inOrder.take());
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<DumpContent> parts = read(2);
        while (parts.size() > 1) {
            const std::size_t at = random() % (parts.size() - 1);
            ContentJoin both;
            both.add(std::move(parts[at]));
            both.add(std::move(parts[at + 1]));
            parts[at] = both.take();
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
        ContentJoin last;
        last.add(std::move(parts.front()));
        QCOMPARE(packed(last.take()), expected);
    }
}

/// What is joined first assembles to the same job as the files themselves.
void TestContentJoin::assembled() {
    ContentJoin join;
    for (DumpContent &content : read(3))
        join.add(std::move(content));
    QCOMPARE(join.joined().models.size(), 2U); // not two of each file
    std::vector<DumpContent> one;
    one.push_back(join.take());
    const ModelDumpPtr joined = assemble("x", std::move(one), {});
    const ModelDumpPtr files = assemble("x", read(3), {});
    QCOMPARE(joined->job->processes.size(), files->job->processes.size());
    QCOMPARE(joined->job->regions.size(), files->job->regions.size());
    QCOMPARE(joined->job->callPaths.size(), files->job->callPaths.size());
    QCOMPARE(joined->models.stateOfRank, files->models.stateOfRank);
    for (Rank rank = 0; rank < files->job->processes.size(); ++rank) {
        QVERIFY(joined->models.models[joined->models.modelOfRank[rank]] == files->models.models[files->models.modelOfRank[rank]]);
        QCOMPARE(joined->job->hostOf(rank), files->job->hostOf(rank));
        QCOMPARE(joined->state.tasks[rank].activity.since, files->state.tasks[rank].activity.since);
        QCOMPARE(joined->state.tasks[rank].activity.callPath, files->state.tasks[rank].activity.callPath);
        QVERIFY(joined->state.tasks[rank].collectives == files->state.tasks[rank].collectives);
        QVERIFY(joined->state.unreceived[rank] == files->state.unreceived[rank]);
        QVERIFY(joined->state.received[rank] == files->state.received[rank]);
    }
}

/// Of two files that speak of one rank, the later one counts, also where the earlier one's entry would take it up.
void TestContentJoin::later() {
    DumpContent first;
    first.rankCount = 2;
    first.states = {{ModelState::Kind::Start, none, ""}, {ModelState::Kind::Start, none, "b"}};
    first.tasks = {{{{0, 1}}, 0, 0, true}};
    DumpContent second = first;
    second.tasks = {{{{0, 0}}, 1, 1, true}};
    ContentJoin join;
    join.add(first);
    join.add(second);
    join.add(first);
    std::vector<DumpContent> all;
    all.push_back(join.take());
    const ModelDumpPtr dump = assemble("x", std::move(all), {});
    QCOMPARE(dump->models.stateOfRank, (std::vector<std::uint32_t>{0, 0}));
}

void TestContentJoin::wrongNumbers_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("call path") << 0;
    QTest::newRow("state") << 1;
    QTest::newRow("communicator") << 2;
    QTest::newRow("clock") << 3;
}

void TestContentJoin::wrongNumbers() {
    QFETCH(int, what);
    std::vector<DumpContent> contents = read(4);
    DumpContent &content = contents[1];
    if (what == 0)
        content.paths.push_back({none, 99, none});
    else if (what == 1)
        content.tasks.front().state = 99;
    else if (what == 2)
        content.collectives.front().counts.front().communicator = 99;
    else
        content.ticksPerSecond = 5;
    const QString file = QString::fromStdString(content.file);
    ContentJoin join;
    join.add(std::move(contents[0]));
    try {
        join.add(std::move(contents[1]));
        QFAIL("it was taken");
    } catch (const ReadError &error) {
        QVERIFY2(QString(error.what()).contains(file), error.what());
    }
}

QTEST_GUILESS_MAIN(TestContentJoin)
#include "tst_contentjoin.moc"
