// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Neighbours.h"
#include "collect/store/ProcessFiles.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace laggard::collect {

using recording::NeighbourState;

namespace {

constexpr int mostRecords = 1000;

NeighbourState stateOf(FileThread &files, std::int32_t pid) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    switch (readState(files, path)) {
    case '\0':
        return errno == ENOENT || errno == ESRCH ? NeighbourState::Gone : NeighbourState::Runs;
    case 'T':
    case 't':
        return NeighbourState::Stopped;
    case 'Z':
    case 'X':
        return NeighbourState::Gone;
    default:
        return NeighbourState::Runs;
    }
}

} // namespace

/// Further children of the parent.
void Neighbours::meet(FileThread &files) {
    char path[64];
    char text[4096];
    const int parent = static_cast<int>(getppid());
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    if (parent <= 1 || !readText(files, path, text)) // who has lost its parent has strangers as siblings
        return;
    char *next = text;
    for (long pid; (pid = std::strtol(next, &next, 10)) > 0 && m_count < most;) {
        bool isKnown = pid == getpid();
        for (std::size_t i = 0; i < m_count && !isKnown; ++i)
            isKnown = m_all[i].pid == pid;
        if (!isKnown)
            m_all[m_count++] = {static_cast<std::int32_t>(pid), NeighbourState::Runs};
    }
}

void Neighbours::look(Process &process) {
    FileThread &files = process.file().files();
    meet(files);
    for (std::size_t i = 0; i < m_count; ++i) {
        Neighbour &neighbour = m_all[i];
        if (neighbour.state == NeighbourState::Gone)
            continue; // its number may be another one's by now
        const NeighbourState state = stateOf(files, neighbour.pid);
        if (state == neighbour.state || m_records >= mostRecords)
            continue;
        neighbour.state = state;
        ++m_records;
        process.definitions().neighbour(neighbour.pid, now(), state);
    }
}

} // namespace laggard::collect
