// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Load.h"

namespace laggard::slice {

/// Names of variables and conditions as the source has them, from the debug information.
class Names {
  public:
    explicit Names(const LoadedProgram &loaded) : program(loaded.program), modules(*loaded.modules) {}

    /// What is behind a pointer: "err", "grid.n", "p->next", "inflow[it]"; empty where the source has no name for it.
    [[nodiscard]] std::string behind(Node pointer) const;
    /// The name of a value: of a load, that of what it loads; else as a condition is written: "err < 1e-10".
    [[nodiscard]] std::string value(Node node) const;

  private:
    const Program &program;
    const Modules &modules;
};

} // namespace laggard::slice
