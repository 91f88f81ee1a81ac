// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/walk/StackFrames.h"

namespace laggard::slice {

/// Where the walk begins. Spinning in computation: the conditions that the loops around the line end by, innermost first. Inside
/// MPI: what decides the call's partner, and why the call was made. With several stacks (the least progressed first) also the
/// conditions where the paths of the others part from the first.
/// @returns whether anything of a stack was found in the program
[[nodiscard]] bool setCriterion(Analysis &analysis, Walk &walk, Steps &steps, const std::vector<TaskStack> &stacks,
                                std::vector<std::string> &warnings);

} // namespace laggard::slice
