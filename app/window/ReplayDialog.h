// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replay/ReplayCommand.h"
#include "ingest/recording/RecordedCommand.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace laggard {

class ReplayJob;
struct ReplayEnd;

/// Shows the command that runs a recorded job again up to a call, where another message comes first; and runs it, if the
/// recording tells with what the program was started, and somebody says so.
class ReplayDialog : public QDialog {
    Q_OBJECT

  public:
    /// `what`: the exchange, in a sentence. Begins to read the recording at once.
    ReplayDialog(const QString &recording, const replay::Exchange &exchange, const QString &what, QWidget *parent = nullptr);
    ~ReplayDialog() override;

    /// The command as it stands there.
    [[nodiscard]] QString command() const;
    [[nodiscard]] QLineEdit *launcher() const { return m_launcher; }
    [[nodiscard]] QLineEdit *output() const { return m_output; }
    [[nodiscard]] QPushButton *runButton() const { return m_run; }
    [[nodiscard]] QPushButton *endButton() const { return m_end; }
    /// What is being done, or why nothing can be.
    [[nodiscard]] QString state() const;

  signals:
    /// The recording was read: the command is whole, or `state` says what is missing.
    void prepared();
    /// The job has ended, and there is a new recording. `said`: how it went, a sentence.
    void recorded(const QString &folder, const QString &said);
    /// It has ended without one; `state` says why.
    void failed();

  private:
    void build(const QString &what);
    void takeCommand(const recording::RecordedCommand &command);
    void showCommand();
    void start();
    void takeEnd(const ReplayEnd &end);
    void setRunning(bool isRunning);

    replay::ReplayCommand m_command;
    recording::RecordedCommand m_recorded;
    ReplayJob *m_job;
    QLineEdit *m_launcher;
    QLineEdit *m_output;
    QPlainTextEdit *m_text;
    QLabel *m_state;
    QPushButton *m_run;
    QPushButton *m_end;
    QPushButton *m_copy;
    QTimer m_clock;
    QElapsedTimer m_since;
    bool m_isRunning = false;
};

} // namespace laggard
