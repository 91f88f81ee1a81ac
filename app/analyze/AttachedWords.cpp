// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/AttachedCommand.h"

#include <algorithm>

namespace laggard {

AttachedCommand::AttachedCommand(int argc, char **argv) : m_rest(argv, argv + argc) {
    m_isAsked = argc > 1 && m_rest[1] == "--attach";
    if (m_isAsked) {
        const auto divider = std::find(m_rest.begin() + 2, m_rest.end(), "--");
        m_attach.assign(m_rest.begin() + 2, divider);
        m_rest.erase(m_rest.begin() + 1, divider == m_rest.end() ? divider : divider + 1);
    }
}

bool AttachedCommand::prepare() {
    if (m_isAsked) {
        for (std::size_t i = 0; i + 1 < m_attach.size() && m_output.empty(); ++i)
            if (m_attach[i] == "-o" || m_attach[i] == "--output") {
                m_output = m_attach[i + 1];
                m_attach.erase(m_attach.begin() + static_cast<std::ptrdiff_t>(i),
                               m_attach.begin() + static_cast<std::ptrdiff_t>(i) + 2);
            }
        if (m_output.empty())
            m_output = makeFolder();
        if (m_output.empty())
            return false;
        m_rest.insert(m_rest.begin() + 1, m_output);
    }
    for (std::string &word : m_rest)
        m_words.push_back(word.data());
    m_words.push_back(nullptr);
    return true;
}

} // namespace laggard
