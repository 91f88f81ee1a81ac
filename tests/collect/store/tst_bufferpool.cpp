// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/BufferPool.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace laggard::collect;
using laggard::recording::ChunkHeader;
using laggard::recording::chunkUnit;

/// The queues of sub-buffers by themselves: chunks are made of headers alone, which the pool does not look into.
class TestBufferPool : public QObject {
    Q_OBJECT

    std::vector<std::unique_ptr<ChunkHeader>> m_chunks;
    std::mutex m_mutex; // of the list alone
    std::unique_ptr<BufferPool> m_pool;

    /// As a thread of the recorder does. None: the event is lost.
    BufferPool::SubBuffer freeOrNew() {
        if (const BufferPool::SubBuffer found = m_pool->takeFree())
            return found;
        if (m_pool->reserve() == 0)
            return {};
        const std::lock_guard lock(m_mutex);
        return m_pool->add(m_chunks.emplace_back(std::make_unique<ChunkHeader>()).get());
    }
    void write(std::uint32_t writer, std::uint64_t number, const BufferPool::SubBuffer &buffer) {
        buffer.chunk->thread = writer;
        buffer.chunk->sequence = number;
        m_pool->written(buffer.place);
    }
    void writeThree() {
        for (std::uint64_t i = 1; i <= 3; ++i)
            write(0, i, freeOrNew());
    }

  private slots:
    void init() {
        m_chunks.clear();
        m_pool = std::make_unique<BufferPool>();
        QVERIFY(m_pool->begin(8 * chunkUnit));
    }

    void writtenComesInOrderAndIsFreeThen() {
        writeThree();
        QVERIFY2(!m_pool->takeFree(), "what nobody has read is not free");
        for (std::uint64_t i = 1; i <= 3; ++i) {
            const BufferPool::SubBuffer taken = m_pool->takeWritten(7);
            QCOMPARE(taken.chunk->sequence, i);
            m_pool->free(taken.place);
        }
        QVERIFY(!m_pool->takeWritten(7));
        QVERIFY(m_pool->takeFree());
    }

    void growsUpToItsSize() {
        std::size_t count = 0;
        while (freeOrNew())
            ++count;
        QCOMPARE(count, std::size_t{8});
        m_pool->addThread(); // which has one for itself
        QVERIFY(freeOrNew());
        QVERIFY(!freeOrNew());
    }

    void roomThatWasNotThereIsGivenUp() {
        const std::uint32_t units = m_pool->reserve();
        QVERIFY(units != 0);
        m_pool->giveUp(units);
        growsUpToItsSize();
    }

    void whatADeadReaderHadIsReadAgain() {
        writeThree();
        QCOMPARE(m_pool->takeWritten(7).chunk->sequence, 1U);
        const BufferPool::SubBuffer other = m_pool->takeWritten(8);
        QCOMPARE(other.chunk->sequence, 2U);
        m_pool->takeBackFrom(7);
        QCOMPARE(m_pool->takeWritten(9).chunk->sequence, 1U); // before what was written after it
        QCOMPARE(m_pool->takeWritten(9).chunk->sequence, 3U);
        m_pool->putBack(other.place);
        QCOMPARE(m_pool->takeWritten(9).chunk->sequence, 2U);
    }

    void waitingEndsWhenSomethingIsWritten() {
        std::thread writer([this] { write(0, 1, freeOrNew()); });
        const std::uint32_t seen = m_pool->waitForWritten(0, 60'000'000'000U);
        writer.join();
        QCOMPARE(seen, 1U);
    }

    /// Writers, readers, and readers that die: what was written is read once, by one reader in each writer's order; what finds
    /// nothing free is not there.
    void manyThreads_data() {
        QTest::addColumn<int>("readers");
        QTest::newRow("a reader") << 1;
        QTest::newRow("three readers") << 3;
    }
    void manyThreads() {
        QFETCH(int, readers);
        constexpr std::uint32_t writers = 4;
        constexpr std::uint64_t each = 3000;
        std::atomic<std::uint64_t> lost{0};
        std::atomic<bool> isOver{false};
        std::atomic<std::int32_t> numbers{0};
        std::vector<std::vector<std::uint64_t>> read(writers);
        std::mutex mutex;
        const auto readAll = [&] {
            std::int32_t self = ++numbers;
            for (unsigned round = 0;; ++round) {
                const bool wasOver = isOver.load();
                const BufferPool::SubBuffer taken = m_pool->takeWritten(self);
                if (!taken && wasOver)
                    return;
                if (!taken) {
                    std::this_thread::yield();
                } else if (round % 97 == 96) { // it dies, and another one comes
                    m_pool->takeBackFrom(self);
                    self = ++numbers;
                } else {
                    const std::lock_guard lock(mutex);
                    read[taken.chunk->thread].push_back(taken.chunk->sequence);
                    m_pool->free(taken.place);
                }
            }
        };
        std::vector<std::thread> reading;
        for (int i = 0; i < readers; ++i)
            reading.emplace_back(readAll);
        std::vector<std::thread> writing;
        for (std::uint32_t writer = 0; writer < writers; ++writer)
            writing.emplace_back([&, writer] {
                for (std::uint64_t number = 1; number <= each; ++number) {
                    if (const BufferPool::SubBuffer buffer = freeOrNew())
                        write(writer, number, buffer);
                    else
                        ++lost;
                    if (number % 8 == 0)
                        std::this_thread::yield();
                }
            });
        for (std::thread &thread : writing)
            thread.join();
        isOver = true;
        for (std::thread &thread : reading)
            thread.join();
        std::size_t found = 0;
        for (std::vector<std::uint64_t> &numbersOfIt : read) {
            found += numbersOfIt.size();
            if (readers == 1)
                QVERIFY2(std::ranges::is_sorted(numbersOfIt), "a writer's sub-buffers were read in another order");
            std::ranges::sort(numbersOfIt);
            QVERIFY2(std::ranges::adjacent_find(numbersOfIt) == numbersOfIt.end(), "something was read twice");
        }
        QCOMPARE(found + lost.load(), std::size_t{writers * each});
        QVERIFY(found > 0);
    }
};

QTEST_APPLESS_MAIN(TestBufferPool)
#include "tst_bufferpool.moc"
