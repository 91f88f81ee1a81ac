// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/OperationText.h"

#include <QTest>

using namespace laggard;
using namespace laggard::otf2;

class TestOperationText : public QObject {
    Q_OBJECT
  private slots:
    /// An open collective comes back as it was written, whatever its name.
    void openCollectives_data() {
        QTest::addColumn<int>("operation");
        for (int i = 0; i <= static_cast<int>(CollectiveOperation::Other); ++i)
            QTest::newRow(std::string(name(static_cast<CollectiveOperation>(i))).c_str()) << i;
    }
    void openCollectives() {
        QFETCH(int, operation);
        OpenParts parts;
        parts.isCollective = true;
        parts.collective.operation = static_cast<CollectiveOperation>(operation);
        parts.collective.communicator = 2;
        parts.collective.root = 1;
        parts.collective.nonBlocking = true;
        parts.collectiveNumber = 7;
        IdMap communicators;
        communicators.insert(2, 2);
        const Limits limits{.communicators = communicators, .ranks = 4};
        const std::optional<OpenParts> read = openParts(textOf(parts), limits);
        QVERIFY2(read && read->isCollective, textOf(parts).c_str());
        QVERIFY2(read->collective == parts.collective, textOf(parts).c_str());
        QCOMPARE(read->collectiveNumber, 7U);
    }

    /// What a call says of the communicator that it makes comes back.
    void makings_data() {
        QTest::addColumn<bool>("isOfTwo");
        QTest::addColumn<bool>("isTextTag");
        QTest::newRow("of a group") << false << false;
        QTest::newRow("of a group, with a text") << false << true;
        QTest::newRow("of two groups") << true << false;
    }
    void makings() {
        QFETCH(bool, isOfTwo);
        QFETCH(bool, isTextTag);
        CommunicatorMaking making{.communicator = 2, .tag = 4000000000U, .isTextTag = isTextTag};
        if (isOfTwo) {
            making.ownLeader = 1;
            making.otherLeader = 3;
        } else {
            making.group = 0xFEDCBA9876543210;
        }
        OpenParts parts;
        parts.making = making;
        IdMap communicators;
        communicators.insert(2, 2);
        const std::optional<OpenParts> read = openParts(textOf(parts), {.communicators = communicators, .ranks = 4});
        QVERIFY2(read && read->making, textOf(parts).c_str());
        QVERIFY2(*read->making == making, textOf(parts).c_str());
    }

    /// Earlier archives had a blank in these names, so that the rest of them was lost.
    void namesWithABlank() {
        IdMap communicators;
        communicators.insert(0, 0);
        const Limits limits{.communicators = communicators};
        const auto read = openParts("collective operation=create handle communicator=0 root=- sent=0 received=0", limits);
        QVERIFY(read && read->collective.operation == CollectiveOperation::CreateHandle);
    }
};

QTEST_APPLESS_MAIN(TestOperationText)
#include "tst_operationtext.moc"
