// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "views/panels/FindingsModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

#include <memory>

class QCheckBox;

namespace laggard {

class ItemView;
class SelectionModel;

/// The findings, a card for each cause, best first.
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
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void choose(const QModelIndex &index, SelectMode mode);
    void layOut();
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const Verdict> m_verdict;
    FindingsModel m_model;
    QCheckBox *m_byHost;
    ItemView *m_view;
};

} // namespace laggard
