// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ProcessTree.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace laggard::replay {

ProcessTree::Sight ProcessTree::sightOf(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text, '\0');
    Sight sight;
    // After the name, which may hold anything: state, parent, and as the twentieth word the start (proc(5)).
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos)
        return sight;
    std::istringstream words(text.substr(end + 1));
    words >> sight.state >> sight.parent;
    std::string skipped;
    for (int word = 2; word < 19; ++word)
        words >> skipped;
    if (words >> sight.process.start)
        sight.process.pid = pid;
    return sight;
}

void ProcessTree::look() {
    std::vector<Sight> all;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t pid = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), pid).ec == std::errc() && pid > 0)
            if (const Sight sight = sightOf(pid); sight.process.pid != 0 && sight.state != 'Z')
                all.push_back(sight);
    }
    const auto isOurs = [&](pid_t pid) {
        return pid == m_root || std::ranges::any_of(m_found, [&](const Process &each) { return each.pid == pid; });
    };
    for (bool isNew = true; isNew;) {
        isNew = false;
        for (const Sight &each : all)
            if (isOurs(each.parent))
                isNew = m_found.insert(each.process).second || isNew;
    }
}

void ProcessTree::signal(int number) const {
    for (const Process &each : m_found)
        if (sightOf(each.pid).process == each)
            ::kill(each.pid, number);
    ::kill(-m_root, number);
}

void ProcessTree::kill() {
    // Who stands starts nothing: when nobody new is seen, all are.
    std::size_t before = 0;
    do {
        before = m_found.size();
        signal(SIGSTOP);
        look();
    } while (m_found.size() != before);
    signal(SIGKILL);
}

} // namespace laggard::replay
