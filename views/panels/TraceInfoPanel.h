// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/TraceInfoModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

namespace laggard {

class ItemView;
class SelectionModel;

/// What the open trace is. Choosing a host or a communicator selects its ranks.
class TraceInfoPanel : public QWidget {
    Q_OBJECT

  public:
    explicit TraceInfoPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setTrace(const TracePtr &trace);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QByteArray csv() const;

  private:
    TraceInfoModel m_model;
    ItemView *m_view;
};

} // namespace laggard
