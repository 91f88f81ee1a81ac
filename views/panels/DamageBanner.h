// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace laggard {

/// A slim bar that says what of the trace could not be read. Stays as long as such a trace is open; hidden otherwise.
class DamageBanner : public QWidget {
    Q_OBJECT

  public:
    explicit DamageBanner(QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setTrace(const TracePtr &trace);
    [[nodiscard]] QString text() const { return m_text; }

  signals:
    void detailsRequested();

  protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    void showText();

    QString m_text;
    QLabel *m_icon;
    QLabel *m_label;
    QToolButton *m_details;
};

} // namespace laggard
