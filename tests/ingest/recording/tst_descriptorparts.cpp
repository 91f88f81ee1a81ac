// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/DescriptorParts.h"

#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cstring>

using namespace laggard;
using recording::Record;
using recording::RecordKind;

namespace {

/// An IPv6 address, which takes two parts: 28 bytes, of which `in` are in the first.
struct Parts {
    std::array<std::uint64_t, 4> first{};
    std::array<std::uint64_t, 4> second{};
    std::size_t in = 24;

    Parts() {
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        address.sin6_port = htons(80);
        address.sin6_addr.s6_addr[15] = 1;
        const auto *bytes = reinterpret_cast<const char *>(&address);
        first[0] = in;
        second[0] = sizeof address - in;
        std::memcpy(&first[1], bytes, in);
        std::memcpy(&second[1], bytes + in, sizeof address - in);
    }
    [[nodiscard]] Record begin() const { return {RecordKind::AddressPart, 0, first.data(), 4}; }
    [[nodiscard]] Record rest() const { return {RecordKind::AddressPart, static_cast<std::uint32_t>(in), second.data(), 2}; }
};

} // namespace

class TestDescriptorParts : public QObject {
    Q_OBJECT
  private slots:
    void anAddressOfTwoParts() {
        const Parts address;
        recording::DescriptorParts parts;
        parts.add(address.begin(), 4, 3);
        parts.add(address.rest(), 4, 3);
        const DescriptorDetails details = parts.finish();
        QCOMPARE(details.addressOf(4), std::string_view("[::1]:80"));
        QVERIFY(details.addressOf(3).empty());
    }

    void equalAddressesAreKeptOnce() {
        const Parts address;
        recording::DescriptorParts parts;
        for (const std::uint32_t row : {4U, 9U, 2U}) {
            parts.add(address.begin(), row, 3);
            parts.add(address.rest(), row, 3);
        }
        const DescriptorDetails details = parts.finish();
        QCOMPARE(details.texts.size(), std::size_t{1});
        for (const std::uint32_t row : {2U, 4U, 9U})
            QCOMPARE(details.addressOf(row), std::string_view("[::1]:80"));
    }

    /// The ring has turned, or the rest never came.
    void halfAnAddressIsNone() {
        const Parts address;
        recording::DescriptorParts withoutBegin, withoutRest, ofTwoCalls;
        withoutBegin.add(address.rest(), 4, 3);
        withoutRest.add(address.begin(), 4, 3);
        ofTwoCalls.add(address.begin(), 4, 3);
        ofTwoCalls.add(address.rest(), 5, 3);
        // What is there of it is the whole number but for its last bytes, which need not be zero.
        QVERIFY(withoutBegin.finish().addresses.empty());
        QVERIFY(withoutRest.finish().addressOf(5).empty());
        QVERIFY(ofTwoCalls.finish().addressOf(5).empty());
    }

    void aLengthThatIsNotTrue() {
        std::array<std::uint64_t, 2> words{UINT64_MAX, AF_INET};
        recording::DescriptorParts parts;
        parts.add({RecordKind::AddressPart, 0, words.data(), 2}, 1, 3);
        words[0] = 0;
        parts.add({RecordKind::AddressPart, 0, words.data(), 1}, 2, 3);
        parts.add({RecordKind::AddressPart, 0, words.data(), 0}, 3, 3);
        const DescriptorDetails details = parts.finish();
        QCOMPARE(details.addressOf(1), std::string_view("0.0.0.0:0")); // the eight bytes that are there
        QVERIFY(details.addressOf(2).empty() && details.addressOf(3).empty());
    }

    void wordsOfAnEpoll() {
        recording::DescriptorParts parts;
        const std::array<std::uint64_t, 4> found{77, 1, 88, 5};
        parts.watch(6, 77, 20, true);
        parts.watch(5, 88, 21, true); // another epoll's
        parts.add({RecordKind::ReadyWords, 0, found.data(), found.size()}, 1, 6);
        parts.watch(6, 78, 20, true); // the word is changed
        parts.add({RecordKind::ReadyWords, 0, found.data(), found.size()}, 2, 6);
        parts.watch(5, 0, 21, false);
        parts.add({RecordKind::ReadyWords, 0, found.data(), 3}, 3, 5); // an odd number of words
        const DescriptorDetails details = parts.finish();
        const auto descriptors = [&](std::uint32_t row) {
            QList<int> result;
            for (const DescriptorDetails::Ready &ready : details.readyOf(row))
                result << ready.descriptor;
            return result;
        };
        QCOMPARE(descriptors(1), (QList<int>{20, -1}));
        QCOMPARE(descriptors(2), (QList<int>{-1, -1}));
        QCOMPARE(descriptors(3), QList<int>{-1});
        QCOMPARE(details.readyOf(1)[1].events, std::uint32_t{5});
    }
};

QTEST_APPLESS_MAIN(TestDescriptorParts)
#include "tst_descriptorparts.moc"
