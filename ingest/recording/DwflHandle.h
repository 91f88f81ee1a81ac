// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <elfutils/libdwfl.h>

#include <memory>

namespace laggard::recording {

struct DwflCloser {
    void operator()(Dwfl *dwfl) const { dwfl_end(dwfl); }
};

/// The modules of a process, as libdwfl knows them; nullptr: it could not begin.
using DwflHandle = std::unique_ptr<Dwfl, DwflCloser>;

} // namespace laggard::recording
