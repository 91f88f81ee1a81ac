// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CoreFile.h"
#include "attach/PythonRuntime.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/ScratchFolder.h"
#include "tests/support/CoreBytes.h"

namespace laggard::test {

void takeCoreFile(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("core", bytes);
    try {
        const attach::CoreFile core(path);
        constexpr std::uint64_t most = std::uint64_t{64} << 20U; // bytes of stacks: as many as any input needs
        std::uint64_t taken = 0;
        for (const attach::ThreadSnapshot &thread : core.snapshot(most).threads)
            taken += thread.stack.size();
        if (taken > most)
            breakOff("No more of the stacks is to be read than was asked for.");
        static_cast<void>(core.environment());
    } catch (const attach::BadCore &error) {
        if (!std::string(error.what()).ends_with('.'))
            breakOff("A core file that is refused is to have a sentence for it.");
    }
}

/// Version, first line and offset, a byte each; then the table.
void takePythonLines(std::string_view bytes) {
    constexpr std::size_t head = 3;
    if (bytes.size() < head)
        return;
    constexpr unsigned oldest = 8, versions = 6;
    const auto number = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const std::vector<unsigned char> table(bytes.begin() + head, bytes.end());
    static_cast<void>(attach::pythonLine(oldest + number(0) % versions, table, number(1), number(2)));
}

std::vector<std::string> coreFileSeeds() { return {coreOf({}), coreOf({.threads = 3})}; }

std::vector<std::string> pythonLineSeeds() {
    using namespace std::string_literals;
    return {"\x01\x0a\x06\x04\x01\x06\x02"s, "\x02\x0a\x04\x04\x01\x02\x80"s,
            "\x03\x0a\x06\xd8\x04\x05\xe0\x08\x0a\xf1\x03\x02\x01\x01"s};
}

} // namespace laggard::test
