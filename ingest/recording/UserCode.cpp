// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/UserCode.h"

#include <algorithm>

namespace laggard::recording {
namespace {

bool isMpi(const std::string &path) {
    const std::string name = moduleName(path);
    return name.starts_with("libmpi") || name.starts_with("libpmpi");
}

/// Debug information of these may be installed, so that lines alone say nothing.
bool isLibraryOfSystem(const std::string &path) {
    static constexpr std::string_view places[] = {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/"};
    return std::ranges::any_of(places, [&](std::string_view place) { return path.starts_with(place); }) || isMpi(path) ||
           moduleName(path).starts_with("linux-vdso");
}

} // namespace

UserCode::UserCode(std::string program, const FileDefinitions &definitions) : m_modules{std::move(program)} {
    for (const FileDefinitions::Address &address : definitions.addresses)
        if (address.isDefined && address.kind == AddressKind::Function && address.module < definitions.modules.size())
            m_modules.insert(definitions.modules[address.module].path);
}

bool UserCode::contains(const CodeFrames &place) const {
    const std::string &module = place.back().module;
    if (m_modules.contains(module))
        return true;
    const bool hasLine = std::ranges::any_of(place, [](const CodeFrame &frame) { return frame.line != 0 || frame.atLine != 0; });
    return hasLine && !isLibraryOfSystem(module);
}

std::vector<CodeFrames> calledBack(std::span<const CodeFrames> frames, std::size_t count, const UserCode &userCode) {
    frames = frames.first(std::min(count, frames.size()));
    const auto isUsers = [&](const CodeFrames &place) { return userCode.contains(place); };
    const auto user = std::ranges::find_if(frames, isUsers);
    if (user == frames.end() ||
        std::any_of(frames.begin(), user, [](const CodeFrames &place) { return isMpi(place.back().module); }))
        return {};
    std::vector<CodeFrames> called(frames.begin(), std::find_if_not(user, frames.end(), isUsers));
    cutLibraryInsides(called, userCode);
    return called;
}

bool isMpisOwn(std::span<const CodeFrames> frames, const UserCode &userCode) {
    const auto isOfRuntime = [](const CodeFrames &place) {
        // Open MPI's parts (mca_…, libopen-rte, libopen-pal), PMI and PMIx, and the libraries that these run in.
        static constexpr std::string_view names[] = {"libmpi", "libpmpi", "libopen-", "libpmi", "mca_", "libevent"};
        const std::string module = moduleName(place.back().module);
        return std::ranges::any_of(names, [&](std::string_view name) { return module.starts_with(name); });
    };
    return std::ranges::any_of(frames, isOfRuntime) &&
           std::ranges::none_of(frames, [&](const CodeFrames &place) { return userCode.contains(place); });
}

std::size_t cutLibraryInsides(std::vector<CodeFrames> &frames, const UserCode &userCode) {
    const auto user = std::ranges::find_if(frames, [&](const CodeFrames &place) { return userCode.contains(place); });
    if (user == frames.end())
        return 0;
    const std::size_t before = user == frames.begin() ? 0 : 1;
    frames.erase(frames.begin(), user - static_cast<std::ptrdiff_t>(before));
    if (before == 1) { // where in the library, and what was inlined there, is its inside, too
        CodeFrames &called = frames.front();
        called.erase(called.begin(), called.end() - 1);
        called.front().file.clear();
        called.front().atFile.clear();
        called.front().line = called.front().atLine = 0;
    }
    return before;
}

} // namespace laggard::recording
