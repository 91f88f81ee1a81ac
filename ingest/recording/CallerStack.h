// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/LocationBuilder.h"
#include "ingest/recording/CodeTables.h"

#include <unordered_map>

namespace laggard::recording {

/// The functions of a thread that are open between two of its MPI calls, outermost first; what opens or closes is told to its
/// builder. Instrumented functions record their enters and leaves, and are certain; the others are known from the call paths of
/// MPI calls, and stay open for as long as later calls show them.
class CallerStack {
  public:
    explicit CallerStack(LocationBuilder &builder) : m_builder(builder) {}

    void open(RegionId region, CallSiteId site, bool isInstrumented, Tick time);
    void closeDownTo(std::size_t depth, Tick time);
    /// Opens and closes callers that are not instrumented, so that the stack is that of `path`. Those that this call shares with
    /// the one before stay open; the others ended some time after the last event, at `last`, and began some time before this
    /// one, at `time`.
    void align(const CodePath &path, Tick last, Tick time);
    /// An MPI call from this path has returned.
    void returned(std::uint32_t path) { m_lastPath = path; }

    [[nodiscard]] std::size_t depth() const { return m_stack.size(); }
    [[nodiscard]] RegionId innermost() const { return m_stack.empty() ? RegionId{none} : m_stack.back().region; }
    [[nodiscard]] std::size_t instrumentedDepth() const;
    /// What is certain between two calls: instrumented functions, and the outermost one (main).
    [[nodiscard]] std::size_t certainDepth() const;
    /// So much is still open after the last MPI call: what is certain, and what always was at the call after one from that path.
    [[nodiscard]] std::size_t depthAfterLastCall() const;
    /// Functions up to the innermost instrumented one of this region; 0: none is open.
    [[nodiscard]] std::size_t depthOf(RegionId region) const;
    /// Functions that `path` goes through.
    [[nodiscard]] std::size_t depthWithin(const CodePath &path) const;

  private:
    struct Open {
        RegionId region = none;
        CallSiteId site = none;
        bool isInstrumented = false;
    };

    LocationBuilder &m_builder;
    std::vector<Open> m_stack;
    std::uint32_t m_lastPath = nothing; ///< path of the last call that returned
    std::unordered_map<std::uint32_t, std::size_t>
        m_depthAfter; ///< by path: so much of the stack was still there at the next call
};

} // namespace laggard::recording
