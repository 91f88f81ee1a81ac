// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace laggard {

/// What one process has sent to others.
struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

/// Thrown when another process cannot be reached, or what it sent cannot be.
class TransportError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Processes that work on one trace, numbered from 0, and how bytes come from one to another. Messages between two processes
/// arrive in the order in which they were sent. Used by one thread of each process. All may throw TransportError.
class Transport {
  public:
    virtual ~Transport() = default;
    [[nodiscard]] virtual unsigned rank() const = 0;
    [[nodiscard]] virtual unsigned size() const = 0;

    void send(unsigned to, const std::string &bytes) {
        count(bytes);
        sendTo(to, bytes);
    }
    /// Waits for the next message of this process.
    [[nodiscard]] virtual std::string receive(unsigned from) = 0;
    /// Each process gives something for each process, its own place included, and gets what the others have for it: element i is
    /// from process i. All processes call it. (MPI_Alltoallv)
    [[nodiscard]] std::vector<std::string> exchange(std::vector<std::string> forEach) {
        for (unsigned other = 0; other < size(); ++other)
            if (other != rank() && !forEach[other].empty())
                count(forEach[other]);
        return exchangeAll(std::move(forEach));
    }
    /// What this process has sent so far; what an exchange leaves for itself does not count.
    [[nodiscard]] const Traffic &sent() const { return m_sent; }

  protected:
    virtual void sendTo(unsigned to, const std::string &bytes) = 0;
    virtual std::vector<std::string> exchangeAll(std::vector<std::string> forEach) = 0;

  private:
    void count(const std::string &bytes) {
        ++m_sent.messages;
        m_sent.bytes += bytes.size();
    }
    Traffic m_sent;
};

/// A process that works alone.
class AloneTransport : public Transport {
  public:
    [[nodiscard]] unsigned rank() const override { return 0; }
    [[nodiscard]] unsigned size() const override { return 1; }
    [[nodiscard]] std::string receive(unsigned) override { throw TransportError("there is no other process"); }

  protected:
    void sendTo(unsigned, const std::string &) override { throw TransportError("there is no other process"); }
    std::vector<std::string> exchangeAll(std::vector<std::string> forEach) override { return forEach; }
};

} // namespace laggard
