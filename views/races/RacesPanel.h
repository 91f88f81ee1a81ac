// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/races/RacesModel.h"
#include "views/races/RacingMessagesModel.h"
#include "views/selection/Selection.h"
#include "views/timeline/PossibleMessage.h"

#include <QSortFilterProxyModel>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QSplitter;

namespace laggard {

class ItemView;
class SelectionModel;

/// A list of calls that could have taken another message, and beside it the messages of the one that is marked: choosing a call
/// or a message selects it everywhere. Races are looked for when the panel is first seen: it asks for them.
class RacesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit RacesPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: there is none (`state` says why), or none yet. `canReplay`: the trace is a recording.
    void setReport(TracePtr trace, std::shared_ptr<const RaceReport> report, const QString &state = {}, bool canReplay = false);
    [[nodiscard]] const std::shared_ptr<const RaceReport> &report() const { return m_report; }
    /// Asks for races if there are none yet.
    void want();

    [[nodiscard]] ItemView *races() const { return m_races; }
    [[nodiscard]] ItemView *messages() const { return m_messages; }
    [[nodiscard]] QPushButton *replayButton() const { return m_replay; }
    /// What stands below the lists: how many there are, and what was not looked at.
    [[nodiscard]] QString note() const;
    /// The race that is marked; nullptr: none.
    [[nodiscard]] const Race *current() const;
    /// All that it took, or could have taken, as arrows of a timeline.
    [[nodiscard]] std::vector<PossibleMessage> arrows() const;

  signals:
    /// The panel is seen and has no races.
    void wanted();
    /// A call or message was chosen here; the selection has it already.
    void chosen();
    /// Another race is marked, or none.
    void currentChanged();
    /// That this message comes first at this call is to be tried.
    void exchangeRequested(const laggard::Race &race, const laggard::RacingMessage &message);

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void showMessages();
    void showNote();
    void enableReplay();
    void chooseRace(const QModelIndex &index, SelectMode mode);
    void chooseMessage(const QModelIndex &index, SelectMode mode);
    [[nodiscard]] const RacingMessage *currentMessage() const;
    [[nodiscard]] QWidget *makeMessages();

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const RaceReport> m_report;
    bool m_canReplay = false;
    bool m_isWanted = false; ///< was asked for, and has not come yet
    RacesModel m_model;
    RacingMessagesModel m_messageModel;
    QSortFilterProxyModel m_sorted;
    QSplitter *m_split;
    ItemView *m_races;
    ItemView *m_messages;
    QPushButton *m_replay;
    QLabel *m_note;
};

} // namespace laggard
