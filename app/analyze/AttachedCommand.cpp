// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/AttachedCommand.h"

#include "app/attach/Attacher.h"
#include "trace/Printable.h"
#include "trace/Work.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <iostream>

namespace laggard {

std::string AttachedCommand::makeFolder() {
    const auto folder = std::make_shared<QTemporaryDir>();
    if (!folder->isValid()) {
        std::cerr << "laggard-analyze: what is seen of the job cannot be written: "
                  << printable(folder->errorString().toStdString()) << '\n';
        return {};
    }
    m_folder = folder;
    return folder->filePath("attached-job").toStdString();
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
