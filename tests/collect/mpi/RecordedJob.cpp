// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/mpi/RecordedJob.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <csignal>
#include <sys/types.h>

using namespace laggard::recording;

namespace {

QString rankText(std::uint32_t rank) {
    switch (rank) {
    case nothing:
        return "?";
    case anySource:
        return "any";
    case nullProcess:
        return "null";
    default:
        return QString::number(rank);
    }
}

QString tagText(std::uint64_t word) {
    const auto tag = static_cast<std::int32_t>(low(word));
    return tag == anyTag ? QString("any") : QString::number(tag);
}

QString flagText(std::uint32_t flags) {
    QString text;
    const std::pair<std::uint32_t, const char *> names[] = {
        {synchronousMode, " synchronous"}, {bufferedMode, " buffered"}, {readyMode, " ready"},
        {persistentStart, " persistent"},  {matchedProbe, " matched"},  {probeOnly, " probe"}};
    for (const auto &[flag, name] : names)
        if ((flags & flag) != 0)
            text += name;
    return text;
}

/// Calls in words, each in a line: "MPI_Sendrecv send 1 tag 7 world 4B MPI_INT, receive any tag any world 4B MPI_INT -> from 2
/// tag 7 world 4B". Requests are numbered r1, r2 … in the order of their posting in the thread, communicators that have no name
/// c1, c2 ….
class Describer {
  public:
    explicit Describer(const RecordingFile &file) : m_file(file) {
        int unnamed = 0;
        for (const FileDefinitions::Communicator &communicator : file.definitions().communicators)
            m_communicators << (communicator.name.empty() ? QString("c%1").arg(++unnamed)
                                                          : QString::fromStdString(communicator.name));
        m_communicators.replaceInStrings("MPI_COMM_", "");
    }
    QStringList describeCalls(std::uint32_t thread);
    [[nodiscard]] QString communicator(std::uint32_t number) const {
        return number < static_cast<std::uint32_t>(m_communicators.size()) ? m_communicators[number] : QString("?");
    }

  private:
    QString request(std::uint64_t number) {
        if (number == 0)
            return {};
        const auto [place, isNew] = m_requests.try_emplace(number, m_requests.size() + 1);
        return QString("r%1").arg(place->second);
    }
    [[nodiscard]] QString operation(std::uint32_t path) const;
    [[nodiscard]] QString datatype(std::uint32_t number) const {
        const auto &all = m_file.definitions().datatypes;
        return number < all.size() ? QString::fromStdString(all[number].name) : QString("?");
    }
    QString part(const Record &record);

    const RecordingFile &m_file;
    QStringList m_communicators;
    std::map<std::uint64_t, std::size_t> m_requests;
};

QString Describer::operation(std::uint32_t path) const {
    const FileDefinitions &definitions = m_file.definitions();
    if (path >= definitions.paths.size())
        return "?";
    const auto &address = definitions.addresses.at(definitions.paths[path].address);
    return address.kind == AddressKind::Operation ? QString::fromStdString(definitions.operations.at(address.offset))
                                                  : QString("?");
}

QString Describer::part(const Record &record) {
    const std::uint64_t *words = record.payload;
    switch (record.kind) {
    case RecordKind::SendPart:
    case RecordKind::ReceivePart:
        return QString("%1 %2 tag %3 %4 %5B %6%7 %8")
            .arg(record.kind == RecordKind::SendPart ? "send" : "receive", rankText(record.argument), tagText(words[0]),
                 communicator(high(words[0])), QString::number(words[1]), datatype(low(words[3])), flagText(high(words[3])),
                 request(words[2]))
            .trimmed();
    case RecordKind::CollectivePart:
        return QString("collective %1%2 %3B %4B %5")
            .arg(communicator(low(words[0])), record.argument == nothing ? QString() : " root " + rankText(record.argument),
                 QString::number(words[1]), QString::number(words[2]), request(words[3]))
            .trimmed();
    case RecordKind::AwaitedPart: {
        QStringList all;
        for (std::size_t i = 0; i < record.words; ++i)
            all << request(words[i]);
        return "of " + all.join(' ');
    }
    case RecordKind::CompletedReceive:
        return QString("from %1 tag %2 %3 %4B %5")
            .arg(rankText(record.argument), tagText(words[0]), communicator(high(words[0])), QString::number(words[1]),
                 request(words[2]))
            .trimmed();
    case RecordKind::TakenMessage:
        return QString("takes from %1 tag %2 %3 %4B")
            .arg(rankText(record.argument), tagText(words[0]), communicator(high(words[0])), QString::number(words[1]));
    case RecordKind::SeenMessage:
        return QString("sees from %1 tag %2 %3 %4B")
            .arg(rankText(record.argument), tagText(words[0]), communicator(high(words[0])), QString::number(words[1]));
    case RecordKind::EpochPart:
        return QString("epoch %1 window %2%3")
            .arg(low(words[0]))
            .arg(high(words[0]))
            .arg(record.argument == nothing ? QString() : " target " + rankText(record.argument));
    case RecordKind::WaitingPart:
        return QString("waiting from %1 tag %2 %3 %4B")
            .arg(rankText(record.argument), tagText(words[0]), communicator(high(words[0])), QString::number(words[1]));
    case RecordKind::Completed:
        return "done " + request(words[0]);
    case RecordKind::Released:
        return "released " + request(words[0]);
    default:
        return QString("record %1").arg(static_cast<int>(record.kind));
    }
}

QStringList Describer::describeCalls(std::uint32_t thread) {
    QStringList calls;
    QString separator;
    EventReader reader = m_file.events(thread);
    Record record;
    while (reader.next(record)) {
        const bool isOfACall = record.kind != RecordKind::Context && record.kind != RecordKind::CallBegin &&
                               record.kind != RecordKind::Polls && record.kind != RecordKind::Phase;
        if (calls.isEmpty() && isOfACall) // it belongs to a call whose beginning was overwritten
            continue;
        switch (record.kind) {
        case RecordKind::Context:
        case RecordKind::Enter:
        case RecordKind::Leave:
        case RecordKind::Hang:
            break;
        case RecordKind::CallBegin:
            calls << operation(record.argument);
            separator = " ";
            break;
        case RecordKind::Polls:
            calls << operation(record.argument) + " unsuccessful";
            separator = " ";
            break;
        case RecordKind::Phase:
            calls << QString("phase %1").arg(static_cast<std::int32_t>(record.argument));
            break;
        case RecordKind::CallEnd:
            calls.last() += (record.argument & callFailed) != 0 ? " -> failed" : " ->";
            separator = " ";
            break;
        default:
            calls.last() += separator + part(record);
            separator = ", ";
        }
    }
    for (const auto &warning : reader.warnings())
        calls << "warning: " + QString::fromStdString(warning.message);
    return calls;
}

} // namespace

QString RecordedJob::program(const QString &name) { return QString(LAGGARD_MPI_PROGRAMS) + "/" + name; }

QString RecordedJob::builtRecorder() { return LAGGARD_RECORD; }

bool RecordedJob::exists(const QString &name) { return QFileInfo(program(name)).isExecutable(); }

void RecordedJob::start(QProcess &process, const QStringList &command, bool isRecorded) {
    m_files.clear();
    // UCX complains, with the time, where a container has no /sys: outputs are compared.
    QStringList arguments{"-n",    QString::number(ranks), "-genv", "LD_PRELOAD", program("yield.so"),
                          "-genv", "UCX_LOG_LEVEL",        "fatal"};
    for (const QString &variable : variables)
        arguments << "-genv" << variable.section('=', 0, 0) << variable.section('=', 1);
    if (isRecorded) {
        QDir(folder()).removeRecursively();
        arguments << recorder << "-o" << folder() << options << "--";
    }
    process.setWorkingDirectory(m_folder.path());
    process.setChildProcessModifier([] { setpgid(0, 0); });
    process.start(LAGGARD_MPIEXEC, arguments + command);
}

void RecordedJob::stop(QProcess &process) {
    const auto group = static_cast<pid_t>(process.processId());
    if (process.state() == QProcess::NotRunning || group <= 0)
        return;
    // mpiexec ends its processes when it is told to.
    kill(group, SIGTERM);
    if (!process.waitForFinished(5000)) {
        process.kill();
        process.waitForFinished();
    }
}

RecordedJob::Result RecordedJob::finish(QProcess &process) {
    Result result;
    if (process.waitForFinished(60000))
        result.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    else
        stop(process);
    result.output = QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    result.output.sort();
    result.errors = QString::fromUtf8(process.readAllStandardError());
    return result;
}

RecordedJob::Result RecordedJob::runPlain(const QStringList &command) {
    QProcess process;
    start(process, command, false);
    return finish(process);
}

RecordedJob::Result RecordedJob::run(const QStringList &command) {
    QProcess process;
    start(process, command, true);
    return finish(process);
}

const RecordingFile &RecordedJob::file(int rank) {
    if (m_files.empty()) {
        const QFileInfoList found = QDir(folder()).entryInfoList({QString("*") + fileSuffix});
        for (const QFileInfo &info : found) {
            auto file = std::make_unique<RecordingFile>(info.filePath().toStdString());
            m_files[file->header().rank] = std::move(file);
        }
    }
    const auto found = m_files.find(rank);
    if (found == m_files.end())
        qFatal("there is no recording of rank %d", rank);
    return *found->second;
}

QStringList RecordedJob::calls(int rank, std::uint32_t thread) { return Describer(file(rank)).describeCalls(thread); }

std::map<QString, std::uint64_t> RecordedJob::communicatorKeys(int rank) {
    const RecordingFile &recording = file(rank);
    const Describer describer(recording);
    std::map<QString, std::uint64_t> keys;
    for (std::uint32_t i = 0; i < recording.definitions().communicators.size(); ++i)
        keys[describer.communicator(i)] = recording.definitions().communicators[i].key;
    return keys;
}

QStringList RecordedJob::warnings() {
    QStringList all;
    for (int rank = 0; rank < ranks; ++rank) {
        for (const auto &warning : file(rank).warnings())
            all << QString::fromStdString(warning.message);
        if (file(rank).header().droppedRecords > 0)
            all << QString("rank %1 has dropped records").arg(rank);
    }
    return all;
}
