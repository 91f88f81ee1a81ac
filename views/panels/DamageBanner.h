// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace laggard {

class ElidedLabel;

/// A slim bar that says what of the trace could not be read. Stays as long as such a trace is open; hidden otherwise.
class DamageBanner : public QWidget {
    Q_OBJECT

  public:
    explicit DamageBanner(QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setTrace(const TracePtr &trace);
    [[nodiscard]] QString text() const;

  signals:
    void detailsRequested();

  protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    void showIcon();

    QLabel *m_icon;
    ElidedLabel *m_label;
    QToolButton *m_details;
};

} // namespace laggard
