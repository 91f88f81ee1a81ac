// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/Slicer.h"

#include "app/slice/SlicerFiles.h"
#include "ingest/slice/SliceReader.h"
#include "trace/Printable.h"
#include "trace/Work.h"
#include "views/process/ChildProgram.h"
#include "views/source/SourceText.h"

#include <QFile>
#include <QTemporaryDir>

#include <map>

namespace laggard {
namespace {

constexpr ChildProgram slicer{"laggard-slice", "LAGGARD_SLICE", "slice", "which slices programs",
                              "it is built where LLVM and Clang 14 are installed (scripts/install-dependencies), or "};

/// The slicer keeps to its time by itself; one that does not is ended after so much more, which reading and writing may take.
constexpr std::chrono::seconds grace{30};

/// A line takes some 300 bytes: this is the whole of a program of 200,000 lines.
constexpr qsizetype mostOutput = 64'000'000;

constexpr qsizetype mostCode = 400; ///< letters of a line that are kept

void write(const QString &path, const std::string &text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()) || !file.flush())
        throw SliceError("What the slicer reads cannot be written to \"" + path.toStdString() +
                         "\": " + file.errorString().toStdString() + '.');
}

std::string secondsText(std::chrono::milliseconds time) {
    return QString::number(static_cast<double>(time.count()) / 1000).toStdString() + " s";
}

/// The first line of what the slicer complains about, as one sentence.
std::string complaintOf(const ChildOutput &output, const std::string &program) {
    std::string why = printable(output.complaint.left(2000).trimmed().split('\n').front().left(600).toStdString());
    if (const std::string_view name = "laggard-slice: "; why.starts_with(name))
        why.erase(0, name.size());
    if (why.empty())
        return "The slicer " + program + " ended with status " + std::to_string(output.status) + '.';
    return "The program could not be sliced: " + why + (why.ends_with('.') ? "" : ".");
}

void throwUnlessDone(const ChildOutput &output, const QString &path, std::chrono::milliseconds time) {
    const std::string program = path.toStdString();
    switch (output.end) {
    case ChildOutput::End::NotStarted:
        throw SliceError("The slicer " + program + " could not be started: " + output.error.toStdString() + '.');
    case ChildOutput::End::TimedOut:
        throw SliceError("The slice was not done within " + secondsText(time) + '.');
    case ChildOutput::End::Stopped:
        throw Cancelled();
    case ChildOutput::End::Endless:
        throw SliceError("The slicer " + program + " writes without end; it was ended.");
    case ChildOutput::End::Crashed:
        throw SliceError("The slicer " + program + " crashed.");
    case ChildOutput::End::Exited:
        break;
    }
    if (output.status != 0)
        throw SliceError(complaintOf(output, program));
}

/// Gives lines their code where the slicer has not.
void readCode(Slice &slice, const PathMap &paths) {
    std::map<std::string, QStringList> files;
    for (SliceLine &line : slice.lines) {
        if (!line.code.empty())
            continue;
        const auto [entry, isNew] = files.try_emplace(line.file);
        if (isNew)
            if (const QString file = paths.find(QString::fromStdString(line.file)).file; !file.isEmpty())
                entry->second = readSource(file).text.split('\n');
        if (line.line <= static_cast<std::size_t>(entry->second.size()))
            line.code = entry->second[static_cast<qsizetype>(line.line) - 1].trimmed().left(mostCode).toStdString();
    }
}

} // namespace

QString findSlicer() {
    try {
        return findChildProgram(slicer);
    } catch (const ChildError &error) {
        throw SliceError(error.what());
    }
}

QStringList slicerArguments(std::size_t stacks, const QString &folder, const SliceInput &input, const SliceSettings &settings) {
    QStringList arguments;
    for (std::size_t i = 0; i < stacks; ++i)
        arguments << "--stack" << folder + "/stack-" + QString::number(i);
    arguments << "--messages" << folder + "/messages.json";
    for (const QString &file : input.files)
        arguments << (input.from == SliceInput::From::CompileCommands ? "--compile-commands"
                      : input.from == SliceInput::From::Binaries      ? "--binary"
                                                                      : "--source")
                  << file;
    for (const PathMap::Rule &rule : input.paths.rules())
        arguments << "--path-map" << rule.from + '=' + rule.to;
    if (settings.depth != 0)
        arguments << "--depth" << QString::number(settings.depth);
    if (settings.thin)
        arguments << "--thin";
    arguments << "--timeout" << QString::number(static_cast<double>(settings.time.count()) / 1000) << "--json"
              << "-";
    return arguments;
}

Slice runSlicer(const SliceQuestion &question, const SliceInput &input, const SliceSettings &settings, std::stop_token stop) {
    const QString program = findSlicer();
    const QTemporaryDir folder; // for the user alone
    if (!folder.isValid())
        throw SliceError("What the slicer reads cannot be written: " + folder.errorString().toStdString() + '.');
    for (std::size_t i = 0; i < question.stacks.size(); ++i)
        write(folder.filePath("stack-" + QString::number(i)), stackText(question.stacks[i]));
    write(folder.filePath("messages.json"), messagesText(question.messages));
    const std::chrono::milliseconds time = settings.time + grace;
    const ChildOutput output = runChild(program, slicerArguments(question.stacks.size(), folder.path(), input, settings), {},
                                        {std::move(stop), time, mostOutput});
    throwUnlessDone(output, program, time);
    try {
        Slice slice = readSlice(std::string_view(output.answer.constData(), static_cast<std::size_t>(output.answer.size())));
        readCode(slice, input.paths);
        return slice;
    } catch (const ReadError &error) {
        throw SliceError(error.what());
    }
}

} // namespace laggard
