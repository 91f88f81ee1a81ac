// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "trace/Trace.h"
#include "views/selection/SelectionModel.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace laggard {

/// What the views of semi-Markov models share: the report, how its clusters are cut, and the transition that is looked at. Ranks
/// and times are in the selection that all views share.
class SemiMarkovFocus : public QObject {
    Q_OBJECT

  public:
    explicit SemiMarkovFocus(SelectionModel &selection, QObject *parent = nullptr);

    /// Without a report (null, or an empty one) `state` says why there is none.
    void setReport(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, const QString &state = {});
    [[nodiscard]] const TracePtr &trace() const { return m_trace; }
    /// Null where there is nothing to show.
    [[nodiscard]] const SemiMarkovReport *report() const { return m_report.get(); }
    [[nodiscard]] const QString &state() const { return m_state; }
    /// As it was analysed, with the phase of the verdict shown, whatever phase is looked at. Null as `report`.
    [[nodiscard]] const std::shared_ptr<const SemiMarkovReport> &analysed() const { return m_analysed; }
    /// Asks for another phase; whoever can work it out answers with `showPhase`. That of the analysis is there at once.
    void requestPhase(std::uint32_t phase);
    /// The same report with another phase shown (reportOfPhase).
    void showPhase(std::shared_ptr<const SemiMarkovReport> report);

    /// Never null while there is a report.
    [[nodiscard]] const std::shared_ptr<const ClusterCut> &cut() const { return m_cut; }
    /// Asks for another cut of the clusters, soon, as a threshold that is dragged changes often; whoever can work it out answers
    /// with `showCut`.
    void setThreshold(double threshold);
    /// Shows a cut of the shown report's clusters, at the threshold that was asked for last.
    void showCut(std::shared_ptr<const ClusterCut> cut);
    /// The one asked for; the cut follows.
    [[nodiscard]] double threshold() const { return m_threshold; }

    [[nodiscard]] std::optional<std::uint32_t> transition() const { return m_transition; }
    void setTransition(std::optional<std::uint32_t> transition);

    [[nodiscard]] SelectionModel &selection() const { return m_selection; }
    /// Selects the ranks of a cluster.
    void selectCluster(std::uint32_t cluster, SelectMode mode);

  signals:
    /// Another report, or none, or another phase of it is shown.
    void reportChanged();
    /// Another report, or none.
    void analysedChanged();
    void phaseRequested(std::uint32_t phase);
    void cutRequested(const std::shared_ptr<const laggard::SemiMarkovReport> &report, double threshold);
    /// Clusters are others than before; numbers of the old ones mean nothing any more.
    void cutChanged();
    void transitionChanged();

  private:
    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const SemiMarkovReport> m_analysed;
    std::shared_ptr<const SemiMarkovReport> m_report;
    QString m_state;
    std::shared_ptr<const ClusterCut> m_cut;
    double m_threshold = 0;
    std::optional<std::uint32_t> m_transition;
    QTimer m_cutting;
};

} // namespace laggard
