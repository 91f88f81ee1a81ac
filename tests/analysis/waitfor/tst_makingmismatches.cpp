// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

/// What a rank gives to the call in which it stands; who gives nothing computes.
struct Given {
    std::uint32_t tag = 0;
    std::vector<std::uint32_t> group = {}; ///< for a communicator of one group …
    std::uint32_t ownLeader = nothing;     ///< … or of two groups
    std::uint32_t otherLeader = nothing;
    bool isText = false;
    bool isInside = true;
    bool hasGoneOn = false; ///< it has come out of the call, and is in a barrier
};

Given byGroup(std::uint32_t tag, std::vector<std::uint32_t> group, bool isText = false) {
    return {tag, std::move(group), nothing, nothing, isText};
}
Given byTwo(std::uint32_t tag, std::uint32_t ownLeader, std::uint32_t otherLeader) { return {tag, {}, ownLeader, otherLeader}; }

WaitForGraph graphOf(const std::vector<Given> &given, double seconds) {
    QTemporaryDir folder;
    const auto size = static_cast<std::int32_t>(given.size());
    for (std::int32_t rank = 0; rank < size; ++rank) {
        RecordingWriter writer(rank, size);
        const Given &own = given[static_cast<std::size_t>(rank)];
        const std::uint32_t group = own.group.empty() ? nothing : writer.group(own.group);
        const std::uint32_t local = // each group of two has its own
            own.ownLeader == nothing ? 0 : writer.communicator(100 + own.ownLeader, {static_cast<std::uint32_t>(rank)});
        writer.collectiveCall(2, 10, "MPI_Barrier");
        if (own.isInside)
            writer.begin(20, own.ownLeader != nothing ? "MPI_Intercomm_create" : "MPI_Comm_create_group")
                .event(RecordKind::MakingPart, own.tag,
                       {pair(local, own.isText ? textTag : 0U), pair(group, own.ownLeader), own.otherLeader});
        if (own.hasGoneOn)
            writer.end(25).begin(30, "MPI_Barrier").collectivePart(0);
        writer.header.aliveTicks = static_cast<std::uint64_t>(seconds * second);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {});
}

} // namespace

/// Ranks that make a communicator of a group, or of two, and do not agree about tag or leaders.
class TestMakingMismatches : public QObject {
    Q_OBJECT
  private slots:
    void mismatches_data() {
        QTest::addColumn<std::vector<Given>>("given");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("named"); ///< empty: no mismatch
        QTest::addColumn<QString>("words");
        const std::vector<std::uint32_t> all{0, 1, 2};
        QTest::newRow("one of three") << std::vector{byGroup(7, all), byGroup(8, all), byGroup(7, all)} << 3.0 << "1"
                                      << "ranks 0 and 2 gave tag 7 to MPI_Comm_create_group, but rank 1 gave tag 8";
        QTest::newRow("not for long") << std::vector{byGroup(7, all), byGroup(8, all), byGroup(7, all)} << 0.3 << ""
                                      << "";
        QTest::newRow("the same") << std::vector{byGroup(7, all), byGroup(7, all), byGroup(7, all)} << 3.0 << ""
                                  << "";
        QTest::newRow("one each") << std::vector{byGroup(7, {0, 1}), byGroup(8, {0, 1})} << 3.0 << "0,1"
                                  << "rank 0 gave tag 7";
        QTest::newRow("of another group") << std::vector{byGroup(7, {0}), byGroup(8, {1})} << 3.0 << ""
                                          << "";
        QTest::newRow("one is not there") << std::vector{byGroup(7, all), Given{.isInside = false}, byGroup(7, all)} << 3.0 << ""
                                          << "";
        QTest::newRow("texts") << std::vector{byGroup(7, all, true), byGroup(9, all, true), byGroup(7, all, true)} << 3.0 << "1"
                               << "rank 1 gave another text for a tag";
        QTest::newRow("a group that is not known") << std::vector{byGroup(7, {}), byGroup(8, {})} << 3.0 << ""
                                                   << "";
        QTest::newRow("leaders with other tags")
            << std::vector{byTwo(22, 0, 1), byTwo(23, 1, 0)} << 3.0 << "0,1"
            << "rank 0 gave tag 22 to MPI_Intercomm_create, but rank 1, the leader of the other group, gave tag 23";
        QTest::newRow("leaders that name each other") << std::vector{byTwo(22, 0, 1), byTwo(22, 1, 0)} << 3.0 << ""
                                                      << "";
        QTest::newRow("another leader")
            << std::vector{byTwo(22, 0, 2), byTwo(22, 1, 0), byTwo(22, 1, nothing)} << 3.0 << "0,2"
            << "rank 0 names rank 2 for the leader of the other group in MPI_Intercomm_create, but rank 2 has rank 1";
    }

    /// What a call said of the communicator that it made is no word of the call after it.
    void whoHasGoneOn() {
        Given gone = byGroup(8, {0, 1, 2});
        gone.hasGoneOn = true;
        const WaitForGraph graph = graphOf({byGroup(7, {0, 1, 2}), gone, byGroup(7, {0, 1, 2})}, 3);
        for (const Wait &wait : graph.waits)
            QVERIFY2(wait.evidence.find("gave tag") == std::string::npos, wait.evidence.c_str());
    }

    void mismatches() {
        QFETCH(std::vector<Given>, given);
        QFETCH(double, seconds);
        QFETCH(QString, named);
        QFETCH(QString, words);
        const WaitForGraph graph = graphOf(given, seconds);
        const bool isMismatch = graph.verdict.kind == WaitForVerdict::Kind::Mismatch;
        QVERIFY2(isMismatch == !named.isEmpty(), graph.verdict.why.c_str());
        if (!isMismatch)
            return;
        QCOMPARE(QString::fromStdString(formatRanges(graph.verdict.ranks)).replace("0-1", "0,1"), named);
        QVERIFY2(QString::fromStdString(graph.verdict.why).contains(words), graph.verdict.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestMakingMismatches)
#include "tst_makingmismatches.moc"
