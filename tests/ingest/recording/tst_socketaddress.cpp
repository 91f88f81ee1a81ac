// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/SocketAddress.h"

#include <QByteArray>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstring>

using namespace laggard;

namespace {

template <typename Address> QByteArray bytesOf(const Address &address, std::size_t size = sizeof(Address)) {
    return {reinterpret_cast<const char *>(&address), static_cast<qsizetype>(size)};
}

QByteArray inet(const char *number, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    inet_pton(AF_INET, number, &address.sin_addr);
    return bytesOf(address);
}

QByteArray inet6(const char *number, std::uint16_t port) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    inet_pton(AF_INET6, number, &address.sin6_addr);
    return bytesOf(address);
}

QByteArray local(const QByteArray &name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.constData(), static_cast<std::size_t>(name.size()));
    return bytesOf(address, offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(name.size()));
}

} // namespace

class TestSocketAddress : public QObject {
    Q_OBJECT
  private slots:
    void text_data() {
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QString>("text");
        QTest::newRow("IPv4") << inet("10.0.0.3", 4711) << "10.0.0.3:4711";
        QTest::newRow("IPv6") << inet6("fe80::1", 80) << "[fe80::1]:80";
        QTest::newRow("a path") << local(QByteArray("/run/keeper\0", 12)) << "unix:/run/keeper";
        QTest::newRow("a path without end") << local("/run/keeper") << "unix:/run/keeper";
        QTest::newRow("an abstract name") << local(QByteArray("\0keeper", 7)) << "unix:@keeper";
        QTest::newRow("no name") << local({}) << "unix:";
        QTest::newRow("a name of zeros") << local(QByteArray(8, '\0')) << "unix:";
        QTest::newRow("another family") << bytesOf(sa_family_t{16}) << "family 16";
        QTest::newRow("nothing") << QByteArray() << "";
        QTest::newRow("half of a family") << QByteArray(1, '\2') << "";
        QTest::newRow("half of IPv4") << inet("10.0.0.3", 4711).left(6) << "";
        QTest::newRow("half of IPv6") << inet6("fe80::1", 80).left(20) << "";
    }
    void text() {
        QFETCH(QByteArray, address);
        QFETCH(QString, text);
        const auto *bytes = reinterpret_cast<const std::byte *>(address.constData());
        QCOMPARE(QString::fromStdString(recording::addressText({bytes, static_cast<std::size_t>(address.size())})), text);
    }
};

QTEST_APPLESS_MAIN(TestSocketAddress)
#include "tst_socketaddress.moc"
