// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/slice/SliceQuestion.h"
#include "views/selection/Selection.h"
#include "views/slice/SliceChoice.h"
#include "views/slice/SliceModel.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace laggard {

class ItemView;
class SelectionModel;

/// How far the slice is.
struct SliceState {
    enum class Kind { Nothing, Working, Done, Lacking };
    Kind kind = Kind::Nothing;
    QString sentence;       ///< what is going on, what is missing, what went wrong
    bool canStart = false;  ///< for Lacking: it can be made if the user wants it
    bool lacksCode = false; ///< for Lacking: sources, or how they are compiled, can be shown by the user
};

/// The stepper: the lines that made the least-progressed ranks stop where they did, one after the other, and what the slice is
/// made from. A step is a selection like any other; over a message it selects the other ranks.
class SlicePanel : public QWidget {
    Q_OBJECT

  public:
    explicit SlicePanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: no slice. `ranks`: how many the job has; `of`: whose stop it explains.
    void setSlice(SlicePtr slice, std::size_t ranks, const RankSet &of);
    /// The stack that slices begin at, and which of its frames does: 0 is the innermost.
    void setStack(const SliceStack &stack, int frame);
    void setState(const SliceState &state);
    [[nodiscard]] const SliceState &state() const { return m_state; }

    void setChoice(const SliceChoice &choice);
    [[nodiscard]] const SliceChoice &choice() const { return m_choice; }
    /// Frame of the stack that slices begin at.
    [[nodiscard]] int frame() const;

    /// The step that is selected, by its position in the slice; none if it is something else.
    [[nodiscard]] std::optional<std::uint32_t> current() const;
    [[nodiscard]] bool canStep(bool forward) const;
    /// Selects the next or previous line that is to be seen; the first if none is selected.
    void step(bool forward);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] const SliceModel &model() const { return m_model; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString detail() const;

  signals:
    void choiceChanged(const laggard::SliceChoice &choice);
    /// The slice is to be made anew from this frame of the stack.
    void frameChosen(int frame);
    void startRequested();
    void stopRequested();
    void sourcesRequested();
    void compileCommandsRequested();
    void exportRequested();

  private:
    QWidget *buildBar();
    QWidget *buildActions();
    QToolButton *buildKinds();
    void changeChoice(const SliceChoice &choice);
    void choose(std::uint32_t step);
    void showSelection(const Selection &selection);
    void showState();
    void showDetail();

    SelectionModel &m_selection;
    SliceModel m_model;
    SliceChoice m_choice;
    SliceState m_state;
    RankSet m_of;
    QToolButton *m_previous;
    QToolButton *m_next;
    QLabel *m_position;
    QComboBox *m_frames;
    QToolButton *m_kinds;
    QSpinBox *m_depth;
    QCheckBox *m_thin;
    QCheckBox *m_dim;
    QLabel *m_sentence;
    QPushButton *m_start;
    QPushButton *m_stop;
    QPushButton *m_locate;
    QPushButton *m_commands;
    QPushButton *m_export;
    ItemView *m_view;
    QLabel *m_detail; ///< the reason of the current row in full
};

} // namespace laggard
