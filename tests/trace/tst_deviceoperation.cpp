// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/DeviceOperation.h"

#include <QTest>

using namespace laggard;

class TestDeviceOperation : public QObject {
    Q_OBJECT

  private slots:
    void readsNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("all_reduce") << "nccl:all_reduce"
                                    << "collective Allreduce nccl:all_reduce";
        QTest::newRow("base") << "nccl:_all_gather_base"
                              << "collective Allgather nccl:_all_gather_base";
        QTest::newRow("reduce_scatter") << "ncclx:reduce_scatter_tensor_coalesced"
                                        << "collective Reduce_scatter ncclx:reduce_scatter_tensor_coalesced";
        QTest::newRow("reduce") << "xccl:reduce"
                                << "collective Reduce xccl:reduce";
        QTest::newRow("gloo") << "gloo:alltoall"
                              << "collective Alltoallv gloo:alltoall";
        QTest::newRow("unknown") << "hccl:fancy"
                                 << "collective other hccl:fancy";
        QTest::newRow("send") << "nccl:send 1->2"
                              << "send nccl:send 1 2";
        QTest::newRow("receive") << "gloo:recv 12<-3"
                                 << "receive gloo:recv 12 3";
        QTest::newRow("coalesced") << "nccl:coalesced"
                                   << "batch nccl:coalesced";
        QTest::newRow("no prefix") << "MPI_Send"
                                   << "";
        QTest::newRow("C++") << "std::sort"
                             << "";
        QTest::newRow("sentence") << "a b: c"
                                  << "";
    }

    void readsNames() {
        QFETCH(const QString, name);
        QFETCH(const QString, expected);
        const std::string text = name.toStdString();
        const auto operation = deviceOperation(text);
        using Kind = DeviceOperation::Kind;
        QString got;
        if (operation) {
            const auto word = [](std::string_view view) {
                return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
            };
            got = operation->kind == Kind::Collective ? "collective " + word(laggard::name(operation->operation)) + ' '
                  : operation->kind == Kind::Send     ? QString("send ")
                  : operation->kind == Kind::Receive  ? QString("receive ")
                                                      : QString("batch ");
            got += word(operation->name);
            if (operation->own != none)
                got += QString(" %1 %2").arg(operation->own).arg(operation->peer);
        }
        QCOMPARE(got, expected);
    }
};

QTEST_APPLESS_MAIN(TestDeviceOperation)
#include "tst_deviceoperation.moc"
