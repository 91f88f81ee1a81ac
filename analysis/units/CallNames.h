// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"
#include "trace/Trace.h"

namespace laggard {

/// Call paths by names that hold in other runs and on other machines too: function, and file and line of the call without
/// folders.
class CallNames {
  public:
    explicit CallNames(const Trace &trace);

    /// "server.c:41": from where the path's function is called; empty where unknown.
    [[nodiscard]] const std::string &site(CallPathId path) const { return m_sites[path]; }
    /// "recv @ server.c:41".
    [[nodiscard]] const std::string &name(CallPathId path) const { return m_names[path]; }
    /// From the outermost call.
    [[nodiscard]] CallModel::Stack stack(CallPathId path) const;
    /// The stacks of several paths, sorted, each once.
    [[nodiscard]] std::vector<CallModel::Stack> stacks(const std::vector<CallPathId> &paths) const;

  private:
    const Trace &m_trace;
    std::vector<std::string> m_sites;
    std::vector<std::string> m_names;
};

} // namespace laggard
