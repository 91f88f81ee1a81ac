// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace laggard {

/// Asks to which job to attach, and how often to look.
class AttachDialog : public QDialog {
    Q_OBJECT

  public:
    /// In the order of the list.
    enum class Target { OnlyJob, Launcher, Processes, Cores, Slurm, Hosts };

    explicit AttachDialog(QWidget *parent = nullptr);

    void setTarget(Target target);
    /// What belongs to the target: process numbers, files, a job, separated by spaces or line ends.
    void setText(const QString &text);
    /// Arguments for laggard-attach, without where to write.
    [[nodiscard]] QStringList arguments() const;
    /// Each node gives a file: the output is a folder.
    [[nodiscard]] bool givesFolder() const;

  private:
    [[nodiscard]] Target target() const;
    void showTarget();
    void chooseFiles();

    QComboBox *m_target;
    QLabel *m_textLabel;
    QLineEdit *m_text;
    QPushButton *m_choose;
    QLabel *m_programLabel;
    QLineEdit *m_program; ///< the program that core files are of
    QSpinBox *m_samples;
    QDoubleSpinBox *m_interval;
    QPushButton *m_attach;
};

} // namespace laggard
