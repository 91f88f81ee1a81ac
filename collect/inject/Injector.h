// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard::collect {

/// A send, as the injector needs to know it for the truth.
struct SentMessage {
    std::uint32_t peer = 0; ///< world rank
    std::int32_t tag = 0;
    std::uint64_t communicatorKey = 0;
    std::uint64_t bytes = 0;
};

enum class MessageFault { None, Drop, Repeat };

/// Decides when and where the fault of this process strikes, makes it strike, and writes DIR/truth.json. Safe from all threads.
/// The loops are in these functions: when one returns, the program goes on.
class Injector {
  public:
    virtual ~Injector() = default;

    /// MPI_Init has returned: ranks and instances are drawn, and counted from here on.
    virtual void worldKnown(std::int32_t rank, std::int32_t size) = 0;
    /// MPI_Finalize begins, or the process ends otherwise: the truth and the census are complete.
    virtual void jobEnds() = 0;

    /// An instrumented function was entered, and that was recorded.
    virtual void functionEntered(const void *address) = 0;

    /// An MPI call of the program is about to begin; nothing of it was recorded yet. `caller`: return address in the program.
    /// True if the fault is to strike inside this call or after it: then `insideCall` and `afterCall` must be called.
    [[nodiscard]] virtual bool beforeCall(const char *operation, const void *caller) = 0;
    /// The call was recorded as begun; MPI was not called yet.
    virtual void insideCall() = 0;
    /// The call has returned and that was recorded.
    virtual void afterCall() = 0;

    /// A message is about to be sent; not to MPI_PROC_NULL. Messages of persistent requests cannot be repeated.
    [[nodiscard]] virtual MessageFault messageSent(const char *operation, const void *caller, const SentMessage &message,
                                                   bool canBeRepeated) = 0;

    /// MPI_Pcontrol was called.
    virtual void phaseBegins() = 0;

    /// With SLOW: the computation that has run since `computationBegins` ends now, or goes on.
    virtual void computationEnds() = 0;
    virtual void computationBegins() = 0;
};

/// The injector of this process, as LAGGARD_INJECT asks; nullptr if nothing is to be injected, or the process is not recorded.
[[nodiscard]] Injector *injector();

} // namespace laggard::collect
