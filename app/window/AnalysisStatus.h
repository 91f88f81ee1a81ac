// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace laggard {

/// What analyses beside the window are doing, small enough for the status bar; hidden while there are none.
class AnalysisStatus : public QWidget {
    Q_OBJECT

  public:
    explicit AnalysisStatus(QWidget *parent = nullptr);

    /// `fraction` is 0..1, negative where the amount of work is unknown.
    void showProgress(const QString &what, double fraction);

  signals:
    void cancelRequested();

  private:
    QLabel *m_what;
    QProgressBar *m_bar;
    QToolButton *m_cancel;
};

} // namespace laggard
