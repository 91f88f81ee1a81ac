// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiName.h"

#include <algorithm>
#include <cctype>

namespace laggard {

std::string mpiBaseName(std::string_view function) {
    std::string name(function);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name.starts_with("pmpi_"))
        name.erase(0, 1);
    if (!name.starts_with("mpi_"))
        return {};
    name.erase(0, 4);
    while (name.ends_with('_'))
        name.pop_back();
    for (const std::string_view suffix : {"_f08ts", "_f08", "_c"})
        if (name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
    return name;
}

bool isMpiName(std::string_view function) { return !mpiBaseName(function).empty(); }

} // namespace laggard
