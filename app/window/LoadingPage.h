// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace laggard {

/// What is being loaded, what is being done, how far it is, and a way to stop it.
class LoadingPage : public QWidget {
    Q_OBJECT

  public:
    explicit LoadingPage(QWidget *parent = nullptr);

    void setFile(const QString &file);
    /// `fraction` is 0..1, negative where the amount of work is unknown.
    void setProgress(const QString &what, double fraction);

  signals:
    void cancelRequested();

  private:
    QLabel *m_file;
    QLabel *m_what;
    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

} // namespace laggard
