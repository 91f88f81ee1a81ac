// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Question.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QTabBar;
class QWidget;

namespace laggard {

struct PanelPlaces;

/// Where the panels of a workspace are, for each question: which stand side by side, which are tabs, how they share the room, and
/// how all this is kept, restored and reset. Panels never ask for more room than they have, so that nothing moves when what they
/// show changes. Names of docks are those of the workspace: "findings", "groups", "graph", "source", "stack", "tree", "timeline",
/// "suspects", "records", "lateness", "phases", "clusters", "statemodel", "slice", "transition", "contributions", "profile",
/// "functions", "waiting", "races", "units", "details", "legend", "warnings", "info".
class DockLayout : public QObject {
    Q_OBJECT

  public:
    explicit DockLayout(QMainWindow &window);

    /// A panel in a dock of its own; saved layouts know it by its name.
    void add(const QString &title, const QString &name, QWidget *panel);
    /// The same for a panel that shows events: without events `sentence` is in its place.
    void addOfEvents(const QString &title, const QString &name, QWidget *panel, const QString &sentence);
    [[nodiscard]] const QList<QDockWidget *> &all() const { return m_docks; }

    [[nodiscard]] Question question() const { return m_question; }
    /// Puts the panels where they were last for another question.
    void setQuestion(Question question);

    /// Opens the panel, brings it to the front and gives it the focus.
    void show(QWidget *panel);
    /// The same, and the focus stays where it is.
    void bringToFront(QWidget *panel);
    /// The dock that a widget is in; null for others.
    [[nodiscard]] QDockWidget *dockOf(const QWidget *widget) const;
    /// Panels of events, and of phases, in their places or, without these, closed.
    void setHasEvents(bool hasEvents, bool hasPhases);

    /// Gives one panel the whole window; the same again, or null, takes that back.
    void maximise(QDockWidget *dock);
    [[nodiscard]] QDockWidget *maximised() const { return m_maximised; }

    /// To be called when the window is shown: only then are the sizes known that the docks share.
    void windowShown();
    /// Until then the docks have no sizes worth keeping.
    [[nodiscard]] bool wasShown() const { return m_wasShown; }

    /// All docks where they are for this question in a new window.
    void reset();
    /// Where the docks are for all questions, for `restore`.
    [[nodiscard]] QByteArray save();
    /// Puts the docks where `save` found them. Docks stay where they are if their place cannot be read.
    void restore(const QByteArray &state);

  signals:
    void questionChanged(laggard::Question question);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    [[nodiscard]] QDockWidget *dock(const QString &name) const;
    void keep();
    void apply();
    void arrange();
    void place(const PanelPlaces &places, QDockWidget *first);
    void shareRoom(const PanelPlaces &places, int width, int height);
    void closeEmptyPanels();
    void raiseSoon(const QList<QDockWidget *> &docks);
    void dressTabs();
    void dress(QTabBar &bar);
    [[nodiscard]] QDockWidget *dockOfTab(const QTabBar &bar, int tab) const;
    void showMenu(QDockWidget &dock, QPoint at);

    /// Which panels of a document have something to show.
    enum class Filled { All, Phases, Neither };
    QMainWindow &m_window;
    QList<QDockWidget *> m_docks;
    QList<QStackedWidget *> m_eventPanels; ///< the sentence is the second page
    Filled m_filled = Filled::All;
    Question m_question = Question::Hang;
    QMap<int, QByteArray> m_states; ///< by question, for those that were left
    bool m_wasShown = false;
    QDockWidget *m_maximised = nullptr;
    QByteArray m_beforeMaximised;
    QList<QDockWidget *> m_toRaise; ///< as soon as there are tabs; empty when that is done
    bool m_isDressing = false;
};

} // namespace laggard
