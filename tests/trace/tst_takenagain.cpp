// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/TakenAgain.h"

#include <QTest>

#include <random>

using namespace laggard;

namespace {

using Contents = std::vector<std::uint32_t>;

Contents numbers(const QList<unsigned> &list) { return {list.begin(), list.end()}; }

} // namespace

class TestTakenAgain : public QObject {
    Q_OBJECT

  private slots:
    void findsTheCopy_data() {
        QTest::addColumn<QList<unsigned>>("sent");
        QTest::addColumn<QList<unsigned>>("received");
        QTest::addColumn<int>("copy"); ///< which receive; -1: none
        using List = QList<unsigned>;
        QTest::newRow("as sent") << List{5, 6, 7, 8} << List{5, 6, 7, 8} << -1;
        QTest::newRow("the second twice") << List{5, 6, 7, 8} << List{5, 6, 6, 7} << 2;
        QTest::newRow("the first twice") << List{5, 6, 7, 8} << List{5, 5, 6, 7} << 1;
        QTest::newRow("then the job hangs") << List{5, 6, 7, 8} << List{5, 6, 6} << 2;
        QTest::newRow("before the next was sent") << List{5, 6} << List{5, 6, 6} << 2;
        QTest::newRow("equal to the one before") << List{5, 6, 6, 8} << List{5, 6, 6, 6} << 3;
        QTest::newRow("not known afterwards") << List{5, 6, 7, 8} << List{5, 6, 6, 0} << 2;
        QTest::newRow("something else, much later") << List{5, 6, 7, 8, 9, 1} << List{5, 5, 6, 7, 3, 9} << 1;
        QTest::newRow("something else at once") << List{5, 6, 7, 8, 9} << List{5, 5, 6, 3, 8} << -1;
        QTest::newRow("the send is not known") << List{5, 0, 7, 8} << List{5, 6, 6, 7} << -1;
        QTest::newRow("one is lost") << List{5, 6, 7, 8} << List{5, 7, 8} << -1;
        QTest::newRow("another order") << List{5, 6, 7, 8} << List{5, 7, 6, 8} << -1;
        QTest::newRow("changed on the way") << List{5, 6, 7, 8} << List{5, 6, 9, 8} << -1;
        QTest::newRow("lost or twice") << List{5, 6, 5, 6} << List{5, 5} << -1;
        QTest::newRow("equal ones in another order") << List{5, 6, 5, 5} << List{5, 5, 6, 5} << -1;
        QTest::newRow("nothing is known of sends") << List{0, 0, 0} << List{5, 5, 5} << -1;
        QTest::newRow("more receives than sends, unknown") << List{5, 6} << List{5, 6, 0} << -1;
        QTest::newRow("nothing") << List{} << List{} << -1;
        QTest::newRow("never sent") << List{} << List{5, 5} << -1;
    }
    void findsTheCopy() {
        QFETCH(QList<unsigned>, sent);
        QFETCH(QList<unsigned>, received);
        QFETCH(int, copy);
        const std::optional<std::size_t> found = firstTakenAgain(numbers(sent), numbers(received));
        QCOMPARE(found ? static_cast<int>(*found) : -1, copy);
    }

    /// Messages of few different contents: the copy that is found makes the rest fit, and where contents differ it is the true
    /// one.
    void randomChannels() {
        std::mt19937 random(3);
        int exact = 0;
        for (int round = 0; round < 2000; ++round) {
            const std::size_t messages = 2 + random() % 12;
            const std::uint32_t kinds = round % 2 == 0 ? 1000000 : 3;
            Contents sent;
            for (std::size_t i = 0; i < messages; ++i)
                sent.push_back(1 + random() % kinds);
            const std::size_t repeated = random() % messages;
            Contents received = sent;
            received.insert(received.begin() + static_cast<std::ptrdiff_t>(repeated), sent[repeated]);
            received.resize(1 + random() % received.size());
            const std::optional<std::size_t> found = firstTakenAgain(sent, received);
            if (kinds > 3) {
                QCOMPARE(found.has_value(), received.size() > repeated + 1);
                if (found)
                    QCOMPARE(*found, repeated + 1);
                exact += found ? 1 : 0;
            } else if (found) {
                Contents rest = received;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(*found));
                QVERIFY(std::equal(rest.begin(), rest.end(), sent.begin()));
                QVERIFY(received[*found] == received[*found - 1]);
            }
        }
        QVERIFY2(exact > 100, "hardly any channel had its copy received");
    }

    void whoHasTakenAllHasNoCopy_data() {
        QTest::addColumn<ProcessEnd::Kind>("end");
        QTest::addColumn<unsigned>("receives");
        QTest::addColumn<Rank>("leftOverOf"); ///< none: nothing
        QTest::addColumn<bool>("can");
        QTest::newRow("ended, all taken") << ProcessEnd::Kind::Exited << 3U << Rank{none} << false;
        QTest::newRow("ended, one left over") << ProcessEnd::Kind::Exited << 3U << Rank{0} << true;
        QTest::newRow("ended, one of another rank left over") << ProcessEnd::Kind::Exited << 3U << Rank{2} << false;
        QTest::newRow("ended, one more taken") << ProcessEnd::Kind::Exited << 4U << Rank{none} << true;
        QTest::newRow("hangs") << ProcessEnd::Kind::Killed << 3U << Rank{none} << true;
    }
    void whoHasTakenAllHasNoCopy() {
        QFETCH(ProcessEnd::Kind, end);
        QFETCH(unsigned, receives);
        QFETCH(Rank, leftOverOf);
        QFETCH(bool, can);
        Process receiver;
        receiver.end.kind = end;
        if (leftOverOf != none)
            receiver.leftOver.push_back({leftOverOf, 0, 7, 1, 4, 0});
        QCOMPARE(canHaveTakenAgain(receiver, 0, 0, 3, receives), can);
        receiver.eventsFrom = 5; // counts are not known then
        QVERIFY(canHaveTakenAgain(receiver, 0, 0, 3, receives));
    }
};

QTEST_APPLESS_MAIN(TestTakenAgain)
#include "tst_takenagain.moc"
