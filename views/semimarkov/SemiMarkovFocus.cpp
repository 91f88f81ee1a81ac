// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/SemiMarkovFocus.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr int cuttingDelay = 150; ///< milliseconds

/// The transition out of the computation in which the ranks spent most time; a job in which nothing is unusual is looked at for
/// what it does.
std::optional<std::uint32_t> mostComputed(const SemiMarkovReport &report, const ClusterCut &cut) {
    std::map<std::uint32_t, double> seconds;
    for (const ClusterCut::Cluster &cluster : cut.clusters)
        for (const ModelTransition &each : cluster.model.transitions)
            if (report.histories.table.isComputation(each.transition))
                seconds[each.transition] += each.times.count * each.times.mean;
    const auto most = std::ranges::max_element(seconds, {}, [](const auto &each) { return each.second; });
    return most == seconds.end() ? std::nullopt : std::optional(most->first);
}

/// What is worth looking at first: the transition of the verdict, else the one that sets the unusual cluster apart, else the one
/// that took most time.
std::optional<std::uint32_t> firstTransition(const SemiMarkovReport &report, const ClusterCut &cut) {
    if (report.verdict.occurrence && report.verdict.occurrence->phase == report.shownPhase)
        return report.verdict.occurrence->transition;
    if (!cut.characteristic.empty())
        return cut.characteristic.front().transition;
    return mostComputed(report, cut);
}

} // namespace

SemiMarkovFocus::SemiMarkovFocus(SelectionModel &selection, QObject *parent) : QObject(parent), m_selection(selection) {
    m_cutting.setSingleShot(true);
    m_cutting.setInterval(cuttingDelay);
    connect(&m_cutting, &QTimer::timeout, this, [this] { emit cutRequested(m_report, m_threshold); });
}

void SemiMarkovFocus::setReport(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, const QString &state) {
    m_state = state;
    if (report && report->empty()) {
        m_state = tr("Too little was recorded for models of what ranks do.");
        report.reset();
    }
    m_trace = std::move(trace);
    m_analysed = std::move(report);
    emit analysedChanged();
    showPhase(m_analysed);
}

void SemiMarkovFocus::requestPhase(std::uint32_t phase) {
    if (!m_analysed || phase >= m_analysed->phases.size())
        return;
    if (phase == m_analysed->shownPhase && m_report != m_analysed)
        showPhase(m_analysed);
    emit phaseRequested(phase); // also ends the work on another one
}

void SemiMarkovFocus::showPhase(std::shared_ptr<const SemiMarkovReport> report) {
    m_cutting.stop();
    m_cut.reset();
    m_transition.reset();
    m_report = std::move(report);
    if (m_report) {
        m_cut = std::make_shared<const ClusterCut>(openingCut(*m_report));
        m_threshold = m_cut->threshold;
        m_transition = firstTransition(*m_report, *m_cut);
    }
    emit reportChanged();
}

void SemiMarkovFocus::setThreshold(double threshold) {
    if (!m_report || threshold == m_threshold)
        return;
    m_threshold = threshold;
    m_cutting.start();
}

void SemiMarkovFocus::showCut(std::shared_ptr<const ClusterCut> cut) {
    if (!m_report || cut->threshold != m_threshold)
        return;
    m_cut = std::move(cut);
    emit cutChanged();
}

void SemiMarkovFocus::setTransition(std::optional<std::uint32_t> transition) {
    if (transition == m_transition)
        return;
    m_transition = transition;
    emit transitionChanged();
}

void SemiMarkovFocus::selectCluster(std::uint32_t cluster, SelectMode mode) {
    if (!m_cut || cluster >= m_cut->clusters.size())
        return;
    Selection chosen;
    chosen.ranks = m_cut->clusters[cluster].ranks;
    m_selection.select(chosen, mode);
}

} // namespace laggard
