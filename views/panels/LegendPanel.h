// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/LegendModel.h"
#include "views/selection/Selection.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLineEdit;

namespace laggard {

class ItemView;
class SelectionModel;

/// The legend of the timeline, as Jumpshot-4 has it: per function its colour (changeable), whether it is drawn, how often it was
/// called and how long it took. Choosing a function selects it.
class LegendPanel : public QWidget {
    Q_OBJECT

  public:
    /// What the numbers are about.
    enum class Scope { WholeTrace, ShownWindow, Selection };
    Q_ENUM(Scope)

    LegendPanel(SelectionModel &selection, ZoomFilterStack &filter, QWidget *parent = nullptr);

    /// Statistics by region, for the scope that the user has chosen; empty while they are being computed.
    void setStatistics(TracePtr trace, std::vector<RegionStatistics> statistics);
    /// Where colours come from.
    void setColours(std::function<QColor(RegionId)> colourOf) { m_model.setColours(std::move(colourOf)); }
    /// The function that is drawn in the suspect's colour on the ranks that the verdict names; `none`: there is none.
    void setSuspect(RegionId region) { m_model.setSuspect(region); }
    void coloursChanged() { m_model.coloursChanged(); }

    [[nodiscard]] Scope scope() const;
    void setScope(Scope scope);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QByteArray csv() const;

  signals:
    /// The user wants other numbers: call `setStatistics`.
    void scopeChanged(laggard::LegendPanel::Scope scope);
    /// The user gives a function another colour.
    void colourChosen(laggard::RegionId region, const QColor &colour);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void addRowActions();
    void choose(const QModelIndex &index, SelectMode mode);
    void showSelection(const Selection &selection);
    void askColour();
    void showOnlyMarked();
    [[nodiscard]] std::vector<RegionId> marked() const;
    [[nodiscard]] std::vector<RegionId> listed() const;

    SelectionModel &m_selection;
    ZoomFilterStack &m_filter;
    LegendModel m_model;
    QSortFilterProxyModel m_sorted;
    QComboBox *m_scope;
    QLineEdit *m_search;
    ItemView *m_view;
    RegionId m_shownRegion = none; ///< that the selection has, and whose row is marked for it
};

} // namespace laggard
