// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/TypeMisfit.h"

#include "analysis/verdict/MpiUse.h"
#include "analysis/words/MpiUseWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

struct Sent {
    std::string as;
    std::string takenAs;
};

/// Messages of rank 0 to rank 1 in rounds of 100 ticks, the receive completed by the call that posts it or, `isPosted`, by a
/// later one.
std::shared_ptr<Trace> traceOf(const std::vector<Sent> &messages, bool isPosted = false, const std::string &sender = "MPI_Send") {
    TraceBuilder builder(2);
    Tick time = 100;
    for (const Sent &message : messages) {
        builder.enterOf(0, time, sender, message.as).send(0, time, 1).leave(0, time + 10, sender);
        if (isPosted)
            builder.enterOf(1, time + 1, "MPI_Irecv", message.takenAs)
                .leave(1, time + 2, "MPI_Irecv")
                .enter(1, time + 5, "MPI_Wait")
                .receive(1, time + 20, 0)
                .leave(1, time + 20, "MPI_Wait");
        else
            builder.enterOf(1, time + 5, "MPI_Recv", message.takenAs).receive(1, time + 20, 0).leave(1, time + 20, "MPI_Recv");
        time += 100;
    }
    auto trace = std::const_pointer_cast<Trace>(builder.finish(time));
    trace->tellsOpenCalls = true;
    trace->format = "recording";
    ReceivePostings &postings = trace->locations[1].events.postings;
    for (std::uint32_t i = 0; isPosted && i < messages.size(); ++i) {
        postings.receive.push_back(i);
        postings.row.push_back(2 * i);
        postings.how.push_back(0);
    }
    return trace;
}

} // namespace

class TestTypeMisfit : public QObject {
    Q_OBJECT
  private slots:
    void messages_data() {
        QTest::addColumn<std::vector<Sent>>("messages");
        QTest::addColumn<RankSet>("ranks"); // none: nothing to say
        QTest::addColumn<QString>("says");
        const Sent whole{"MPI_INT", "MPI_INT"};
        const Sent odd{"MPI_FLOAT", "MPI_INT"};
        QTest::newRow("all fit") << std::vector{whole, whole} << RankSet{} << "";
        QTest::newRow("one does not, and its sender is odd")
            << std::vector{whole, whole, odd, whole} << RankSet{0}
            << "rank 0 sent MPI_FLOAT (MPI_Send) to rank 1, which received it as MPI_INT (MPI_Recv): the datatypes do not match";
        QTest::newRow("one does not, and its receiver is odd")
            << std::vector{whole, Sent{"MPI_INT", "MPI_FLOAT"}} << RankSet{1} << "received it as MPI_FLOAT";
        QTest::newRow("others are sent as bytes")
            << std::vector{whole, Sent{"MPI_BYTE", "MPI_BYTE"}, odd} << RankSet{0} << "received it as MPI_INT";
        QTest::newRow("none ever did") << std::vector{odd} << RankSet{0, 1} << "do not match, which MPI does not notice";
        QTest::newRow("three do not") << std::vector{odd, odd, odd} << RankSet{0, 1} << "; likewise in 2 other messages";
        QTest::newRow("bytes stand for anything") << std::vector{Sent{"MPI_BYTE", "MPI_INT"}} << RankSet{} << "";
        QTest::newRow("a sign does not count") << std::vector{Sent{"MPI_UNSIGNED", "MPI_INT"}} << RankSet{} << "";
        QTest::newRow("a type of the program's own") << std::vector{Sent{"vector", "MPI_INT"}} << RankSet{} << "";
        QTest::newRow("of which none is known") << std::vector{Sent{"MPI_INT", ""}} << RankSet{} << "";
    }

    void messages() {
        QFETCH(std::vector<Sent>, messages);
        QFETCH(RankSet, ranks);
        QFETCH(QString, says);
        for (const bool isPosted : {false, true}) {
            const auto trace = traceOf(messages, isPosted);
            const auto errors = findMpiUseErrors(*trace, true, {});
            QCOMPARE(errors.size(), std::size_t{ranks.empty() ? 0U : 1U});
            if (ranks.empty())
                continue;
            QCOMPARE(static_cast<int>(errors[0].kind), static_cast<int>(MpiUseError::Kind::OtherType));
            QCOMPARE(errors[0].ranks, ranks);
            QString what = QString::fromStdString(describe(*trace, errors[0]));
            what.replace("MPI_Irecv", "MPI_Recv");
            QVERIFY2(what.contains(says), qPrintable(what));
        }
    }

    /// A call that sends and receives has two datatypes, of which one is kept.
    void callsThatDoBoth() {
        for (const std::string both : {"MPI_Sendrecv", "MPI_Isendrecv"}) {
            TraceBuilder builder(2);
            builder.enterOf(0, 100, both, "MPI_FLOAT").send(0, 100, 1).receive(0, 130, 1).leave(0, 130, both);
            builder.enterOf(1, 100, "MPI_Send", "MPI_INT").send(1, 100, 0).leave(1, 110, "MPI_Send");
            builder.enterOf(1, 115, "MPI_Recv", "MPI_INT").receive(1, 120, 0).leave(1, 120, "MPI_Recv");
            QVERIFY2(!findTypeMisfit(*builder.finish(200), {}), both.c_str());
        }
        QVERIFY(findTypeMisfit(*traceOf({{"MPI_FLOAT", "MPI_INT"}}, false, "MPI_Isend"), {}));
    }
};

QTEST_APPLESS_MAIN(TestTypeMisfit)
#include "tst_typemisfit.moc"
