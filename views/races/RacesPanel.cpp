// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/races/RacesPanel.h"

#include "trace/Quantity.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/kit/TurnSplitter.h"
#include "views/selection/SelectionModel.h"

#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace laggard {
namespace {

constexpr int widthForBoth = 900; ///< pixels: both lists with their columns readable

ItemView *newList(const QString &what, QAbstractItemModel &model) {
    auto *view = new ItemView(what);
    view->setModel(&model);
    view->setRootIsDecorated(false);
    view->setMinimumHeight(view->fontMetrics().height() * 3); // it scrolls
    return view;
}

} // namespace

RacesPanel::RacesPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_split(new QSplitter(Qt::Vertical)), m_note(new QLabel) {
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(SortRole);
    m_races = newList(tr("Races"), m_sorted);
    m_races->setSortingEnabled(true);
    m_races->sortByColumn(-1, Qt::AscendingOrder);
    m_split->addWidget(m_races);
    m_split->addWidget(makeMessages());
    m_split->setChildrenCollapsible(false);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setMargin(6);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_note);
    setFocusProxy(m_races);
    connect(m_races->selectionModel(), &QItemSelectionModel::currentChanged, this, &RacesPanel::showMessages);
    connect(&m_sorted, &QAbstractItemModel::modelReset, this, &RacesPanel::showMessages);
    connect(m_races, &ItemView::chosen, this, &RacesPanel::chooseRace);
    connect(m_messages, &ItemView::chosen, this, &RacesPanel::chooseMessage);
    connect(m_messages->selectionModel(), &QItemSelectionModel::currentChanged, this, &RacesPanel::enableReplay);
    connect(m_replay, &QPushButton::clicked, this, [this] {
        if (const RacingMessage *message = currentMessage())
            emit exchangeRequested(*current(), *message);
    });
    setReport({}, {});
}

QWidget *RacesPanel::makeMessages() {
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_messages = newList(tr("Messages of the race"), m_messageModel);
    m_messages->setEmptyText(tr("The messages of the race that is marked stand here."));
    m_replay = new QPushButton(tr("Replay with this &message first …"));
    m_replay->setToolTip(tr("Run the job again as recorded up to this call, where the marked message comes first"));
    auto *row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 4);
    row->addWidget(m_replay);
    row->addStretch(1);
    column->addWidget(m_messages, 1);
    column->addLayout(row);
    return side;
}

void RacesPanel::setReport(TracePtr trace, std::shared_ptr<const RaceReport> report, const QString &state, bool canReplay) {
    m_isWanted = false;
    m_messageModel.setRace({}, nullptr, false); // before the race goes
    m_trace = std::move(trace);
    m_report = std::move(report);
    m_canReplay = canReplay;
    m_races->setEmptyText(!m_report                 ? state
                          : m_report->examined == 0 ? tr("No call takes messages from any source, or waits for one of several.")
                                                    : tr("No call could have taken another message."));
    m_model.setReport(m_trace, m_report);
    m_races->setColumnHidden(RacesModel::Changed, !m_report || !m_report->knowsRecorder);
    m_races->fitColumns(RacesModel::Others, 30);
    if (m_sorted.rowCount() != 0)
        m_races->setCurrentIndex(m_sorted.index(0, 0));
    showMessages();
    showNote();
}

void RacesPanel::want() {
    if (m_report || m_isWanted)
        return;
    m_isWanted = true;
    emit wanted();
}

void RacesPanel::showNote() {
    QStringList sentences;
    if (m_report && m_report->count != 0) {
        sentences << tr("Of %1 that take what comes first, %2 could have taken another message.")
                         .arg(countText(m_report->examined, "call"), toText(describeCount(m_report->count)));
        if (m_report->changed != 0)
            sentences << tr("Of %1 another one would have come first without the recorder.")
                             .arg(toText(describeCount(m_report->changed)));
        if (m_report->count > m_report->races.size())
            sentences << tr("The %1 closest are shown.").arg(toText(describeCount(m_report->races.size())));
    }
    if (m_report && !m_report->note.empty())
        sentences << toText(m_report->note);
    m_note->setText(sentences.join(QLatin1Char(' ')));
    m_note->setVisible(!sentences.isEmpty());
}

QString RacesPanel::note() const { return m_note->text(); }

const Race *RacesPanel::current() const {
    const QModelIndex marked = m_races->currentIndex();
    return !m_report || !marked.isValid() ? nullptr : &m_model.race(m_sorted.mapToSource(marked).row());
}

const RacingMessage *RacesPanel::currentMessage() const {
    const QModelIndex marked = m_messages->currentIndex();
    return current() == nullptr || !marked.isValid() ? nullptr : &m_messageModel.message(marked.row());
}

void RacesPanel::showMessages() {
    const Race *race = current();
    m_messageModel.setRace(m_trace, race, m_report && m_report->knowsRecorder);
    m_messages->setColumnHidden(RacingMessagesModel::Corrected, !m_report || !m_report->knowsRecorder);
    m_messages->fitColumns(RacingMessagesModel::Call, 24);
    if (race != nullptr) { // the first that was not taken is what one wants to try
        const auto other = std::ranges::find(race->messages, false, &RacingMessage::isTaken);
        const auto row = static_cast<int>(other == race->messages.end() ? 0 : other - race->messages.begin());
        m_messages->setCurrentIndex(m_messageModel.index(row, 0));
    }
    enableReplay();
    emit currentChanged();
}

void RacesPanel::enableReplay() {
    const RacingMessage *message = currentMessage();
    m_replay->setEnabled(m_canReplay && message != nullptr && !message->isTaken && message->call != 0 && current()->call != 0);
}

std::vector<PossibleMessage> RacesPanel::arrows() const {
    std::vector<PossibleMessage> found;
    if (const Race *race = current())
        for (const RacingMessage &message : race->messages)
            found.push_back({message.sender, message.sent, race->location, race->time, message.isTaken});
    return found;
}

void RacesPanel::chooseRace(const QModelIndex &index, SelectMode mode) {
    const Race &race = m_model.race(m_sorted.mapToSource(index).row());
    Selection selection;
    selection.ranks = {race.rank};
    selection.callPath = race.callPath;
    const Track &track = m_trace->locations[race.location].events.track;
    const Tick start = race.row == none || race.row >= track.size() ? race.time : std::min(track.start[race.row], race.time);
    selection.time = TimeRange{start, race.time};
    m_selection.select(selection, mode);
    emit chosen();
}

void RacesPanel::chooseMessage(const QModelIndex &index, SelectMode mode) {
    const RacingMessage &message = m_messageModel.message(index.row());
    Selection selection;
    selection.ranks = {message.from};
    selection.callPath = message.callPath;
    selection.time = TimeRange{message.sent, message.sent};
    m_selection.select(selection, mode);
    emit chosen();
}

void RacesPanel::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // While the window is made, docks are shown one after the other, and most of them hidden again.
    QTimer::singleShot(0, this, [this] {
        if (isVisible())
            want();
    });
}

void RacesPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    turnSplitter(*m_split, size(), widthForBoth, 0.58);
}

} // namespace laggard
