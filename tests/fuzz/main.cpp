// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds a reader with bytes that libFuzzer makes up: scripts/fuzz. LAGGARD_FUZZ_TARGET names it; with LAGGARD_FUZZ_SEEDS=FOLDER
// the inputs that the search begins with are written there. "laggard-fuzz" without either lists the names.
#include "tests/fuzz/Target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace laggard::test;

namespace {

void (*takeBytes)(std::string_view) = nullptr;

void writeSeeds(const FuzzTarget &target, const std::string &folder) {
    const std::vector<std::string> seeds = target.seeds();
    for (std::size_t i = 0; i < seeds.size(); ++i)
        std::ofstream(folder + "/seed-" + std::to_string(i), std::ios::binary) << seeds[i];
}

} // namespace

// libFuzzer calls these two by their names.
extern "C" int LLVMFuzzerInitialize(int * /*argc*/, char *** /*argv*/) {
    const char *name = std::getenv("LAGGARD_FUZZ_TARGET");
    const auto found = std::ranges::find(fuzzTargets(), std::string_view(name == nullptr ? "" : name), &FuzzTarget::name);
    if (found == fuzzTargets().end()) {
        for (const FuzzTarget &target : fuzzTargets())
            std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
        std::exit(name == nullptr ? 0 : 2);
    }
    if (const char *folder = std::getenv("LAGGARD_FUZZ_SEEDS")) {
        writeSeeds(*found, folder);
        std::exit(0);
    }
    takeBytes = found->take;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    takeBytes({reinterpret_cast<const char *>(data), size});
    return 0;
}
