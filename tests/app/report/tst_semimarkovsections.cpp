// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlSections.h"
#include "app/report/JsonSections.h"
#include "app/report/TextSections.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QTest>

#include <sstream>

using namespace laggard;

namespace {

/// Ranks wait in MPI_Allreduce for rank 4, which is in MPI_Send. `blamed` is whom the waits lead to; the models of waiting ranks
/// are alike, so that one of them is not a cluster of its own.
struct HungJob {
    TracePtr trace;
    SemiMarkovReport models;
    nlohmann::ordered_json json;
    QString text;
    QString html;

    explicit HungJob(const RankSet &blamed) {
        test::SyntheticJob job;
        job.hangStep = 8;
        job.hangRank = 4;
        job.hangInSend = true;
        job.silence = 2'000'000;
        trace = job.build();
        SemiMarkovOptions options;
        options.leastProgressed = blamed;
        models = analyseSemiMarkov(*trace, {}, options, {});
        addPhaseSection(json, *trace, models);
        addClusterSection(json, models);
        addTransitionSections(json, *trace, models);
        std::ostringstream asText, asHtml;
        writeSemiMarkov(asText, *trace, models, {}, {true, true, true});
        writeHtmlSemiMarkov(asHtml, *trace, models, {});
        text = QString::fromStdString(asText.str()).simplified(); // lines are wrapped
        html = QString::fromStdString(asHtml.str()).simplified();
    }
    [[nodiscard]] QString faultyRanks() const {
        for (const auto &cluster : json["clusters"]["all"])
            if (cluster["id"] == json["clusters"]["faulty"])
                return QString::fromStdString(cluster["ranks"]);
        return {};
    }
    [[nodiscard]] QString characteristicRanks() const {
        for (const auto &transition : json["transitions"])
            if (transition["method"] == "characteristic")
                return QString::fromStdString(transition["ranks"]);
        return {};
    }
};

} // namespace

class TestSemiMarkovSections : public QObject {
    Q_OBJECT
  private slots:
    void aClusterOfTheVerdictsRankAlone() {
        const HungJob job({});
        QCOMPARE(job.faultyRanks(), "4");
        QVERIFY(job.json["clusters"]["set_apart"].is_null());
        QCOMPARE(job.characteristicRanks(), "4");
        QVERIFY2(job.text.contains("<< unusual"), qPrintable(job.text));
        QVERIFY(job.text.contains("What sets the unusual cluster apart:"));
        QVERIFY(!job.text.contains("The verdict's rank"));
        QVERIFY(job.html.contains("<br>unusual"));
    }

    void aVerdictsRankAmongOthersIsNamedBesideTheClusters() {
        const HungJob job({6});
        const QString others = "0-3,5-7";
        const QString sentence = "The verdict's rank 6 is in the cluster of ranks 0-3, 5-7: the cut alone does not set it apart.";
        QCOMPARE(job.faultyRanks(), others);
        const auto &apart = job.json["clusters"]["set_apart"];
        QCOMPARE(QString::fromStdString(apart["ranks"]), "6");
        QCOMPARE(apart["cluster"].get<std::uint32_t>(), job.json["clusters"]["faulty"].get<std::uint32_t>());
        QCOMPARE(QString::fromStdString(apart["by"]), "verdict");
        QCOMPARE(QString::fromStdString(apart["why"]), sentence);
        QCOMPARE(job.characteristicRanks(), "6");
        QVERIFY2(job.text.contains(sentence), qPrintable(job.text));
        QVERIFY(job.text.contains("<< has the verdict's rank") && !job.text.contains("<< unusual"));
        QVERIFY(job.text.contains("What sets rank 6 apart:"));
        QVERIFY2(job.html.contains("The verdict's rank 6 is in the cluster of") || job.html.contains("The verdict&#39;s rank 6"),
                 qPrintable(job.html));
        QVERIFY(job.html.contains("What sets rank 6 apart") && !job.html.contains("<br>unusual"));
    }
};

QTEST_APPLESS_MAIN(TestSemiMarkovSections)
#include "tst_semimarkovsections.moc"
