// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/JoinedWindows.h"

#include <map>

namespace laggard::recording {

std::vector<Window> joinWindows(JobFiles &job, const JoinedCommunicators &communicators) {
    std::vector<Window> windows;
    std::map<std::pair<std::uint64_t, Rank>, std::uint32_t> byKey;
    std::map<std::pair<CommunicatorId, Rank>, std::size_t> made; // on each communicator
    for (std::size_t f = 0; f < job.files.size(); ++f) {
        const std::vector<CommunicatorId> &numberOf = communicators.numberOf[f];
        for (const FileDefinitions::Window &definition : job.files[f].windows) {
            const CommunicatorId on = definition.communicator < numberOf.size() ? numberOf[definition.communicator] : none;
            if (!definition.isDefined || on == none) {
                job.files[f].windowOf.push_back(none);
                continue;
            }
            // On communicators like MPI_COMM_SELF each rank has a window of its own.
            const Rank owner = communicators.all[on].isSelf ? job.files[f].rank : none;
            const auto [entry, isNew] = byKey.try_emplace({definition.key, owner}, static_cast<std::uint32_t>(windows.size()));
            if (isNew) {
                std::string name = "window " + std::to_string(++made[{on, owner}]);
                if (!communicators.all[on].name.empty())
                    name += " of " + communicators.all[on].name;
                windows.push_back({std::move(name), on});
            }
            job.files[f].windowOf.push_back(entry->second);
        }
    }
    return windows;
}

} // namespace laggard::recording
