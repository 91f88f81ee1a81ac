// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/MpiObjects.h"

#include <QTest>

#include <cstring>
#include <map>
#include <random>

using namespace laggard::attach;

namespace {

/// Pages that were written to, and nothing else.
class Image : public Memory {
  public:
    template <typename Value> void put(std::uint64_t address, Value value) {
        unsigned char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        for (std::size_t i = 0; i < sizeof value; ++i)
            m_bytes[address + i] = bytes[i];
    }
    void reserve(std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t at = begin; at < end; ++at)
            m_bytes.try_emplace(at, 0);
    }
    [[nodiscard]] std::size_t read(std::uint64_t address, void *into, std::size_t size) const override {
        auto *bytes = static_cast<unsigned char *>(into);
        auto at = m_bytes.find(address);
        std::size_t done = 0;
        for (; done < size && at != m_bytes.end() && at->first == address + done; ++done, ++at)
            bytes[done] = at->second;
        return done;
    }

  private:
    std::map<std::uint64_t, unsigned char> m_bytes;
};

constexpr std::uint64_t data = 0x7f0000000000;
constexpr std::uint64_t dataEnd = data + 0x6000;
const std::string maps = "7f0000000000-7f0000006000 rw-p 00000000 08:01 42   /usr/lib/libmpich.so.12.2.2\n";

/// MPICH 4.0.2, as it lay in the memory of rank 2 of 4 (bench/README.md): world, self, and a communicator of ranks 3, 2.
void putMpich(Image &image) {
    image.reserve(data, dataEnd);
    constexpr std::uint64_t size = 0x368, direct = data + 0x1000, builtIn = data + 0x3000, pool = data + 0x100;
    const auto communicator = [&](std::uint64_t at, std::uint32_t handle, std::uint16_t number, std::uint32_t members,
                                  std::uint32_t rank) {
        image.put(at, handle);
        image.put(at + 4, 1);
        image.put(at + 0x40, number);
        image.put(at + 0x42, number);
        image.put(at + 0x44, members);
        image.put(at + 0x48, rank);
        image.put(at + 0x318, members);
    };
    communicator(builtIn, 0x44000000, 0, 4, 2);
    image.put(builtIn + 0x310, 1); // as numbered
    communicator(builtIn + size, 0x44000001, 16, 1, 0);
    image.put(builtIn + size + 0x310, 3); // with an offset
    image.put(builtIn + size + 0x31c, 2);
    communicator(direct, 0x84000000, 0x1f0, 2, 1);
    image.put(direct + 0x310, 8); // by a table
    image.put(direct + 0x330, data + 0x5000);
    image.put(data + 0x5000, 3);
    image.put(data + 0x5004, 2);
    const auto poolAt = [&](std::uint64_t at, std::uint32_t kind, std::uint64_t objectSize, std::uint64_t first) {
        image.put(at - 12, kind);
        image.put(at - 8, objectSize);
        image.put(at, first);
        image.put(at + 8, std::uint64_t{2});
    };
    poolAt(pool, 1, size, direct);
    // A receive from number 0 of that communicator, with tag 7.
    constexpr std::uint64_t request = data + 0x4000, own = 0x550000001000;
    poolAt(data + 0x200, 0xB, 0x110, request);
    image.put(request, 0xac000000U);
    image.put(request + 4, 2);
    image.put(request + 8, 2);
    image.put(request + 0x10, request + 0x18);
    image.put(request + 0x18, 1);
    image.put(request + 0xb0, own);
    image.reserve(own - 0x200, own + 0x40);
    image.put(own - 0x100, request);
    image.put(own - 0x50, std::uint64_t{0x01f0000000000007});
    image.put(own - 0x48, std::uint64_t{0xffffffff9fffffff});
}

/// The same, to be damaged.
class Mpich final : public Image {
  public:
    Mpich() { putMpich(*this); }
};

} // namespace

class TestMpiObjects : public QObject {
    Q_OBJECT
  private slots:
    void communicatorsAndReceivesOfMpich() {
        const MpiObjects objects = readMpichObjects(Mpich(), maps, 2, 4);
        QVERIFY2(objects.byHandle(0x84000000) != nullptr, "the communicator that was made is found");
        const CommunicatorObject &pair = *objects.byHandle(0x84000000);
        QCOMPARE(pair.number.value_or(0), std::uint64_t{0x1f0});
        QCOMPARE(pair.members, (std::vector<std::uint32_t>{3, 2}));
        QCOMPARE(objects.byHandle(0x44000000)->members, (std::vector<std::uint32_t>{0, 1, 2, 3}));
        QVERIFY(objects.hasRequests);
        QCOMPARE(objects.requests.size(), std::size_t{1});
        const RequestObject &request = objects.requests.front();
        QCOMPARE(request.communicator, std::uint64_t{0x1f0});
        QCOMPARE(request.peer.value_or(9), 0U);
        QCOMPARE(request.tag.value_or(0), std::int64_t{7});
        QVERIFY(!request.isInternal && !request.isFromAny);
    }
    void anySourceAndCollectives() {
        Mpich image;
        image.put(std::uint64_t{0x550000001000 - 0x50}, std::uint64_t{0x01f1000000000000});
        image.put(std::uint64_t{0x550000001000 - 0x48}, std::uint64_t{0xffff000090000000});
        const MpiObjects objects = readMpichObjects(image, maps, 2, 4);
        QCOMPARE(objects.requests.size(), std::size_t{1});
        QVERIFY(objects.requests.front().isInternal);
        QVERIFY(objects.requests.front().isFromAny);
        QVERIFY(!objects.requests.front().tag);
    }
    void anotherRankIsNotFound() {
        QVERIFY2(readMpichObjects(Mpich(), maps, 1, 4).communicators.empty(), "the known communicators say another rank");
        QVERIFY(readMpichObjects(Mpich(), "", 2, 4).communicators.empty());
    }
    void membersThatLackTheOwnRankAreNotUsed() {
        Mpich image;
        image.put(data + 0x5004, 1);
        QVERIFY(readMpichObjects(image, maps, 2, 4).byHandle(0x84000000)->members.empty());
    }
    void requestsWithoutTheWayBackSayThatNothingIsKnown() {
        Mpich image;
        image.put(std::uint64_t{0x550000001000 - 0x100}, std::uint64_t{1});
        QVERIFY(!readMpichObjects(image, maps, 2, 4).hasRequests);
    }
    void damage() {
        std::mt19937_64 random(5);
        for (int round = 0; round < 60; ++round) {
            Mpich image;
            for (int i = 0; i < 20; ++i)
                image.put(data + random() % 0x5ff8, random() % 2 == 0 ? random() : std::uint64_t{random() % 8192});
            const MpiObjects objects = readMpichObjects(image, maps, 2, 4);
            for (const CommunicatorObject &each : objects.communicators)
                for (const std::uint32_t member : each.peers)
                    QVERIFY2(member < 4, "a member is a rank of the job");
            OpenMpiPlaces places{data + 0x100, data + 0x300, data + 0x500, data + 0x700, data + 0x900, data, data + 8};
            for (int i = 0; i < 200; ++i)
                image.put(data + random() % 0x5ff8 / 8 * 8, data + random() % 0x5ff8);
            const MpiObjects others = readOpenMpiObjects(image, places, 2, 4);
            for (const CommunicatorObject &each : others.communicators)
                QVERIFY(each.size <= 4);
        }
    }
};

QTEST_APPLESS_MAIN(TestMpiObjects)
#include "tst_mpiobjects.moc"
