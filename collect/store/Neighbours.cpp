// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Neighbours.h"
#include "collect/store/SystemCalls.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace laggard::collect {

using recording::NeighbourState;

namespace {

constexpr int mostRecords = 1000;

/// What is in the file, as a string; false if it cannot be opened.
template <std::size_t Size> bool readText(const char *path, char (&text)[Size]) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    std::size_t length = 0;
    for (ssize_t bytes; length < Size - 1 && (bytes = readFrom(file, text + length, Size - 1 - length)) > 0;)
        length += static_cast<std::size_t>(bytes);
    ::close(file);
    text[length] = '\0';
    return true;
}

/// proc(5): the state is the first letter after the name, which stands in brackets and may contain anything.
NeighbourState stateOf(std::int32_t pid) {
    char path[64];
    char text[512];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!readText(path, text))
        return errno == ENOENT || errno == ESRCH ? NeighbourState::Gone : NeighbourState::Runs;
    const char *name = std::strrchr(text, ')');
    const char state = name == nullptr || name[1] == '\0' ? 'R' : name[2];
    if (state == 'T' || state == 't')
        return NeighbourState::Stopped;
    return state == 'Z' || state == 'X' || state == '\0' ? NeighbourState::Gone : NeighbourState::Runs;
}

} // namespace

/// Further children of the parent.
void Neighbours::meet() {
    char path[64];
    char text[4096];
    const int parent = static_cast<int>(getppid());
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    if (parent <= 1 || !readText(path, text)) // who has lost its parent has strangers as siblings
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
    meet();
    for (std::size_t i = 0; i < m_count; ++i) {
        Neighbour &neighbour = m_all[i];
        if (neighbour.state == NeighbourState::Gone)
            continue; // its number may be another one's by now
        const NeighbourState state = stateOf(neighbour.pid);
        if (state == neighbour.state || m_records >= mostRecords)
            continue;
        neighbour.state = state;
        ++m_records;
        process.definitions().neighbour(neighbour.pid, now(), state);
    }
}

} // namespace laggard::collect
