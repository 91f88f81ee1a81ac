// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/CompareJob.h"
#include "app/window/ComparedRun.h"
#include "app/window/Document.h"
#include "views/compare/Counterparts.h"
#include "views/compare/OtherRunPane.h"
#include "views/compare/RunAlignment.h"

#include <QObject>

class QDockWidget;

namespace laggard {

class BothRunsPanel;
class Workspace;

/// Another run beside the one of the workspace: its timeline in a dock below this one's, with time, selection and cursor of both
/// linked, and a dock with what both have. The docks are there while there is a comparison.
class RunComparison : public QObject {
    Q_OBJECT

  public:
    explicit RunComparison(Workspace &workspace);
    ~RunComparison() override;

    /// Reads another run beside the window, in place of the one before, or none (an empty path). Nothing without a document.
    void start(const ComparedRun &run);
    /// Ends reading or showing. What the user sees is as before.
    void close();
    [[nodiscard]] bool isOpen() const { return !m_path.isEmpty(); }
    /// What is compared and how; an empty path without a comparison.
    [[nodiscard]] ComparedRun compared() const;
    /// The other run; null until it was read.
    [[nodiscard]] const OtherRunPtr &other() const { return m_run; }
    [[nodiscard]] OtherRunPane *pane() const { return m_pane; }
    [[nodiscard]] BothRunsPanel *panel() const { return m_panel; }
    [[nodiscard]] const RunAlignment &alignment() const { return m_alignment; }

    /// Shows one of the departures in both runs, which are then aligned at it.
    void showDeparture(std::size_t departure);

  signals:
    /// The other run is shown (`error` is empty), or it is not, and `error` says why.
    void ended(const QString &error);
    /// There is a comparison now, or there is none any more.
    void changed();

  private:
    void openDocks();
    void placeDocks();
    void show(const OtherRunPtr &run);
    void connectPane();
    void align();
    void offerAlignments();
    /// The moments of this run and the other that the chosen alignment takes for the same; nothing if it is not possible.
    [[nodiscard]] std::optional<std::pair<Tick, Tick>> moments(AlignedAt alignment) const;
    [[nodiscard]] std::optional<std::pair<Tick, Tick>> phaseMoments() const;
    void followZoom();
    void followSelection();
    [[nodiscard]] const Trace &here() const;

    Workspace &m_workspace;
    CompareJob *m_job;
    QString m_path;
    ComparedRun m_wanted; ///< how to align once it was read
    OtherRunPtr m_run;
    RunAlignment m_alignment;
    Counterparts m_toThere;
    Counterparts m_toHere;
    std::size_t m_departure = 0;    ///< that AlignedAt::Departure is about
    bool m_isFollowing = false;     ///< one timeline is following the other
    OtherRunPane *m_pane = nullptr; ///< this and the following: while there is a comparison
    BothRunsPanel *m_panel = nullptr;
    QDockWidget *m_paneDock = nullptr;
    QDockWidget *m_panelDock = nullptr;
};

} // namespace laggard
