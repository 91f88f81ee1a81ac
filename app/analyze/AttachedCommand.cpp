// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/AttachedCommand.h"

#include "app/attach/Attacher.h"
#include "trace/Printable.h"
#include "trace/Work.h"

#include <QCoreApplication>

#include <algorithm>
#include <iostream>

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
        if (m_output.empty()) {
            m_folder = std::make_unique<QTemporaryDir>();
            if (!m_folder->isValid()) {
                std::cerr << "laggard-analyze: what is seen of the job cannot be written: "
                          << printable(m_folder->errorString().toStdString()) << '\n';
                return false;
            }
            m_output = m_folder->filePath("attached-job").toStdString();
        }
        m_rest.insert(m_rest.begin() + 1, m_output);
    }
    for (std::string &word : m_rest)
        m_words.push_back(word.data());
    m_words.push_back(nullptr);
    return true;
}

void AttachedCommand::run(std::stop_token stop) {
    if (!m_isAsked)
        return;
    int count = 1;
    const QCoreApplication application(count, m_words.data()); // by which programs find others
    QStringList arguments;
    for (const std::string &word : m_attach)
        arguments << QString::fromStdString(word);
    try {
        const QString said = runAttacher(arguments, QString::fromStdString(m_output), std::move(stop));
        for (const QString &line : said.split('\n', Qt::SkipEmptyParts))
            if (!line.contains("laggard-analyze ")) // what to do next, which is being done
                std::cerr << "laggard-attach: " << printable(line.toStdString()) << '\n';
    } catch (const AttachError &error) {
        throw ReadError(error.what());
    }
}

} // namespace laggard
