// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QWidget;

namespace laggard {

/// Where the panels of a workspace are: which stand side by side, which are tabs, how they share the room, and how all this is
/// kept, restored and reset. Names of docks are those of the workspace: "findings", "groups", "source", "stack", "tree",
/// "details", "timeline", "suspects", "records", "phases", "clusters", "statemodel", "transition", "contributions", "profile",
/// "legend", "warnings", "info".
class DockLayout : public QObject {
    Q_OBJECT

  public:
    explicit DockLayout(QMainWindow &window);

    /// A panel in a dock of its own; saved layouts know it by its name.
    void add(const QString &title, const QString &name, QWidget *panel, Qt::DockWidgetArea area);
    /// The same for a panel that shows events: without events `sentence` is in its place.
    void addOfEvents(const QString &title, const QString &name, QWidget *panel, Qt::DockWidgetArea area, const QString &sentence);
    [[nodiscard]] const QList<QDockWidget *> &all() const { return m_docks; }

    /// Opens the panel, brings it to the front and gives it the focus.
    void show(QWidget *panel);
    /// The same, and the focus stays where it is.
    void bringToFront(QWidget *panel);
    /// Panels of events, and of phases, in their places or, without these, closed.
    void setHasEvents(bool hasEvents, bool hasPhases);

    /// To be called when the window is shown: only then are the sizes known that the docks share.
    void windowShown();
    /// Until then the docks have no sizes worth keeping.
    [[nodiscard]] bool wasShown() const { return m_wasShown; }

    /// All docks where they are in a new window.
    void reset();
    /// Where the docks are, for `restore`.
    [[nodiscard]] QByteArray save() const;
    /// Puts the docks where `save` found them. Where that cannot be read the docks stay.
    void restore(const QByteArray &state);

  private:
    [[nodiscard]] QDockWidget *dock(const char *name) const;
    [[nodiscard]] bool restoreDocks(const QByteArray &state);
    void arrange();
    void placeCharts();
    void shareRoom();
    void showEventPanels();
    /// The docks are where they are for a trace with events.
    void forgetHidden();

    /// Which panels of a document have something to show.
    enum class Filled { All, Phases, Neither };
    QMainWindow &m_window;
    QList<QDockWidget *> m_docks;
    QList<QStackedWidget *> m_eventPanels; ///< the sentence is the second page
    Filled m_filled = Filled::All;
    Filled m_laidOutFor = Filled::All; ///< the others are closed
    bool m_wasShown = false;
    QByteArray m_layoutWithEvents;  ///< while there are no events: where the docks were before; else empty
    QList<QDockWidget *> m_toRaise; ///< as soon as there are tabs; empty when that is done
    QByteArray m_saved;             ///< to be restored when the size is known; empty: the first layout
};

} // namespace laggard
