// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ReceiveOrder.h"

#include <QTest>

using namespace laggard;
using laggard::recording::ReceiveOrder;

class TestReceiveOrder : public QObject {
    Q_OBJECT

  private slots:
    void blockingReceivesAreInOrder() {
        ReceiveOrder order;
        for (int i = 0; i < 3; ++i)
            QVERIFY(order.isNext(0, channel));
    }

    void requestsInTheirOrder() {
        ReceiveOrder order;
        for (std::uint64_t request = 1; request <= 3; ++request)
            order.posted(request, channel, false);
        for (std::uint64_t request = 1; request <= 3; ++request)
            QVERIFY(order.isNext(request, channel));
    }

    void anotherOrder() {
        ReceiveOrder order;
        for (std::uint64_t request = 1; request <= 4; ++request)
            order.posted(request, channel, false);
        QVERIFY(order.isNext(1, channel));
        QVERIFY(!order.isNext(3, channel));
        QVERIFY(!order.isNext(2, channel));
        QVERIFY2(order.isNext(4, channel), "all before it are complete");
    }

    void aBlockingOneBeforeWhatWasPosted() {
        ReceiveOrder order;
        order.posted(1, channel, false);
        QVERIFY(!order.isNext(0, channel));
        QVERIFY(!order.isNext(1, channel));
    }

    void otherChannelsDoNotMatter() {
        ReceiveOrder order;
        order.posted(1, channel, false);
        order.posted(2, {3, 0, 8, 4}, false);
        QVERIFY(order.isNext(2, {3, 0, 8, 4}));
        QVERIFY(order.isNext(1, channel));
    }

    void ofAnybody() {
        ReceiveOrder order;
        order.posted(1, {}, true);
        QVERIFY(order.isNext(1, channel));
        order.posted(2, {}, true);
        order.posted(3, {}, true);
        QVERIFY2(!order.isNext(3, channel), "the other may have been meant for the same");
        QVERIFY(order.isNext(2, channel));
        order.posted(4, {}, true);
        QVERIFY(!order.isNext(0, channel));
    }

    /// Posted before the records begin, or taken by a matched probe.
    void unknownRequests() {
        ReceiveOrder order;
        QVERIFY(!order.isNext(7, channel));
    }

  private:
    const Envelope channel{3, 0, 7, 4};
};

QTEST_APPLESS_MAIN(TestReceiveOrder)
#include "tst_receiveorder.moc"
