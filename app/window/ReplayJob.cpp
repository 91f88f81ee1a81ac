// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/ReplayJob.h"

#include "app/replay/JobRun.h"
#include "app/replay/ReplayOutcome.h"
#include "ingest/recording/Recording.h"
#include "trace/recording/ReplayPlan.h"
#include "views/kit/Text.h"

#include <QFile>
#include <QTemporaryDir>

#include <stdexcept>

namespace laggard {
namespace {

/// Nobody but the user ends it.
constexpr std::chrono::hours longestReplay{24 * 365};

/// The last lines of a file: errors stand at the end.
QString lastOf(const QString &path) {
    constexpr qint64 most = 2000; // bytes
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - most));
    return toText(file.readAll().toStdString()).trimmed();
}

QString saidBy(const QString &output, const QString &errors) {
    const std::string recording = output.toStdString();
    for (const char *word : {recording::replay::refused, recording::replay::left, recording::replay::waited})
        if (const std::string sentence = replay::outcomeOf(recording, word); !sentence.empty())
            return toText(sentence);
    return lastOf(errors);
}

} // namespace

void ReplayJob::prepare(const QString &recording) {
    const auto task = [this, path = recording.toStdString()](const Work &work) -> Answer {
        return [this, command = recording::commandOf(path, work)] { emit prepared(command); };
    };
    run(task, tr("There is not enough memory to read the recording."));
}

void ReplayJob::start(const std::vector<std::string> &words, const QString &output, const QString &folder) {
    m_ending = std::stop_source();
    const auto task = [this, words, output, folder, ending = m_ending](const Work &work) mutable -> Answer {
        const QTemporaryDir place; // for what it writes
        if (!place.isValid())
            throw std::runtime_error(tr("What the job writes cannot be kept: %1.").arg(place.errorString()).toStdString());
        const std::stop_callback whenClosed(work.stop, [&ending] { ending.request_stop(); });
        const QString errors = place.filePath(QStringLiteral("errors"));
        const replay::JobEnd run = replay::runJob(words, place.filePath(QStringLiteral("output")).toStdString(),
                                                  errors.toStdString(), longestReplay, ending.get_token(), folder.toStdString());
        ReplayEnd end;
        end.isRecorded = !recording::find(output.toStdString()).empty();
        end.wasEnded = run.isCancelled;
        end.status = run.status.value_or(-run.signal);
        end.said = saidBy(output, errors);
        return [this, end] { emit finished(end); };
    };
    run(task, tr("There is not enough memory to run the job."));
}

} // namespace laggard
