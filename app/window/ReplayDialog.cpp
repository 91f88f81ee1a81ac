// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/ReplayDialog.h"

#include "app/window/ReplayJob.h"
#include "views/kit/Text.h"
#include "views/process/ChildProgram.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace laggard {
namespace {

constexpr ChildProgram recorder{"laggard-record", "LAGGARD_RECORDER", "collect/launch", "which records jobs",
                                "build laggard-record, or "};

/// A folder beside the recording that is not there yet.
QString newFolderBeside(const QString &recording, const replay::Exchange &exchange) {
    const QFileInfo given(recording);
    const QString folder = given.isDir() ? given.absoluteFilePath() : given.absolutePath();
    const QString name = folder + QStringLiteral("-exchange-%1-%2").arg(exchange.rank).arg(exchange.call);
    QString free = name;
    for (int number = 2; QFileInfo::exists(free); ++number)
        free = name + QStringLiteral("-%1").arg(number);
    return free;
}

QString launcherFor(const recording::RecordedCommand &recorded) {
    QString program = QStringLiteral("mpiexec");
    // Where several MPIs are installed, each has a launcher of its own.
    if (const QString own = program + QLatin1Char('.') + QString::fromStdString(recorded.mpi);
        !recorded.mpi.empty() && !QStandardPaths::findExecutable(own).isEmpty())
        program = own;
    return program + QStringLiteral(" -n %1").arg(recorded.ranks);
}

std::vector<std::string> wordsIn(const QString &text) {
    std::vector<std::string> words;
    for (const QString &word : QProcess::splitCommand(text))
        words.push_back(word.toStdString());
    return words;
}

} // namespace

ReplayDialog::ReplayDialog(const QString &recording, const replay::Exchange &exchange, const QString &what, QWidget *parent)
    : QDialog(parent),
      m_job(new ReplayJob(this)),
      m_launcher(new QLineEdit),
      m_output(new QLineEdit),
      m_text(new QPlainTextEdit),
      m_state(new QLabel) {
    m_command.recording = QFileInfo(recording).absoluteFilePath().toStdString();
    m_command.exchange = exchange;
    build(what);
    m_output->setText(newFolderBeside(recording, exchange));
    connect(m_launcher, &QLineEdit::textChanged, this, &ReplayDialog::showCommand);
    connect(m_output, &QLineEdit::textChanged, this, &ReplayDialog::showCommand);
    connect(m_job, &ReplayJob::prepared, this, &ReplayDialog::takeCommand);
    connect(m_job, &ReplayJob::finished, this, &ReplayDialog::takeEnd);
    connect(m_job, &Job::failed, this, [this](const QString &sentence) {
        setRunning(false);
        m_state->setText(sentence);
        emit failed();
    });
    connect(&m_clock, &QTimer::timeout, this, [this] {
        m_state->setText(tr("The job has run for %1 s. If it hangs, end it: its recording then tells who waits for whom.")
                             .arg(m_since.elapsed() / 1000));
    });
    m_state->setText(tr("The recording is being read …"));
    m_job->prepare(recording);
}

ReplayDialog::~ReplayDialog() = default;

void ReplayDialog::build(const QString &what) {
    setWindowTitle(tr("Replay in another order"));
    resize(720, sizeHint().height());
    auto *sentence = new QLabel(what);
    sentence->setWordWrap(true);
    sentence->setTextFormat(Qt::PlainText);
    auto *form = new QFormLayout;
    form->addRow(tr("&Launcher:"), m_launcher);
    form->addRow(tr("New &recording:"), m_output);
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setMinimumHeight(m_text->fontMetrics().height() * 6);
    m_text->setAccessibleName(tr("The command"));
    m_text->setTabChangesFocus(true);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy = buttons->addButton(tr("Cop&y the command"), QDialogButtonBox::ActionRole);
    m_end = buttons->addButton(tr("&End the job"), QDialogButtonBox::ActionRole);
    m_run = buttons->addButton(tr("R&un it here"), QDialogButtonBox::ActionRole);
    m_run->setEnabled(false);
    m_end->setVisible(false);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(sentence);
    layout->addLayout(form);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command()); });
    connect(m_run, &QPushButton::clicked, this, &ReplayDialog::start);
    connect(m_end, &QPushButton::clicked, this, [this] {
        m_clock.stop();
        m_end->setEnabled(false);
        m_state->setText(tr("The job is being ended …"));
        m_job->end();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString ReplayDialog::command() const { return m_text->toPlainText(); }
QString ReplayDialog::state() const { return m_state->text(); }

void ReplayDialog::takeCommand(const recording::RecordedCommand &command) {
    m_recorded = command;
    m_launcher->setText(launcherFor(command));
    m_state->setText(command.problem.empty()
                         ? tr("It runs in %1, with the environment that this window has, as the recording keeps none.")
                               .arg(toLine(command.folder))
                         : tr("%1 Put the program in place of ./app ARGUMENTS, and run the command where it was run.")
                               .arg(toText(command.problem)));
    showCommand();
    emit prepared();
}

void ReplayDialog::showCommand() {
    m_command.launcher = wordsIn(m_launcher->text());
    m_command.output = m_output->text().toStdString();
    m_command.program = m_recorded.arguments;
    if (m_recorded.arguments.empty())
        m_command.program = {"./app", "ARGUMENTS"};
    m_text->setPlainText(toText(replay::shellText(replay::wordsOf(m_command))));
    m_run->setEnabled(!m_isRunning && m_recorded.problem.empty() && !m_recorded.arguments.empty() &&
                      !m_command.launcher.empty() && !m_command.output.empty());
}

void ReplayDialog::start() {
    if (QFileInfo::exists(m_output->text())) {
        m_state->setText(tr("%1 is there already: choose another folder for the new recording.").arg(m_output->text()));
        return;
    }
    replay::ReplayCommand command = m_command;
    try {
        command.recorder = findChildProgram(recorder).toStdString();
    } catch (const ChildError &error) {
        m_state->setText(toText(error.what()));
        return;
    }
    setRunning(true);
    m_job->start(replay::wordsOf(command), m_output->text(), QString::fromStdString(m_recorded.folder));
}

void ReplayDialog::setRunning(bool isRunning) {
    m_isRunning = isRunning;
    m_end->setVisible(isRunning);
    m_end->setEnabled(isRunning);
    m_launcher->setEnabled(!isRunning);
    m_output->setEnabled(!isRunning);
    m_run->setEnabled(!isRunning);
    if (isRunning) {
        m_since.start();
        m_clock.start(1000);
        m_state->setText(tr("The job runs."));
        m_end->setFocus();
    } else {
        m_clock.stop();
    }
}

void ReplayDialog::takeEnd(const ReplayEnd &end) {
    setRunning(false);
    if (!end.isRecorded) {
        m_state->setText(tr("The job has recorded nothing (exit status %1). %2").arg(end.status).arg(end.said));
        emit failed();
        return;
    }
    const QString how = end.wasEnded      ? tr("The job was ended; its recording is shown below.")
                        : end.status == 0 ? tr("The job has finished; its recording is shown below.")
                                          : tr("The job ended with status %1; its recording is shown below.").arg(end.status);
    m_state->setText(end.said.isEmpty() ? how : how + QLatin1Char('\n') + end.said);
    emit recorded(m_output->text(), how);
}

} // namespace laggard
