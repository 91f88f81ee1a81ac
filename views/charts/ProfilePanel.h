// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Outliers.h"
#include "views/charts/Chart.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace laggard {

class ChartPanel;

/// How the selected ranks spend their time, or, while none is selected, the most suspicious rank. A bar selects the function or
/// call path, in those ranks.
class ProfilePanel : public QWidget {
    Q_OBJECT

  public:
    enum class Kind {
        Contributions, ///< differences to the neighbour that gave the suspect score
        Profile,       ///< shares, beside those of the neighbour and of the nearest reference
    };
    ProfilePanel(Kind kind, SelectionModel &selection, QWidget *parent = nullptr);

    /// Without a ranking `state` says why there is none.
    void setRanking(TracePtr trace, std::shared_ptr<const Ranking> ranking, const QString &state = {});
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }

  signals:
    /// A function or call path was chosen here; the selection has it already.
    void chosen();

  private:
    [[nodiscard]] RankSet shownRanks() const;
    [[nodiscard]] Chart makeChart() const;
    void showRanks();
    void showSelection(const Selection &selection);
    void choose(std::size_t item, SelectMode mode);

    Kind m_kind;
    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const Ranking> m_ranking;
    QString m_state;
    RankSet m_ranks;                 ///< that the chart is about
    std::vector<CallPathId> m_paths; ///< by item
    ChartPanel *m_panel;
};

} // namespace laggard
