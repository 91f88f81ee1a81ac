// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/DockLayout.h"

#include "app/window/PanelPlaces.h"
#include "app/window/PanelTitle.h"

#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QIODevice>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace laggard {
namespace {

/// Version of a layout of docks; earlier ones had the graph in the middle (0 to 3), or no details (4).
constexpr int layoutVersion = 5;
constexpr quint32 savedMark = 0x4c47'4c51; // "LGLQ": layouts by question
constexpr qsizetype mostSaved = 1 << 20;   // bytes: a layout has a few thousand

/// A panel in its dock. It asks for the same room whatever the panel shows: docks move when what is in them asks for more.
class PanelRoom : public QWidget {
  public:
    explicit PanelRoom(QWidget *panel) : m_panel(panel) {
        panel->setParent(this);
        setFocusProxy(panel);
    }
    [[nodiscard]] QWidget *panel() const { return m_panel; }
    [[nodiscard]] QSize sizeHint() const override { return {360, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {140, 60}; }

  protected:
    void resizeEvent(QResizeEvent *) override { m_panel->setGeometry(rect()); }

  private:
    QWidget *m_panel;
};

QString firstName(const PanelPlaces &places) {
    return places.form == PanelPlaces::Form::Tabs ? places.tabs.front() : firstName(places.parts.front());
}

/// The first panel of each place with tabs.
QStringList frontNames(const PanelPlaces &places) {
    if (places.form == PanelPlaces::Form::Tabs)
        return {places.tabs.front()};
    QStringList names;
    for (const PanelPlaces &part : places.parts)
        names << frontNames(part);
    return names;
}

QByteArray written(Question question, const QMap<int, QByteArray> &states) {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << savedMark << qint32(question) << states;
    return bytes;
}

/// False for anything that `written` did not write.
bool readBack(const QByteArray &bytes, Question &question, QMap<int, QByteArray> &states) {
    if (bytes.isEmpty() || bytes.size() > mostSaved)
        return false;
    QDataStream in(bytes);
    in.setVersion(QDataStream::Qt_6_4);
    quint32 mark = 0;
    qint32 number = 0;
    in >> mark >> number;
    if (mark != savedMark || in.status() != QDataStream::Ok || number < 0 || number >= qint32(questions.size()))
        return false;
    in >> states;
    if (in.status() != QDataStream::Ok)
        return false;
    question = static_cast<Question>(number);
    states.removeIf([](const std::pair<const int &, QByteArray &> &entry) {
        return entry.first < 0 || entry.first >= static_cast<int>(questions.size());
    });
    return true;
}

} // namespace

DockLayout::DockLayout(QMainWindow &window) : QObject(&window), m_window(window) {
    // What is in the middle differs from question to question: it is a panel, too.
    auto *centre = new QWidget(&window);
    window.setCentralWidget(centre);
    centre->hide();
    window.installEventFilter(this);
}

void DockLayout::add(const QString &title, const QString &name, QWidget *panel) {
    auto *dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name); // saveState goes by it
    dock->setWidget(new PanelRoom(panel));
    auto *bar = new PanelTitle(*dock);
    dock->setTitleBarWidget(bar);
    connect(bar, &PanelTitle::maximiseRequested, this, [this, dock] { maximise(dock); });
    bar->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(bar, &QWidget::customContextMenuRequested, this,
            [this, dock, bar](QPoint at) { showMenu(*dock, bar->mapToGlobal(at)); });
    m_window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    if (!m_docks.isEmpty()) // one below the other they would make the window as high as all of them
        m_window.tabifyDockWidget(m_docks.front(), dock);
    m_docks.append(dock);
}

void DockLayout::addOfEvents(const QString &title, const QString &name, QWidget *panel, const QString &sentence) {
    auto *pages = new QStackedWidget(&m_window);
    auto *note = new QLabel(sentence, pages);
    note->setAlignment(Qt::AlignCenter);
    note->setWordWrap(true);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    note->setFocusPolicy(Qt::StrongFocus);
    pages->addWidget(panel);
    pages->addWidget(note);
    pages->setFocusProxy(panel);
    connect(pages, &QStackedWidget::currentChanged, pages, [pages] { pages->setFocusProxy(pages->currentWidget()); });
    m_eventPanels.append(pages);
    add(title, name, pages);
}

QDockWidget *DockLayout::dock(const QString &name) const {
    const auto found = std::ranges::find(m_docks, name, &QDockWidget::objectName);
    return found == m_docks.end() ? nullptr : *found;
}

QDockWidget *DockLayout::dockOf(const QWidget *widget) const {
    const auto found =
        std::ranges::find_if(m_docks, [widget](QDockWidget *dock) { return dock == widget || dock->isAncestorOf(widget); });
    return found == m_docks.end() ? nullptr : *found;
}

void DockLayout::show(QWidget *panel) {
    bringToFront(panel);
    if (QDockWidget *dock = dockOf(panel))
        dock->widget()->setFocus();
}

void DockLayout::bringToFront(QWidget *panel) {
    QDockWidget *dock = dockOf(panel);
    if (dock == nullptr)
        return;
    if (m_maximised != nullptr && dock != m_maximised)
        maximise(nullptr);
    dock->show();
    dock->raise();
    if (!m_toRaise.isEmpty())
        m_toRaise.append(dock);
}

void DockLayout::setQuestion(Question question) {
    if (question == m_question)
        return;
    keep();
    m_question = question;
    if (m_wasShown)
        apply();
    emit questionChanged(question);
}

void DockLayout::setHasEvents(bool hasEvents, bool hasPhases) {
    const Filled filled = hasEvents ? Filled::All : hasPhases ? Filled::Phases : Filled::Neither;
    if (filled == m_filled)
        return;
    keep();
    m_filled = filled;
    for (QStackedWidget *pages : m_eventPanels)
        pages->setCurrentIndex(m_filled == Filled::All ? 0 : 1);
    if (m_wasShown)
        apply();
}

/// The graph is what a model dump has: it takes the room of what stays empty. Such layouts are not kept.
void DockLayout::closeEmptyPanels() {
    if (m_filled == Filled::All)
        return;
    for (const char *name : {"timeline", "suspects", "records", "lateness", "contributions", "profile", "functions", "waiting",
                             "races", "units", "legend"})
        dock(name)->hide();
    if (m_filled == Filled::Neither)
        for (const char *name : {"phases", "clusters", "statemodel", "transition"})
            dock(name)->hide();
}

void DockLayout::keep() {
    if (m_wasShown && m_filled == Filled::All)
        m_states[static_cast<int>(m_question)] = m_maximised != nullptr ? m_beforeMaximised : m_window.saveState(layoutVersion);
}

void DockLayout::apply() {
    m_maximised = nullptr;
    m_beforeMaximised.clear();
    m_window.setUpdatesEnabled(false);
    const QByteArray state = m_filled == Filled::All ? m_states.value(static_cast<int>(m_question)) : QByteArray();
    if (state.isEmpty() || !m_window.restoreState(state, layoutVersion))
        arrange();
    closeEmptyPanels();
    dock("findings")->show(); // the reasons of the verdict are in view, whatever was closed or in front of them
    raiseSoon({dock("findings")});
    m_window.setUpdatesEnabled(true);
}

void DockLayout::windowShown() {
    if (m_wasShown)
        return;
    m_wasShown = true;
    apply();
}

void DockLayout::reset() {
    m_states.remove(static_cast<int>(m_question));
    if (m_wasShown)
        apply();
}

QByteArray DockLayout::save() {
    keep();
    return written(m_question, m_states);
}

void DockLayout::restore(const QByteArray &state) {
    Question question = m_question;
    QMap<int, QByteArray> states;
    if (!readBack(state, question, states))
        return;
    m_states = std::move(states);
    const bool isOther = std::exchange(m_question, question) != question;
    if (m_wasShown)
        apply();
    if (isOther)
        emit questionChanged(question);
}

void DockLayout::maximise(QDockWidget *dock) {
    if (m_maximised != nullptr) {
        const bool isSame = dock == m_maximised || dock == nullptr;
        QWidget *focus = std::exchange(m_maximised, nullptr)->widget();
        (void)m_window.restoreState(std::exchange(m_beforeMaximised, {}), layoutVersion);
        focus->setFocus();
        if (isSame)
            return;
    }
    if (dock == nullptr || dock->isFloating())
        return;
    m_beforeMaximised = m_window.saveState(layoutVersion);
    m_maximised = dock;
    for (QDockWidget *each : m_docks)
        if (each != dock && !each->isFloating())
            each->hide();
    dock->show();
    dock->widget()->setFocus();
}

void DockLayout::raiseSoon(const QList<QDockWidget *> &docks) {
    // Tabs exist once the layout was activated: raising a dock before that is forgotten.
    const bool isWaiting = !m_toRaise.isEmpty();
    m_toRaise << docks;
    if (isWaiting)
        return;
    QTimer::singleShot(0, this, [this] {
        for (QDockWidget *dock : std::exchange(m_toRaise, {}))
            if (!dock->isHidden())
                dock->raise();
        dressTabs();
    });
}

void DockLayout::arrange() {
    const PanelPlaces places = placesFor(m_question, m_window.height());
    for (QDockWidget *each : m_docks) {
        each->setFloating(false);
        m_window.removeDockWidget(each);
    }
    QDockWidget *first = dock(firstName(places));
    m_window.addDockWidget(Qt::LeftDockWidgetArea, first);
    first->show();
    place(places, first);
    const QStringList named = namesIn(places);
    QDockWidget *last = dock(named.back());
    // Whose arrows are in the timeline does not cover it.
    QDockWidget *middle = dock(named.contains(QStringLiteral("graph")) ? QStringLiteral("graph") : QStringLiteral("statemodel"));
    for (QDockWidget *each : m_docks)
        if (!named.contains(each->objectName())) {
            // Where it comes when it is opened.
            m_window.tabifyDockWidget(each->objectName() == QLatin1String("races") ? middle : last, each);
            each->hide();
        }
    const QWidget *above = m_window.menuWidget();
    shareRoom(places, m_window.width(), m_window.height() - (above == nullptr ? 0 : above->sizeHint().height()));
    QList<QDockWidget *> fronts;
    for (const QString &name : frontNames(places))
        fronts << dock(name);
    raiseSoon(fronts);
}

/// `first` has all the room of these places.
void DockLayout::place(const PanelPlaces &places, QDockWidget *first) {
    if (places.form == PanelPlaces::Form::Tabs) {
        for (const QString &name : places.tabs)
            if (QDockWidget *each = dock(name); each != first) {
                m_window.tabifyDockWidget(first, each);
                each->show();
            }
        return;
    }
    const bool isRow = places.form == PanelPlaces::Form::Row;
    QDockWidget *before = first;
    for (std::size_t i = 1; i < places.parts.size(); ++i) {
        QDockWidget *next = dock(firstName(places.parts[i]));
        m_window.splitDockWidget(before, next, isRow ? Qt::Horizontal : Qt::Vertical);
        next->show();
        before = next;
    }
    for (const PanelPlaces &part : places.parts)
        place(part, dock(firstName(part)));
}

void DockLayout::shareRoom(const PanelPlaces &places, int width, int height) {
    if (places.form == PanelPlaces::Form::Tabs)
        return;
    const bool isRow = places.form == PanelPlaces::Form::Row;
    const int room = isRow ? width : height;
    int shares = 0;
    for (const PanelPlaces &part : places.parts)
        shares += part.share;
    QList<QDockWidget *> docks;
    QList<int> sizes;
    for (const PanelPlaces &part : places.parts) {
        docks << dock(firstName(part));
        sizes << std::max(room * part.share / shares, isRow ? part.least : 0);
    }
    // What text needs beyond its share is taken from those that need none.
    int excess = -room;
    int flexible = 0;
    for (std::size_t i = 0; i < places.parts.size(); ++i) {
        excess += sizes[static_cast<qsizetype>(i)];
        flexible += places.parts[i].least == 0 ? sizes[static_cast<qsizetype>(i)] : 0;
    }
    for (std::size_t i = 0; excess > 0 && flexible > 0 && i < places.parts.size(); ++i)
        if (int &size = sizes[static_cast<qsizetype>(i)]; places.parts[i].least == 0)
            size = std::max(1, size - excess * size / flexible);
    m_window.resizeDocks(docks, sizes, isRow ? Qt::Horizontal : Qt::Vertical);
    for (std::size_t i = 0; i < places.parts.size(); ++i) {
        const int size = sizes[static_cast<qsizetype>(i)];
        shareRoom(places.parts[i], isRow ? size : width, isRow ? height : size);
    }
}

// --- titles and tabs --------------------------------------------------------------------------------------------------

bool DockLayout::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::LayoutRequest && !std::exchange(m_isDressing, true))
        QTimer::singleShot(0, this, &DockLayout::dressTabs);
    return QObject::eventFilter(watched, event);
}

void DockLayout::dressTabs() {
    for (QDockWidget *each : m_docks) {
        const QList<QDockWidget *> others = m_window.tabifiedDockWidgets(each);
        const bool isAmongTabs =
            !each->isFloating() && std::ranges::any_of(others, [](const QDockWidget *other) { return !other->isHidden(); });
        static_cast<PanelTitle *>(each->titleBarWidget())->setAmongTabs(isAmongTabs); // made by add()
    }
    for (QTabBar *bar : m_window.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly))
        dress(*bar);
    m_isDressing = false;
}

void DockLayout::dress(QTabBar &bar) {
    static constexpr const char *isDressed = "laggardDressed";
    if (bar.property(isDressed).toBool())
        return;
    bar.setProperty(isDressed, true);
    bar.setElideMode(Qt::ElideNone);
    bar.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&bar, &QTabBar::tabBarDoubleClicked, this, [this, &bar](int tab) { maximise(dockOfTab(bar, tab)); });
    connect(&bar, &QWidget::customContextMenuRequested, this, [this, &bar](QPoint at) {
        if (QDockWidget *dock = dockOfTab(bar, bar.tabAt(at)))
            showMenu(*dock, bar.mapToGlobal(at));
    });
}

QDockWidget *DockLayout::dockOfTab(const QTabBar &bar, int tab) const {
    const auto found = std::ranges::find_if(m_docks, [&](const QDockWidget *dock) {
        return tab >= 0 && !dock->isHidden() && dock->windowTitle() == bar.tabText(tab); // titles are unique
    });
    return found == m_docks.end() ? nullptr : *found;
}

void DockLayout::showMenu(QDockWidget &dock, QPoint at) {
    auto *menu = new QMenu(&dock);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_maximised == &dock ? tr("&Back to its place") : tr("&Maximise"), this, [this, &dock] { maximise(&dock); });
    menu->addAction(dock.isFloating() ? tr("&Put back into the window") : tr("&Take out of the window"), &dock,
                    [&dock] { dock.setFloating(!dock.isFloating()); });
    menu->addAction(tr("&Close"), &dock, &QDockWidget::close);
    menu->popup(at);
}

} // namespace laggard
