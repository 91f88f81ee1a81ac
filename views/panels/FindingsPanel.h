// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "views/panels/FindingsModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QPushButton;

namespace laggard {

class ItemView;
class SelectionModel;

/// The answer: what became of the job, how sure that is, what was damaged; below it the findings, best first.
class FindingsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit FindingsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setVerdict(TracePtr trace, std::shared_ptr<const Verdict> verdict);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QByteArray csv() const;

  public slots:
    /// Selects the ranks and the call path of the best finding.
    void chooseFirst();

  protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void choose(const QModelIndex &index, SelectMode mode);
    void layOut();
    void showVerdict();
    void keepWhole();
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const Verdict> m_verdict;
    FindingsModel m_model;
    QLabel *m_icon;
    QLabel *m_state;
    QLabel *m_summary;
    QLabel *m_confidence;
    QLabel *m_damage;
    QLabel *m_hosts;
    QLabel *m_attach;
    QPushButton *m_copyAttach;
    QCheckBox *m_byHost;
    ItemView *m_view;
};

} // namespace laggard
