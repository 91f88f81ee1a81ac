// SPDX-License-Identifier: GPL-3.0-or-later
// The slice goes on at those who have sent a value, and at nobody else.
#include "slice/Slice.h"

#include <QTest>

#include <fstream>

using namespace laggard;

namespace {

/// programs/epochs.c, in which one function sends and one receives for two epochs.
std::uint32_t lineOf(const std::string &mark) {
    std::ifstream file(std::string(LAGGARD_SLICE_PROGRAMS) + "/epochs.c");
    std::string text;
    for (std::uint32_t line = 1; std::getline(file, text); ++line)
        if (text.ends_with("@" + mark) && !text.starts_with("//"))
            return line;
    return 0;
}

SourcePlace at(const char *function, const char *mark) { return {function, "epochs.c", lineOf(mark)}; }

MatchedMessage message(const char *to, const char *by, const char *from, const char *sent) {
    return {"p2p", to, {at("take", "R"), at("main", by)}, from, {at("give", "S"), at("main", sent)}, 1};
}

std::vector<SliceStep> sliceWith(const std::vector<MatchedMessage> &messages, std::size_t keptApart = SliceOptions().keptApart) {
    SliceOptions options;
    options.keptApart = keptApart;
    options.limit = std::chrono::minutes(10);
    return sliceBackward({std::string(LAGGARD_SLICE_BITCODE) + "/epochs.c.bc"}, {{"1,3", {at("main", "0")}, {}}}, messages,
                         options)
        .steps;
}

} // namespace

class tst_Senders : public QObject {
    Q_OBJECT

  private slots:
    void sendersAreJoined_data() {
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("third");
        QTest::addColumn<QString>("along");
        QTest::addColumn<QString>("ranks");
        QTest::addColumn<QString>("words");
        QTest::newRow("one stack") << "2"
                                   << "4"
                                   << "G2"
                                   << "0,2,4"
                                   << "from ranks 0, 2 and 4, which sent it at epochs.c:";
        QTest::newRow("one line, two stacks") << "2"
                                              << "4"
                                              << "G4"
                                              << "0,2,4"
                                              << "from ranks 0, 2 and 4, which sent it at epochs.c:";
        QTest::newRow("one after the other") << "4"
                                             << "5-7"
                                             << "G2"
                                             << "0,4-7"
                                             << "from ranks 0 and 4-7, which";
        QTest::newRow("one of them is not known") << "2"
                                                  << ""
                                                  << "G2"
                                                  << ""
                                                  << "from another rank, which";
    }

    /// Each who has sent from a line is named in one step.
    void sendersAreJoined() {
        QFETCH(QString, second);
        QFETCH(QString, third);
        QFETCH(QString, along);
        QFETCH(QString, ranks);
        QFETCH(QString, words);
        const auto steps = sliceWith({message("1", "B", "0", "G2"), message("3", "B", second.toUtf8(), "G2"),
                                      message("1", "B", third.toUtf8(), along.toUtf8())});
        int found = 0;
        for (const auto &step : steps) {
            if (step.why != Why::Message)
                continue;
            ++found;
            QCOMPARE(QString::fromStdString(step.ranks), ranks);
            QVERIFY2(step.detail.find(words.toStdString()) != std::string::npos, step.detail.c_str());
        }
        QCOMPARE(found, 1);
    }

    void anotherEpoch_data() {
        QTest::addColumn<QString>("taken");
        QTest::addColumn<bool>("counts");
        QTest::addColumn<std::size_t>("keptApart");
        const std::size_t usual = SliceOptions().keptApart;
        QTest::newRow("the one that was") << "B" << true << usual;
        QTest::newRow("another") << "A" << false << usual;
        QTest::newRow("the one that was, asked together") << "B" << true << std::size_t{0};
        QTest::newRow("another, asked together") << "A" << false << std::size_t{0};
    }

    /// A match that came by another call of the function that receives says nothing about this one.
    void anotherEpoch() {
        QFETCH(QString, taken);
        QFETCH(bool, counts);
        QFETCH(std::size_t, keptApart);
        bool found = false;
        for (const auto &step : sliceWith({message("1", taken.toUtf8(), "0", "G2")}, keptApart))
            found = found || step.why == Why::Message;
        QCOMPARE(found, counts);
    }
};

QTEST_APPLESS_MAIN(tst_Senders)
#include "tst_senders.moc"
