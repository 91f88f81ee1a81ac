// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace laggard::test {

/// What Graphviz' own parser finds in a graph of the DOT language (dot_texts.py); with the key "problem" if it finds none.
inline QJsonObject readByGraphviz(const QByteArray &dot) {
    QProcess process;
    process.start(QStringLiteral("python3"), {QStringLiteral(LAGGARD_DOT_READER)});
    process.write(dot);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitCode() != 0)
        return {{QStringLiteral("problem"), QString::fromUtf8(process.readAllStandardError())}};
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

/// A label as Graphviz would draw it: without its backslash sequences and entities.
inline QString drawnText(const QString &label) {
    QString text;
    for (qsizetype i = 0; i < label.size(); ++i) {
        if (label[i] == '\\' && i + 1 < label.size())
            text += label[++i] == 'n' ? QChar('\n') : label[i];
        else
            text += label[i];
    }
    return text.replace(QStringLiteral("&amp;"), QStringLiteral("&"));
}

} // namespace laggard::test
