// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QToolButton;

namespace laggard {

/// The answer above all panels: what became of the job at a glance, a headline, and three figures. *More* unfolds it: the
/// sentences, how sure they are, what was damaged, where the suspects ran and how to get into them.
class VerdictPanel : public QWidget {
    Q_OBJECT

  public:
    explicit VerdictPanel(QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setVerdict(TracePtr trace, std::shared_ptr<const Verdict> verdict);
    void setUnfolded(bool unfolded);
    [[nodiscard]] bool isUnfolded() const { return m_isUnfolded; }
    [[nodiscard]] QToolButton *more() const { return m_more; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    /// The user has folded or unfolded it.
    void unfoldedChanged(bool unfolded);

  protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void showVerdict();
    void showFigures();
    void showFold();
    [[nodiscard]] QWidget *makeDetails();

    struct FigureLabels {
        QWidget *box;
        QLabel *value;
        QLabel *label;
    };
    TracePtr m_trace;
    std::shared_ptr<const Verdict> m_verdict;
    bool m_isUnfolded = false;
    QLabel *m_icon;
    QLabel *m_state;
    QLabel *m_headline;
    std::vector<FigureLabels> m_figures;
    QToolButton *m_more;
    QWidget *m_details;
    QLabel *m_summary;
    QLabel *m_confidence;
    QLabel *m_hosts;
    QLabel *m_damage;
    QLabel *m_attach;
    QPushButton *m_copyAttach;
};

} // namespace laggard
