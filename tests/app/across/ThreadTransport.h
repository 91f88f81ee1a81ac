// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Transport.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace laggard {

/// What the threads of one test have between them.
class Post {
  public:
    void put(unsigned from, unsigned to, std::string bytes) {
        const std::lock_guard lock(m_mutex);
        m_boxes[{from, to}].push_back(std::move(bytes));
        m_arrived.notify_all();
    }
    std::string take(unsigned from, unsigned to) {
        std::unique_lock lock(m_mutex);
        std::deque<std::string> &box = m_boxes[{from, to}];
        m_arrived.wait(lock, [&box] { return !box.empty(); });
        std::string bytes = std::move(box.front());
        box.pop_front();
        return bytes;
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::map<std::pair<unsigned, unsigned>, std::deque<std::string>> m_boxes;
};

/// Processes that are threads.
class ThreadTransport : public Transport {
  public:
    ThreadTransport(Post &post, unsigned rank, unsigned size) : m_post(post), m_rank(rank), m_size(size) {}
    [[nodiscard]] unsigned rank() const override { return m_rank; }
    [[nodiscard]] unsigned size() const override { return m_size; }
    [[nodiscard]] std::string receive(unsigned from) override { return m_post.take(from, m_rank); }

  protected:
    void sendTo(unsigned to, const std::string &bytes) override { m_post.put(m_rank, to, bytes); }
    std::vector<std::string> exchangeAll(std::vector<std::string> forEach) override {
        std::vector<std::string> received;
        for (unsigned to = 0; to < m_size; ++to)
            m_post.put(m_rank, to, std::move(forEach[to]));
        for (unsigned from = 0; from < m_size; ++from)
            received.push_back(m_post.take(from, m_rank));
        return received;
    }

  private:
    Post &m_post;
    unsigned m_rank;
    unsigned m_size;
};

/// Runs `work` in `size` threads that can reach each other.
inline void runTogether(unsigned size, const std::function<void(Transport &)> &work) {
    Post post;
    std::vector<std::jthread> threads;
    for (unsigned rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            ThreadTransport transport(post, rank, size);
            work(transport);
        });
}

} // namespace laggard
