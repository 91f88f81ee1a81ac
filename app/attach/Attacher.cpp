// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/attach/Attacher.h"

#include "trace/Work.h"
#include "views/process/ChildProgram.h"

namespace laggard {
namespace {

constexpr ChildProgram attacher{"laggard-attach", "LAGGARD_ATTACH", "attach", "which looks at running jobs",
                                "build laggard-attach, or "};
constexpr std::chrono::hours longest{2};             // samples may be asked for over an hour
constexpr qsizetype mostOutput = qsizetype{1} << 22; // bytes of complaints: some for each of many nodes

/// Without "laggard-attach: " before each line.
QString sentences(const QByteArray &complaint) {
    QStringList lines;
    for (QString line : QString::fromUtf8(complaint).split('\n', Qt::SkipEmptyParts))
        lines << line.remove(0, line.startsWith(QLatin1String("laggard-attach: ")) ? 16 : 0);
    return lines.join('\n');
}

} // namespace

QString runAttacher(const QStringList &arguments, const QString &output, std::stop_token stop) {
    QString program;
    try {
        program = findChildProgram(attacher);
    } catch (const ChildError &error) {
        throw AttachError(error.what());
    }
    const ChildOutput result =
        runChild(program, arguments + QStringList{"-o", output}, {}, {std::move(stop), longest, mostOutput});
    const QString said = sentences(result.complaint);
    switch (result.end) {
    case ChildOutput::End::Stopped:
        throw Cancelled();
    case ChildOutput::End::Exited:
        if (result.status == 0)
            return said;
        throw AttachError(said.isEmpty() ? "laggard-attach ended with " + std::to_string(result.status) + '.'
                                         : said.toStdString());
    case ChildOutput::End::NotStarted:
        throw AttachError("laggard-attach cannot be started: " + result.error.toStdString() + '.');
    default:
        throw AttachError("laggard-attach did not come to an end" + (said.isEmpty() ? "." : ": " + said.toStdString()));
    }
}

} // namespace laggard
