// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MessageMatching.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

using namespace laggard;
using Fate = MessageMatching::Fate;

namespace {

constexpr CommunicatorId world = 0;
constexpr CommunicatorId row = 1;

/// A receive from any sender, with any tag.
PostedReceive anything(CommunicatorId communicator = world) { return {none, communicator, 0, true}; }
PostedReceive ofAny(std::uint32_t tag) { return {none, world, tag, false}; }
PostedReceive anyTagOf(Rank from) { return {from, world, 0, true}; }
PostedReceive of(Rank from, std::uint32_t tag = 0, CommunicatorId communicator = world) {
    return {from, communicator, tag, false};
}

/// Messages of a sender.
struct Sent {
    Rank from;
    std::uint32_t tag = 0;
    std::uint64_t messages = 1;
    std::uint64_t held = 0;
    CommunicatorId communicator = world;
};

/// Rank 0 of eight has posted receives; the others have sent.
JobState stateOf(const std::vector<PostedReceive> &posted, const std::vector<Sent> &sent) {
    JobState state;
    state.tasks.resize(8);
    state.unreceived.resize(8);
    state.tasks[0].posted = posted;
    for (const Sent &each : sent)
        state.unreceived[each.from].push_back({0, each.communicator, each.tag, each.messages, 8, each.held});
    for (std::vector<MessageCount> &counts : state.unreceived)
        std::ranges::sort(counts, {}, [](const MessageCount &c) { return std::tuple(c.peer, c.communicator, c.tag); });
    return state;
}

/// One letter for each receive: M(issing), C(ontested), H(eld), T(here).
QString letters(const std::vector<Fate> &fates) {
    QString text;
    for (const Fate fate : fates)
        text += fate == Fate::Missing ? 'M' : fate == Fate::Contested ? 'C' : fate == Fate::Held ? 'H' : 'T';
    return text;
}

/// Messages that are left, "2x1#5 (1)": two of rank 1 with tag 5, of which a receive may have taken one.
QString leftOver(const MessageMatching &matching) {
    QStringList parts;
    for (const MessageMatching::Channel &left : matching.leftOver(0))
        parts << QString("%1x%2#%3").arg(left.messages()).arg(left.from).arg(left.tag) +
                     (left.claimed == 0 ? QString() : QString(" (%1)").arg(left.claimed));
    return parts.join(", ");
}

/// Every way in which the receives, in order, may take the messages: for each receive, whether it got none, one that is held,
/// one that is not. Messages of one channel are taken in their order, those that are held last.
class Enumeration {
  public:
    Enumeration(const std::vector<PostedReceive> &posted, std::vector<Sent> sent)
        : outcomes(posted.size()), m_posted(posted), m_sent(std::move(sent)) {
        take(0);
    }
    std::vector<std::set<char>> outcomes;

  private:
    void take(std::size_t i) {
        if (i == m_posted.size())
            return;
        bool isServed = false;
        for (Sent &channel : m_sent) {
            if (channel.messages == 0 || !asksFor(m_posted[i], channel.from, channel.communicator, channel.tag))
                continue;
            isServed = true;
            const bool isHeld = channel.messages == channel.held;
            outcomes[i].insert(isHeld ? 'H' : 'T');
            --channel.messages;
            channel.held -= isHeld ? 1 : 0;
            take(i + 1);
            ++channel.messages;
            channel.held += isHeld ? 1 : 0;
        }
        if (!isServed) {
            outcomes[i].insert('M');
            take(i + 1);
        }
    }
    const std::vector<PostedReceive> &m_posted;
    std::vector<Sent> m_sent;
};

} // namespace

class TestMessageMatching : public QObject {
    Q_OBJECT
  private slots:
    void fates_data() {
        QTest::addColumn<std::vector<PostedReceive>>("posted");
        QTest::addColumn<std::vector<Sent>>("sent");
        QTest::addColumn<QString>("fates");
        QTest::addColumn<QString>("left");
        using R = std::vector<PostedReceive>;
        using S = std::vector<Sent>;
        QTest::newRow("nothing was sent") << R{of(1), anything()} << S{} << "MM"
                                          << "";
        QTest::newRow("nothing was posted") << R{} << S{{1, 5}} << ""
                                            << "1x1#5";
        QTest::newRow("just what is asked for") << R{of(1, 5)} << S{{1, 5}} << "T"
                                                << "";
        QTest::newRow("another sender") << R{of(1, 5)} << S{{2, 5}} << "M"
                                        << "1x2#5";
        QTest::newRow("another tag") << R{of(1, 5)} << S{{1, 6}} << "M"
                                     << "1x1#6";
        QTest::newRow("another communicator") << R{of(1, 5, row)} << S{{1, 5}} << "M"
                                              << "1x1#5";
        QTest::newRow("any tag, another communicator") << R{anything(row)} << S{{1, 5}} << "M"
                                                       << "1x1#5";
        QTest::newRow("one for two: the first has it") << R{of(1), of(1)} << S{{1}} << "TM"
                                                       << "";
        QTest::newRow("two for one") << R{of(1)} << S{{1, 0, 2}} << "T"
                                     << "1x1#0";
        QTest::newRow("any source takes the only one") << R{ofAny(5), of(1, 5)} << S{{1, 5}} << "TM"
                                                       << "";
        QTest::newRow("the named one was posted first") << R{of(1, 5), ofAny(5)} << S{{1, 5}} << "TM"
                                                        << "";
        QTest::newRow("any tag takes the only one") << R{anyTagOf(1), of(1, 5)} << S{{1, 5}} << "TM"
                                                    << "";
        QTest::newRow("which one any source takes is not known") << R{ofAny(5), of(1, 5), of(2, 5)} << S{{1, 5}, {2, 5}} << "TCC"
                                                                 << "1x1#5 (1), 1x2#5 (1)";
        QTest::newRow("the named one before leaves the other") << R{of(1, 5), ofAny(5)} << S{{1, 5}, {2, 5}} << "TT"
                                                               << "1x2#5 (1)";
        QTest::newRow("enough for all") << R{ofAny(5), of(1, 5)} << S{{1, 5, 2}, {2, 5}} << "TT"
                                        << "1x1#5 (1), 1x2#5 (1)";
        QTest::newRow("as many of any source as are there") << R{ofAny(5), ofAny(5)} << S{{1, 5}, {2, 5}} << "TT"
                                                            << "1x1#5 (1), 1x2#5 (1)";
        QTest::newRow("one more of any source than are there") << R{ofAny(5), ofAny(5), ofAny(5)} << S{{1, 5}, {2, 5}} << "TTM"
                                                               << "1x1#5 (1), 1x2#5 (1)";
        QTest::newRow("different wildcards take all there is")
            << R{ofAny(5), ofAny(5), ofAny(6), ofAny(6), anything()} << S{{1, 5}, {2, 5}, {1, 6}, {2, 6}} << "TTTTM"
            << "1x1#5 (1), 1x1#6 (1), 1x2#5 (1), 1x2#6 (1)";
        QTest::newRow("different wildcards leave one")
            << R{ofAny(5), ofAny(6), anything()} << S{{1, 5}, {2, 5}, {1, 6}, {2, 6}} << "TTT"
            << "1x1#5 (1), 1x1#6 (1), 1x2#5 (1), 1x2#6 (1)";
        QTest::newRow("the loser of a contest leaves one") << R{ofAny(5), of(1, 5), ofAny(5)} << S{{1, 5}, {2, 5}} << "TCC"
                                                           << "1x1#5 (1), 1x2#5 (1)";
        QTest::newRow("its sender is still in the call") << R{of(1, 5)} << S{{1, 5, 1, 1}} << "H"
                                                         << "";
        QTest::newRow("the earlier one is on its way") << R{of(1, 5), of(1, 5)} << S{{1, 5, 2, 1}} << "TH"
                                                       << "";
        QTest::newRow("a held one is left over") << R{of(1, 6)} << S{{1, 5, 1, 1}} << "M"
                                                 << "1x1#5";
        QTest::newRow("several alike at once") << R{{1, world, 5, false, 3}} << S{{1, 5, 2}} << "M"
                                               << "";
        QTest::newRow("several alike, and enough") << R{{1, world, 5, false, 2}, of(1, 5)} << S{{1, 5, 3}} << "TT"
                                                   << "";
    }

    void fates() {
        QFETCH(std::vector<PostedReceive>, posted);
        QFETCH(std::vector<Sent>, sent);
        const MessageMatching matching(stateOf(posted, sent));
        QTEST(letters(matching.fates(0)), "fates");
        QTEST(leftOver(matching), "left");
    }

    void senderIsDoneWith_data() {
        QTest::addColumn<std::vector<PostedReceive>>("posted");
        QTest::addColumn<std::vector<Sent>>("sent");
        QTest::addColumn<bool>("isTaken"); // rank 1's with tag 5
        using R = std::vector<PostedReceive>;
        using S = std::vector<Sent>;
        QTest::newRow("by its receive") << R{of(1, 5)} << S{{1, 5}} << true;
        QTest::newRow("maybe by any source") << R{ofAny(5)} << S{{1, 5}, {2, 5}} << true;
        QTest::newRow("one of two") << R{of(1, 5)} << S{{1, 5, 2}} << false;
        QTest::newRow("by no receive") << R{of(1, 6)} << S{{1, 5}} << false;
        QTest::newRow("it sent none") << R{of(1, 6)} << S{{2, 5}} << true;
    }

    void senderIsDoneWith() {
        QFETCH(std::vector<PostedReceive>, posted);
        QFETCH(std::vector<Sent>, sent);
        QTEST(MessageMatching(stateOf(posted, sent)).isAllTaken(1, 0, world, 5), "isTaken");
    }

    /// Without what was posted, the open call says what it expects.
    void expectedReceivesStandForPostedOnes() {
        JobState state = stateOf({}, {{1, 5}, {2, 5}});
        state.tasks[0].open.receives = {{1, world, 5, false, 1}, {3, world, 5, false, 1}};
        const MessageMatching matching(state);
        QCOMPARE(letters(matching.fates(0)), QString("TM"));
        QVERIFY(matching.posted(0)[0].isAwaited);
        QCOMPARE(leftOver(matching), QString("1x2#5"));
    }

    /// A dump may name ranks that are not there, hold one channel twice, or more messages held than there are.
    void oddCounts() {
        JobState state = stateOf({of(1, 5), of(1, 5)}, {{1, 5, 1, 9}, {1, 5}});
        state.unreceived[1].push_back({100, world, 5, 1, 8});
        state.unreceived[1].push_back({none, none, 5, 1, 8});
        const MessageMatching matching(state);
        QCOMPARE(letters(matching.fates(0)), QString("TH"));
        QVERIFY(matching.leftOver(0).empty());
    }

    /// What is said for certain holds in every way in which the messages may be taken.
    void agreesWithEveryWay() {
        std::mt19937 random(7);
        const auto upTo = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
        int certain = 0;
        int all = 0;
        for (int round = 0; round < 3000; ++round) {
            std::vector<Sent> sent;
            for (Rank from = 1; from <= 3; ++from)
                for (std::uint32_t tag = 0; tag < 2; ++tag)
                    if (const std::uint64_t messages = upTo(2); messages != 0)
                        sent.push_back({from, tag, messages, std::min<std::uint64_t>(messages, upTo(3) == 0 ? 1 : 0)});
            std::vector<PostedReceive> posted(1 + upTo(4));
            for (PostedReceive &receive : posted)
                receive = {upTo(2) == 0 ? Rank{none} : 1 + upTo(2), world, upTo(1), upTo(2) == 0};
            const std::vector<Fate> fates = MessageMatching(stateOf(posted, sent)).fates(0);
            const Enumeration every(posted, sent);
            for (std::size_t i = 0; i < posted.size(); ++i) {
                const std::set<char> &may = every.outcomes[i];
                const QByteArray where = QString("round %1, receive %2").arg(round).arg(i).toUtf8();
                if (fates[i] == Fate::Missing)
                    QVERIFY2(may == std::set<char>{'M'}, where);
                else if (fates[i] == Fate::There || fates[i] == Fate::Held)
                    QVERIFY2(!may.contains('M'), where);
                if (may == std::set<char>{'M'})
                    QVERIFY2(fates[i] == Fate::Missing || fates[i] == Fate::Contested, where);
                const bool isPlain =
                    std::ranges::none_of(posted, [](const PostedReceive &r) { return r.from == none || r.anyTag; });
                if (isPlain) // then nothing is in doubt
                    QCOMPARE(letters({fates[i]}), QString(QChar(*may.begin())));
                certain += fates[i] == Fate::Contested ? 0 : 1;
                ++all;
            }
        }
        QVERIFY2(certain > all * 3 / 4, qPrintable(QString("%1 of %2 are certain").arg(certain).arg(all)));
    }

    void numbersOfRanksDoNotMatter() {
        std::mt19937 random(11);
        for (int round = 0; round < 500; ++round) {
            std::vector<Sent> sent;
            for (Rank from = 1; from <= 4; ++from)
                if (const std::uint64_t messages = random() % 3; messages != 0)
                    sent.push_back({from, static_cast<std::uint32_t>(random() % 2), messages, random() % (messages + 1)});
            std::vector<PostedReceive> posted(1 + random() % 5);
            for (PostedReceive &receive : posted)
                receive = {random() % 3 == 0 ? Rank{none} : static_cast<Rank>(1 + random() % 4), world,
                           static_cast<std::uint32_t>(random() % 2), random() % 3 == 0};
            const QString before = letters(MessageMatching(stateOf(posted, sent)).fates(0));
            std::vector<Rank> other{0, 1, 2, 3, 4};
            std::shuffle(other.begin() + 1, other.end(), random);
            for (Sent &each : sent)
                each.from = other[each.from];
            for (PostedReceive &receive : posted)
                receive.from = receive.from == none ? Rank{none} : other[receive.from];
            QCOMPARE(letters(MessageMatching(stateOf(posted, sent)).fates(0)), before);
        }
    }
};

QTEST_APPLESS_MAIN(TestMessageMatching)
#include "tst_messagematching.moc"
