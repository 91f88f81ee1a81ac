// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/analysis/semimarkov/SetUpJob.h"
#include "tests/views/graph/GraphvizReader.h"
#include "tests/views/semimarkov/DelayedJob.h"
#include "views/graph/DotText.h"
#include "views/graph/ExportPicture.h"
#include "views/graph/LayoutProcess.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/semimarkov/SmmPicture.h"

#include <QGuiApplication>
#include <QJsonArray>
#include <QTest>

#include <algorithm>

using namespace laggard;
using test::DelayedJob;

/// The clustered model as a picture, without a window.
class TestSmmPicture : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }
    void labels_data();
    void labels();
    void looksDiffer();
    void characteristicIsBoldAndInTheLookOfTheLegend();
    void runsRightwardsWhereAsked();
    void separationsInWords_data();
    void separationsInWords();
    void aComputationIsCalledWhatItsTimeWentIn();
    void aStateIsSplitAtItsFunctions();
    void eachStateHasAnEndWhereRanksDidNotReturn();
    void labelsNameClustersAndProbabilities();
    void labelsCutOffKeepTheUnusualCluster();
    void filtersByCluster();
    void filtersByProbability();
    void largeModelShowsTheNeighbourhood();
    void cutsAnew();
    void dotOpensInDot();
    void dotOfHostileNames();
    void exports_data();
    void exports();
};

void TestSmmPicture::labels_data() {
    QTest::addColumn<std::uint32_t>("cluster");
    QTest::addColumn<QString>("label");
    QTest::newRow("first") << 0U << "A";
    QTest::newRow("last letter") << 25U << "Z";
    QTest::newRow("two letters") << 26U << "AA";
    QTest::newRow("and on") << 52U << "BA";
    QTest::newRow("last of two") << 701U << "ZZ";
    QTest::newRow("three") << 702U << "AAA";
}

void TestSmmPicture::labels() {
    QFETCH(std::uint32_t, cluster);
    QTEST(clusterLabel(cluster), "label");
}

void TestSmmPicture::looksDiffer() {
    ClusterCut cut;
    for (Rank rank = 0; rank < 21; ++rank)
        cut.clusters.push_back({{rank}, {}, {}});
    cut.faulty = 3;
    for (std::uint32_t a = 0; a < 21; ++a)
        for (std::uint32_t b = a + 1; b < 21; ++b)
            QVERIFY2(clusterLook(cut, a).hue != clusterLook(cut, b).hue ||
                         clusterLook(cut, a).dashes != clusterLook(cut, b).dashes,
                     "two of twenty-one clusters look alike");
    QVERIFY2(!clusterLook(cut, 3).dashes.empty(), "the faulty cluster must be seen without colours, too");
    QCOMPARE(clusterOrder(cut).front(), 3U);
}

void TestSmmPicture::characteristicIsBoldAndInTheLookOfTheLegend() {
    const DelayedJob job;
    QVERIFY2(job.cut.faulty, job.report->verdict.why.c_str());
    QCOMPARE(job.cut.clusters[*job.cut.faulty].ranks, RankSet{DelayedJob::slowRank});
    const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, {});
    QVERIFY(!job.cut.characteristic.empty());
    const auto edge = smm.edgeOf(job.cut.characteristic.front().transition);
    QVERIFY2(edge, "the characteristic transition must be drawn");
    const EdgeLook look = *smm.picture.edges[*edge].look;
    QCOMPARE(look.hue, unusualLook().hue);
    std::size_t bold = 0;
    for (const PictureEdge &drawn : smm.picture.edges) {
        QVERIFY2(std::any_of(smm.picture.legend.begin(), smm.picture.legend.end(),
                             [&](const LegendEntry &entry) { return entry.look == drawn.look; }),
                 qPrintable("the legend does not have the line of " + drawn.fullText));
        bold += drawn.look->width >= look.width ? 1 : 0;
        if (drawn.look->hue == unusualLook().hue) {
            QVERIFY2(*drawn.look == look, "what is coloured is bold");
            QVERIFY2(drawn.label.contains("others") || drawn.label.contains("only"),
                     qPrintable("without the value: " + drawn.label));
        }
    }
    QCOMPARE(bold, separations(*job.report, job.cut).size());
    QVERIFY2(2 * bold < smm.picture.edges.size() + 1, "half of all transitions are bold");
    for (const LegendEntry &entry : smm.picture.legend)
        QVERIFY2(!entry.look || std::any_of(smm.picture.edges.begin(), smm.picture.edges.end(),
                                            [&](const PictureEdge &drawn) { return entry.look == drawn.look; }),
                 qPrintable("nothing is drawn like this: " + entry.text));
    QVERIFY2(smm.picture.downwards && !smm.picture.sideways, "time runs downwards");
}

void TestSmmPicture::runsRightwardsWhereAsked() {
    const DelayedJob job;
    for (const SmmFlow flow : {SmmFlow::Downwards, SmmFlow::Rightwards}) {
        const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, {}, flow);
        const GraphScene scene = makeScene(smm.picture, layOut(layoutRequest(smm.picture)));
        std::size_t onwards = 0;
        std::size_t back = 0;
        for (const PictureEdge &edge : smm.picture.edges) {
            const QPointF by = scene.nodes[edge.to].box.center() - scene.nodes[edge.from].box.center();
            const qreal along = flow == SmmFlow::Rightwards ? by.x() : by.y();
            onwards += along > 0 ? 1 : 0;
            back += along < 0 ? 1 : 0;
        }
        QVERIFY2(onwards > 2 * back, "the states do not follow each other in the direction of time");
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            QVERIFY2(scene.nodes[i].box.size().toSize() == smm.picture.nodes[i].size.toSize(), "a node lies on its side");
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!scene.nodes[i].box.intersects(scene.nodes[j].box), "two nodes lie upon each other");
        }
    }
}

void TestSmmPicture::separationsInWords_data() {
    using What = Separation::What;
    QTest::addColumn<Separation>("separation");
    QTest::addColumn<QString>("text");
    QTest::newRow("longer than one other") << Separation{0, What::Time, 1.78, 0.016, 0.016} << "1.78\u00a0s, others 16\u00a0ms";
    QTest::newRow("longer than several") << Separation{0, What::Time, 1.78, 0.002, 0.016}
                                         << "1.78\u00a0s, others \u2264\u00a016\u00a0ms";
    QTest::newRow("shorter") << Separation{0, What::Time, 0.001, 0.01, 0.016} << "1\u00a0ms, others \u2265\u00a010\u00a0ms";
    QTest::newRow("more often") << Separation{0, What::Probability, 0.5, 0, 0.19} << "50\u00a0%, others 19\u00a0%";
    QTest::newRow("less often") << Separation{0, What::Probability, 0.1, 0.5, 0.8} << "10\u00a0%, others 50\u00a0%";
    QTest::newRow("alone") << Separation{0, What::Alone, 0.5, 0, 0} << "only cluster B, 500\u00a0ms";
}

void TestSmmPicture::separationsInWords() {
    QFETCH(Separation, separation);
    QFETCH(QString, text);
    ClusterCut cut;
    cut.clusters.resize(2);
    cut.clusters[1].ranks = {7};
    cut.faulty = 1;
    QCOMPARE(separationText(cut, separation).simplified().replace(QChar(0xa0), ' '), text.replace(QChar(0xa0), ' '));
}

void TestSmmPicture::aComputationIsCalledWhatItsTimeWentIn() {
    const DelayedJob job;
    SemiMarkovReport report = analyseSemiMarkov(*job.trace, {}, {}, {});
    std::uint32_t state = none;
    for (const std::uint32_t drawn : makeSmmPicture(*job.trace, report, job.cut, {}).states)
        if (report.histories.table.states[drawn].kind == SmmState::Kind::Computation &&
            report.histories.table.states[drawn].path.size() > 1)
            state = drawn;
    QVERIFY(state != none);
    RegionId other = 0;
    while (job.trace->regions[other].isMpi() ||
           job.trace->regions[other].name == report.histories.table.states[state].path.end()[-2].function)
        ++other;
    const auto titleWith = [&](double share) {
        report.places[state] = {other, share, 1};
        const SmmPicture smm = makeSmmPicture(*job.trace, report, job.cut, {});
        const auto node = smm.nodeOf(state);
        return node ? smm.picture.nodes[*node].rows.front().front().text : QString();
    };
    QCOMPARE(titleWith(0.9), QString::fromStdString(job.trace->regions[other].name));
    QVERIFY2(titleWith(0.3) != QString::fromStdString(job.trace->regions[other].name),
             "less than half of the time names no state");
}

/// A node for each function, joined in their order; the transition leaves from the part that came last before it.
void TestSmmPicture::aStateIsSplitAtItsFunctions() {
    const DelayedJob job;
    SemiMarkovReport report = analyseSemiMarkov(*job.trace, {}, {}, {});
    const SmmPicture whole = makeSmmPicture(*job.trace, report, job.cut, {});
    std::uint32_t edge = 0;
    while (!report.histories.table.isComputation(whole.transitions[edge]))
        ++edge;
    const std::uint32_t transition = whole.transitions[edge];
    const std::uint32_t state = report.histories.table.transitions[transition].from;
    std::vector<RegionId> own;
    for (RegionId region = 0; region < job.trace->regions.size() && own.size() < 3; ++region)
        if (!job.trace->regions[region].isMpi())
            own.push_back(region);
    QCOMPARE(own.size(), std::size_t{3});
    report.places[state].parts = {{own[0], 0.2}, {own[1], 0.5}, {own[2], 0.3}};
    report.places[state].leaving = {{transition, 1}};
    const SmmPicture split = makeSmmPicture(*job.trace, report, job.cut, {});
    QCOMPARE(split.picture.nodes.size(), whole.picture.nodes.size() + 2);
    QCOMPARE(split.picture.edges.size(), whole.picture.edges.size() + 2);
    QCOMPARE(split.states.size(), split.picture.nodes.size());
    QCOMPARE(split.functions.size(), split.picture.nodes.size());
    QCOMPARE(split.transitions.size(), split.picture.edges.size());
    QCOMPARE(std::count(split.transitions.begin(), split.transitions.end(), none), std::ptrdiff_t{2});
    const std::uint32_t first = *split.nodeOf(state);
    for (std::uint32_t part = 0; part < 3; ++part) {
        QCOMPARE(split.functions[first + part], own[part]);
        QCOMPARE(split.picture.nodes[first + part].rows.front().front().text,
                 QString::fromStdString(job.trace->regions[own[part]].name));
    }
    QCOMPARE(split.picture.edges[*split.edgeOf(transition)].from, first + 1);
    for (std::size_t i = 0; i < split.picture.edges.size(); ++i)
        if (split.transitions[i] != none && report.histories.table.transitions[split.transitions[i]].to == state)
            QCOMPARE(split.picture.edges[i].to, first);
    QVERIFY(!split.isNeighbourhood());
}

/// One end for all would lie behind the whole run.
void TestSmmPicture::eachStateHasAnEndWhereRanksDidNotReturn() {
    const TracePtr trace = test::setUpJob(2, false);
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, {}, {});
    const SmmPicture smm = makeSmmPicture(*trace, report, openingCut(report), {});
    const StateTable &table = report.histories.table;
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i < smm.picture.edges.size(); ++i)
        if (smm.transitions[i] != none && table.transitions[smm.transitions[i]].to == table.notReturned)
            ends.push_back(smm.picture.edges[i].to);
    QVERIFY2(ends.size() > 1, "the stuck rank and those that wait for it did not return from the same state");
    std::sort(ends.begin(), ends.end());
    QVERIFY2(std::adjacent_find(ends.begin(), ends.end()) == ends.end(), "two states share an end");
    QCOMPARE(std::size_t(std::count(smm.states.begin(), smm.states.end(), table.notReturned)), ends.size());
    QCOMPARE(smm.states.size(), smm.picture.nodes.size());
    QCOMPARE(smm.functions.size(), smm.picture.nodes.size());
    for (const std::uint32_t end : ends)
        QCOMPARE(smm.picture.nodes[end].rows.front().front().text, QString("not returned"));
}

void TestSmmPicture::labelsNameClustersAndProbabilities() {
    const DelayedJob job;
    const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, {});
    for (const PictureEdge &edge : smm.picture.edges)
        QVERIFY2(edge.label.isEmpty() || edge.label.contains('%') || edge.label.contains("s"),
                 qPrintable("without a probability: " + edge.label)); // what all do always needs no words
    QString legend;
    for (const PictureText &remark : smm.picture.remarks)
        legend += remark.text + '\n';
    QVERIFY2(legend.contains("rank 5"), qPrintable(legend));
    QVERIFY2(legend.contains("ranks 0-4, 6-7"), qPrintable(legend));
    QString head;
    for (const PictureText &text : smm.picture.head)
        head += text.text + '\n';
    QVERIFY2(head.contains("phase 7"), qPrintable(head));
    const auto edge = smm.edgeOf(job.cut.characteristic.front().transition);
    QVERIFY2(smm.picture.edges[*edge].label.contains("others"), qPrintable(smm.picture.edges[*edge].label));
    QStringList nodes;
    for (const PictureNode &node : smm.picture.nodes)
        nodes << node.fullText;
    QVERIFY2(nodes.filter("MPI_Allreduce").size() >= 2, "the call and the code after it are two states");
}

void TestSmmPicture::labelsCutOffKeepTheUnusualCluster() {
    ClusterCut cut;
    TransitionUse use;
    for (std::uint32_t cluster = 0; cluster < 6; ++cluster) {
        cut.clusters.push_back({{cluster}, {}, {}});
        ClusterUse &each = use.uses.emplace_back();
        each.cluster = cluster;
        each.probability = 0.1 * (cluster + 1);
    }
    cut.faulty = 5;
    const QStringList lines = usesText(cut, use, std::nullopt).split('\n');
    QVERIFY2(lines.first().startsWith("F"), qPrintable(lines.first()));
    QCOMPARE(lines.last(), QString("and 3 more"));
}

void TestSmmPicture::filtersByCluster() {
    const DelayedJob job;
    SmmFilter filter;
    filter.cluster = job.cut.faulty;
    const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, filter);
    for (const PictureEdge &edge : smm.picture.edges)
        QVERIFY2(edge.label.isEmpty() || edge.label.contains("others") ||
                     edge.label.split('\n').last().startsWith(clusterLabel(*job.cut.faulty)),
                 qPrintable(edge.label));
}

void TestSmmPicture::filtersByProbability() {
    const DelayedJob job;
    SmmFilter filter;
    filter.minimum = 1.01; // more than any
    const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, filter);
    for (const std::uint32_t transition : smm.transitions)
        QVERIFY2(std::any_of(job.cut.characteristic.begin(), job.cut.characteristic.end(),
                             [&](const CharacteristicTransition &ct) { return ct.transition == transition; }),
                 "only characteristic transitions stay whatever the smallest probability is");
    QVERIFY(!smm.transitions.empty());
}

/// A chain of 1,000 states; transition 500 is the characteristic one.
void TestSmmPicture::largeModelShowsTheNeighbourhood() {
    SemiMarkovReport report;
    ClusterCut cut;
    cut.clusters.resize(1);
    cut.clusters[0].ranks = {0};
    cut.clusterOf = {0};
    StateTable &table = report.histories.table;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        SmmState state;
        state.kind = SmmState::Kind::Communication;
        state.path = {{"f" + std::to_string(i), ""}, {"MPI_Send", ""}};
        table.states.push_back(state);
        if (i == 0)
            continue;
        table.transitions.push_back({i - 1, i});
        cut.clusters[0].model.transitions.push_back({i - 1, {1, 1, 0}});
        cut.clusters[0].probabilities.push_back(1);
    }
    report.phases.phases.push_back({});
    report.phases.sets.push_back({});
    cut.faulty = 0;
    cut.characteristic = {{500, 1, 1}};
    const TracePtr trace = test::TraceBuilder(1).call(0, 1, 2, "MPI_Init").finish(10);
    const SmmPicture smm = makeSmmPicture(*trace, report, cut, {});
    QVERIFY2(smm.isNeighbourhood(), "not all of 1,000 states at once");
    QVERIFY(smm.states.size() <= mostStatesAtOnce && smm.states.size() > mostStatesAtOnce / 2);
    QVERIFY(smm.edgeOf(500));
    QVERIFY(!smm.edgeOf(10));
    QCOMPARE(smm.allStates, std::size_t{1000});
    SmmFilter filter;
    filter.centres = {10};
    QVERIFY2(makeSmmPicture(*trace, report, cut, filter).edgeOf(10), "a transition that is asked for is drawn");
    filter.allStates = true;
    QCOMPARE(makeSmmPicture(*trace, report, cut, filter).states.size(), std::size_t{1000});
}

void TestSmmPicture::cutsAnew() {
    const DelayedJob job;
    const ClusterCut one = cutAt(*job.report, 1e9, {});
    QCOMPARE(one.clusters.size(), std::size_t{1});
    QCOMPARE(one.clusters[0].ranks.size(), std::size_t{8});
    QCOMPARE(one.faulty, std::optional<std::uint32_t>(0));
    QVERIFY(one.setApart.has_value());
    QCOMPARE(one.setApart->ranks, RankSet{DelayedJob::slowRank});
    QVERIFY(!one.characteristic.empty());
    QCOMPARE(clusterText(one, 0), QString("A: ranks 0-7, has rank 5 of the verdict"));
    QCOMPARE(unusualText(one), QString("Unusual: rank 5, in cluster A (ranks 0-7)"));
    QCOMPARE(unusualName(one), QString("rank 5"));
    QVERIFY(clusterJudgement(*job.report, one).contains("do not set rank 5 apart from others of A"));
    QVERIFY2(clusterLook(one, 0).hue != unusualLook().hue, "a cluster of all ranks is not what is unusual");
    const ClusterCut all = cutAt(*job.report, 0, {});
    QCOMPARE(all.clusters.size(), job.report->hierarchy.leaves.size());
    QCOMPARE(all.clusters[*all.faulty].ranks, RankSet{DelayedJob::slowRank});
    QVERIFY(!all.setApart);
    QVERIFY(clusterJudgement(*job.report, all).isEmpty());
    SemiMarkovReport usual = *job.report;
    usual.verdict.kind = SemiMarkovVerdict::Kind::NothingUnusual;
    ClusterCut several = all;
    several.faulty.reset();
    QVERIFY(clusterJudgement(usual, several).startsWith("None of the clusters is unusual"));
    QVERIFY(clusterText(all, *all.faulty).endsWith("rank 5, unusual"));
    const ClusterCut same = cutAt(*job.report, job.report->clusterDeviation.threshold, {});
    QVERIFY(same.trained);
    QCOMPARE(same.clusterOf, job.report->clusterOf);
    // What is counted does not depend on how ranks are grouped.
    const auto counted = [](const ClusterCut &cut) {
        double sum = 0;
        for (const TransitionUse &use : transitionUses(cut))
            for (const ClusterUse &each : use.uses)
                sum += each.times.count;
        return sum;
    };
    QCOMPARE(counted(one), counted(all));
    QCOMPARE(counted(one), counted(same));
}

void TestSmmPicture::dotOpensInDot() {
    const DelayedJob job;
    const SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, {});
    const QJsonObject read = test::readByGraphviz(dotText(smm.picture));
    QVERIFY2(!read.contains("problem"), qPrintable(read["problem"].toString()));
    QCOMPARE(read["nodes"].toObject().size(), qsizetype(smm.picture.nodes.size()) + 1); // and the legend
    QCOMPARE(read["edges"].toArray().size(), qsizetype(smm.picture.edges.size()));
}

/// Functions whose names are orders to a terminal, or end a string.
void TestSmmPicture::dotOfHostileNames() {
    const DelayedJob job;
    SemiMarkovReport report = analyseSemiMarkov(*job.trace, {}, {}, {});
    const std::string name("a\0\x1b[2J\r\"]\\ \xc2\x9b\xe2\x80\xae\xff", 17);
    for (SmmState &state : report.histories.table.states)
        for (StateFrame &frame : state.path)
            frame.function = frame.site = name;
    const QByteArray dot = dotText(makeSmmPicture(*job.trace, report, job.cut, {}).picture);
    const QJsonObject read = test::readByGraphviz(dot);
    QVERIFY2(!read.contains("problem"), qPrintable(read["problem"].toString()));
    QVERIFY(QString::fromUtf8(dot).contains(QStringLiteral("a\uFFFD\uFFFD[2J \\\"]\\\\ \uFFFD\uFFFD\uFFFD")));
    for (const QChar c : QString::fromUtf8(dot))
        QVERIFY2(c == '\n' || (c.category() != QChar::Other_Control && c.category() != QChar::Other_Format), dot.constData());
}

void TestSmmPicture::exports_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("svg") << int(PictureFormat::Svg) << QByteArray("<?xml");
    QTest::newRow("png") << int(PictureFormat::Png) << QByteArray("\x89PNG");
    QTest::newRow("pdf") << int(PictureFormat::Pdf) << QByteArray("%PDF");
    QTest::newRow("dot") << int(PictureFormat::Dot) << QByteArray("digraph");
}

void TestSmmPicture::exports() {
    QFETCH(int, format);
    QFETCH(QByteArray, begin);
    const DelayedJob job;
    SmmPicture smm = makeSmmPicture(*job.trace, *job.report, job.cut, {});
    const GraphLayout layout = layOut(layoutRequest(smm.picture));
    const GraphScene scene = makeScene(smm.picture, layout);
    for (const SceneEdge &edge : scene.edges)
        if (!edge.head.isEmpty())
            QVERIFY2(scene.graph.adjusted(-1, -1, 1, 1).contains(edge.head.boundingRect()), "arrow heads lie within the graph");
    const QByteArray file = renderPicture(scene, static_cast<PictureFormat>(format));
    QVERIFY(file.startsWith(begin));
    if (static_cast<PictureFormat>(format) == PictureFormat::Svg)
        for (const char *said : {"Semi-Markov model of phase 7", "rank 5", "MPI_Allreduce"})
            QVERIFY2(file.contains(said), said);
}

QTEST_MAIN(TestSmmPicture)
#include "tst_smmpicture.moc"
