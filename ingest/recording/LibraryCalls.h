// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/CallerStack.h"
#include "ingest/recording/DescriptorParts.h"
#include "ingest/recording/EventReader.h"
#include "trace/DescriptorCall.h"

#include <vector>

namespace laggard::recording {

/// Calls of the C library of one thread, while its records are read in order. They nest where a signal handler comes into one.
class LibraryCalls {
  public:
    explicit LibraryCalls(LocationBuilder &builder) : m_builder(builder) {}

    /// One has begun at `path`, its innermost. Where none is open, the thread's callers are those of `path` already; else the
    /// handler's functions are opened that lie between, but for instrumented ones, which have opened themselves. `site`: where it
    /// is called. `number`: the path's, in the file.
    void begin(const CodePath &path, std::uint32_t number, CallSiteId site, std::size_t callers, RegionId innermostCaller,
               Tick time);
    /// The innermost has returned or, `isLeft`, was left. Returns its path's number.
    std::uint32_t end(Tick time, bool isLeft);
    /// A record of what it was given, before it ends, or of what it found, behind its end.
    void add(const Record &record);
    /// The end of a call whose beginning is lost: what it found belongs to none.
    void endOfNone() { m_last = none; }
    /// All of them end: their ends are lost.
    void clear(Tick time);

    [[nodiscard]] bool isOpen() const { return !m_open.empty(); }
    [[nodiscard]] std::uint32_t row() const { return m_open.empty() ? none : m_open.back().row; }
    /// By row.
    [[nodiscard]] std::vector<DescriptorCall> finish();
    /// What else is known of them.
    [[nodiscard]] DescriptorDetails details() { return m_parts.finish(); }

  private:
    struct Open {
        const CodePath *path; ///< lives as long as the file's code
        std::uint32_t number;
        std::vector<RegionId> handler;
        std::size_t callers;
        std::uint32_t row;
        std::uint32_t call; ///< in m_calls
    };

    void given(const Record &record);

    LocationBuilder &m_builder;
    std::vector<Open> m_open;
    std::vector<DescriptorCall> m_calls;
    DescriptorParts m_parts;
    std::uint32_t m_last = none; ///< in m_calls: the one that has returned, whose outcome follows
};

} // namespace laggard::recording
