// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"
#include "trace/Trace.h"

namespace laggard {

/// Names call paths so that the names hold in other runs and on other machines, too: by the function, its file and line, and the
/// file and line of the call; files without folders.
class CallNames {
  public:
    explicit CallNames(const Trace &trace);

    /// "server.c:41": from where the path's function is called; empty where unknown.
    [[nodiscard]] const std::string &site(CallPathId path) const { return m_sites[path]; }
    /// "recv @ server.c:41".
    [[nodiscard]] const std::string &name(CallPathId path) const { return m_names[path]; }
    /// Where the function is: "dispatch.c"; empty where unknown.
    [[nodiscard]] const std::string &file(CallPathId path) const { return m_files[m_trace.callPaths[path].region]; }
    /// The first of the paths that all names have in common with, callers included: the same node of a model (CallModel::Call).
    /// Paths of a trace may differ by folders, or by the addresses of functions without debug information.
    [[nodiscard]] CallPathId node(CallPathId path) const { return m_nodes[path]; }
    /// The node of the path's caller; `none` at the outermost level.
    [[nodiscard]] CallPathId nodeOfParent(CallPathId path) const {
        const CallPathId parent = m_trace.callPaths[path].parent;
        return parent == none ? none : m_nodes[parent];
    }
    /// From the outermost call.
    [[nodiscard]] CallModel::Stack stack(CallPathId path) const;
    /// The stacks of several paths, sorted, each once.
    [[nodiscard]] std::vector<CallModel::Stack> stacks(const std::vector<CallPathId> &paths) const;

  private:
    const Trace &m_trace;
    std::vector<std::string> m_sites;
    std::vector<std::string> m_names;
    std::vector<std::string> m_files; ///< by region
    std::vector<CallPathId> m_nodes;
};

} // namespace laggard
