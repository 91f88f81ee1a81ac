// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/details/CallDetails.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <memory>

namespace laggard {

class ItemView;

/// Details as rows of name and value; heads of parts are bold, and what can be selected has an arrow.
class DetailsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, Value, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<Detail> details);
    [[nodiscard]] const std::vector<Detail> &details() const { return m_details; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    std::vector<Detail> m_details;
};

/// Everything that is known of what is selected, in one place. Enter or a click on a caller or a partner selects that.
class DetailsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit DetailsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Without `trace` or `pyramid` the panel is empty; `waits` may be null.
    void setReport(TracePtr trace, TracePyramidPtr pyramid, std::shared_ptr<const WaitForGraph> waits);
    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] const DetailsModel &model() const { return m_model; }

  signals:
    /// A partner or caller was selected here.
    void chosen();

  private:
    void rebuild();
    void choose(const QModelIndex &index, SelectMode mode);

    SelectionModel &m_selection;
    TracePtr m_trace;
    TracePyramidPtr m_pyramid;
    std::shared_ptr<const WaitForGraph> m_waits;
    DetailsModel m_model;
    ItemView *m_view;
};

} // namespace laggard
