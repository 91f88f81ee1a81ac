// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace laggard {

/// Stands where the graph would be empty: why it is, and what there is instead.
class NobodyWaits : public QWidget {
    Q_OBJECT

  public:
    explicit NobodyWaits(QWidget *parent = nullptr);

    /// `sentence` says why; `longestWait` names the moment of the longest wait, empty where there is none.
    void setText(const QString &sentence, const QString &longestWait);

  signals:
    void longestWaitRequested();
    void stateModelRequested();
    void functionsRequested();

  private:
    QLabel *m_sentence;
    QPushButton *m_wait;
};

} // namespace laggard
