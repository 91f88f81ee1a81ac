// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/Hosts.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;

class TestHosts : public QObject {
    Q_OBJECT
  private slots:
    void groupsByNode() {
        const auto trace = std::const_pointer_cast<Trace>(test::TraceBuilder(4).finish(9));
        trace->systemNodes = {{"n1", "node", none}, {"n2", "node", none}, {"machine", "machine", none}};
        for (const Rank rank : {0U, 2U})
            trace->processes[rank].node = 1;
        trace->processes[1].node = 0;
        trace->processes[3].node = 2;
        const std::vector<HostRanks> hosts = ranksByHost(*trace);
        QCOMPARE(hosts.size(), std::size_t{3});
        QCOMPARE(hosts[0].host, std::string("n2"));
        QVERIFY(hosts[0].ranks == RankSet({0, 2}));
        QCOMPARE(hosts[1].host, std::string("n1"));
        QVERIFY(hosts[1].ranks == RankSet({1}));
        QVERIFY2(hosts[2].host.empty(), "a rank below no node has no host");
        QVERIFY(ranksByHost(*trace, {99}).empty());
    }
};

QTEST_APPLESS_MAIN(TestHosts)
#include "tst_hosts.moc"
