// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Launch.h"
#include "app/across/Transport.h"

#include <memory>
#include <string>

struct LaggardAcrossMpi;

namespace laggard {

/// The library for this MPI: beside the program in the build folder, in lib/laggard when installed; empty if it is not there.
[[nodiscard]] std::string acrossLibrary(MpiFlavour flavour);

/// Processes that were started by a launcher of MPI. The library of that MPI is opened here, and MPI begun and ended; an instance
/// can exist once in a process.
class MpiTransport : public Transport {
  public:
    /// Opens the library and joins the others. Throws TransportError, with one sentence, if it cannot be opened, or if MPI finds
    /// other processes than the launcher has started.
    MpiTransport(const std::string &library, const Launch &launch);
    /// Ends MPI, if `finish` has not been called: all processes at once and with status 1, as the others wait for this one.
    ~MpiTransport() override;
    MpiTransport(const MpiTransport &) = delete;
    MpiTransport &operator=(const MpiTransport &) = delete;

    [[nodiscard]] unsigned rank() const override { return m_rank; }
    [[nodiscard]] unsigned size() const override { return m_size; }
    [[nodiscard]] std::string receive(unsigned from) override;
    /// Leaves the others in peace. All processes call it; nothing can be sent any more.
    void finish();

  protected:
    void sendTo(unsigned to, const std::string &bytes) override;
    std::vector<std::string> exchangeAll(std::vector<std::string> forEach) override;

  private:
    void check(int error, const char *what) const;

    const LaggardAcrossMpi *m_mpi = nullptr;
    unsigned m_rank = 0;
    unsigned m_size = 1;
    bool m_isOpen = false;
};

} // namespace laggard
