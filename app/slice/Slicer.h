// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/slice/SliceInput.h"
#include "trace/Slice.h"

#include <stdexcept>
#include <stop_token>

namespace laggard {

/// One sentence for people.
class SliceError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The slicer: $LAGGARD_SLICE, or `laggard-slice` beside the running program, in the build tree or in the installation's libexec
/// folder. Throws SliceError that says where it was looked for, and what to install.
[[nodiscard]] QString findSlicer();

/// Asks the slicer, a program of its own, and waits for it, in any thread. What it reads is written to a folder of our own that
/// is gone afterwards; nothing is written beside the trace. It is ended when `stop` is asked for (Cancelled is thrown) and where
/// it takes too long. Lines of which it does not tell the code are read from their files. Throws SliceError.
[[nodiscard]] Slice runSlicer(const SliceQuestion &question, const SliceInput &input, const SliceSettings &settings,
                              std::stop_token stop);

/// What the slicer is called with, `folder` being where its stacks ("stack-0" …) and messages ("messages.json") are.
[[nodiscard]] QStringList slicerArguments(std::size_t stacks, const QString &folder, const SliceInput &input,
                                          const SliceSettings &settings);

} // namespace laggard
