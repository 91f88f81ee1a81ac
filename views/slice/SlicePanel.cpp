// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice/SlicePanel.h"

#include "views/kit/FlowLayout.h"
#include "views/kit/ItemView.h"
#include "views/kit/Text.h"
#include "views/selection/SelectionModel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace laggard {
namespace {

constexpr qsizetype mostOfName = 60; ///< letters of a frame's function in the list of frames
constexpr qsizetype mostOfSentence = 2000;
constexpr std::size_t mostWarnings = 3; ///< sentences that are shown; the rest is in exports
constexpr int mostDepth = 999;

QString frameText(const Frame &frame) {
    const QString place = placeText(frame.file, frame.line);
    const QString function = shortened(toLine(frame.function), mostOfName);
    return place.isEmpty() ? function : function + "  —  " + place;
}

} // namespace

SlicePanel::SlicePanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new ItemView(tr("Slice"))), m_detail(new QLabel) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(buildActions());
    layout->addWidget(m_view, 1);
    layout->addWidget(m_detail);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setWordWrap(true);
    m_detail->setContentsMargins(8, 4, 8, 4);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setAccessibleName(tr("The step in full"));
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 3); // it scrolls, the sentences do not
    m_view->setModel(&m_model);
    m_view->setRootIsDecorated(false);
    m_view->setEmptyText(tr("No lines: the sentence above says why."));
    m_view->fitColumns(SliceModel::Why, 22); // what the source view does not show as well
    setFocusProxy(m_view);
    connect(m_view, &ItemView::chosen, this, [this](const QModelIndex &index) { choose(m_model.step(index.row())); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &SlicePanel::showDetail);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &SlicePanel::showDetail);
    connect(&m_selection, &SelectionModel::changed, this, &SlicePanel::showSelection);
    showState();
    showDetail();
}

QWidget *SlicePanel::buildBar() {
    auto *bar = new QWidget;
    auto *line = new FlowLayout(bar, 6);
    line->setContentsMargins(8, 4, 8, 4);
    const auto button = [&](Qt::ArrowType arrow, const QString &name, const QString &tip, bool forward) {
        auto *made = new QToolButton;
        made->setArrowType(arrow);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        connect(made, &QToolButton::clicked, this, [this, forward] { step(forward); });
        line->addWidget(made);
        return made;
    };
    m_previous = button(Qt::UpArrow, tr("Previous step"), tr("The previous line of the slice (Shift+N)"), false);
    m_next = button(Qt::DownArrow, tr("Next step"), tr("The next line of the slice, one farther from where the rank stands (N)"),
                    true);
    m_position = new QLabel;
    line->addWidget(m_position);
    m_frames = new QComboBox;
    m_frames->setAccessibleName(tr("Frame of the stack that the slice begins at"));
    m_frames->setToolTip(tr("Where the slice begins: the innermost frame of the least-progressed rank, or one of its callers"));
    m_frames->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_frames->setMinimumContentsLength(26);
    connect(m_frames, &QComboBox::activated, this, &SlicePanel::frameChosen);
    line->addWidget(m_frames);
    m_kinds = buildKinds();
    line->addWidget(m_kinds);
    m_depth = new QSpinBox;
    m_depth->setRange(0, mostDepth);
    m_depth->setSpecialValueText(tr("any depth"));
    m_depth->setPrefix(tr("depth "));
    m_depth->setKeyboardTracking(false);
    m_depth->setAccessibleName(tr("Greatest distance of lines, in dependences"));
    m_depth->setToolTip(tr("How many dependences lines may be away from where the rank stands; 0: any number"));
    connect(m_depth, &QSpinBox::valueChanged, this, [this](int depth) {
        SliceChoice choice = m_choice;
        choice.depth = static_cast<unsigned>(depth);
        changeChoice(choice);
    });
    line->addWidget(m_depth);
    const auto check = [&](const QString &text, const QString &tip, bool SliceChoice::*what) {
        auto *box = new QCheckBox(text);
        box->setToolTip(tip);
        connect(box, &QCheckBox::toggled, this, [this, what](bool on) {
            SliceChoice choice = m_choice;
            choice.*what = on;
            changeChoice(choice);
        });
        line->addWidget(box);
        return box;
    };
    m_thin = check(tr("&Thin"), tr("Follow values only: neither what pointers point to nor conditions"), &SliceChoice::thin);
    m_dim = check(tr("&Dim other lines"), tr("While a step is shown, lines of the source that are not in the slice are dimmed"),
                  &SliceChoice::dims);
    m_dim->setChecked(true);
    m_export = new QPushButton(tr("E&xport …"));
    m_export->setToolTip(tr("The steps as text, CSV or JSON"));
    connect(m_export, &QPushButton::clicked, this, &SlicePanel::exportRequested);
    line->addWidget(m_export);
    const int height = m_frames->sizeHint().height(); // all in one line, by their middles
    for (QWidget *each : {static_cast<QWidget *>(m_position), static_cast<QWidget *>(m_thin), static_cast<QWidget *>(m_dim)})
        each->setMinimumHeight(height);
    return bar;
}

QToolButton *SlicePanel::buildKinds() {
    auto *button = new QToolButton;
    button->setText(tr("Kinds"));
    button->setToolTip(tr("Which kinds of dependence are listed and stepped through"));
    button->setAccessibleName(tr("Kinds of dependence"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(button);
    for (const SliceReason reason : allReasons) {
        QAction *action = menu->addAction(reasonName(reason));
        action->setCheckable(true);
        action->setChecked(true);
        action->setData(static_cast<int>(reason));
        connect(action, &QAction::toggled, this, [this, reason](bool on) {
            SliceChoice choice = m_choice;
            if (on)
                choice.hidden.erase(reason);
            else
                choice.hidden.insert(reason);
            changeChoice(choice);
        });
    }
    button->setMenu(menu);
    return button;
}

QWidget *SlicePanel::buildActions() {
    auto *row = new QWidget;
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(8, 0, 8, 4);
    column->setSpacing(4);
    m_sentence = new QLabel;
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_sentence);
    auto *buttons = new QWidget;
    auto *line = new FlowLayout(buttons, 6);
    line->setContentsMargins(0, 0, 0, 0);
    column->addWidget(buttons);
    const auto button = [&](const QString &text, const QString &tip, void (SlicePanel::*asks)()) {
        auto *made = new QPushButton(text);
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, asks);
        line->addWidget(made);
        return made;
    };
    m_start = button(tr("&Slice"), tr("Compile the sources for this, and slice"), &SlicePanel::startRequested);
    m_stop = button(tr("S&top"), tr("End the slicer"), &SlicePanel::stopRequested);
    m_locate = button(tr("&Locate sources …"), tr("Where the sources lie on this machine"), &SlicePanel::sourcesRequested);
    m_commands =
        button(tr("&Choose compile_commands.json …"), tr("What tells how the sources are compiled; CMake and Bear write it"),
               &SlicePanel::compileCommandsRequested);
    return row;
}

void SlicePanel::setSlice(SlicePtr slice, std::size_t ranks, const RankSet &of) {
    m_of = of;
    m_model.setSlice(std::move(slice), ranks);
    m_view->fitColumns(SliceModel::Why, 22); // what the source view does not show as well
    showSelection(m_selection.current());
    showState();
}

void SlicePanel::setStack(const SliceStack &stack, int frame) {
    const QSignalBlocker blocker(m_frames);
    m_frames->clear();
    for (const Frame &each : stack.frames) {
        m_frames->addItem(tr("from %1").arg(frameText(each)));
        m_frames->setItemData(m_frames->count() - 1, toolTipText(toText(each.function) + '\n' + toText(each.file)),
                              Qt::ToolTipRole);
    }
    m_frames->setCurrentIndex(frame < m_frames->count() ? frame : m_frames->count() - 1);
    m_frames->setVisible(m_frames->count() > 0);
}

int SlicePanel::frame() const { return std::max(0, m_frames->currentIndex()); }

void SlicePanel::setState(const SliceState &state) {
    m_state = state;
    showState();
}

void SlicePanel::setChoice(const SliceChoice &choice) {
    m_choice = choice;
    const QSignalBlocker depth(m_depth);
    const QSignalBlocker thin(m_thin);
    const QSignalBlocker dim(m_dim);
    m_depth->setValue(static_cast<int>(std::min<unsigned>(choice.depth, mostDepth)));
    m_thin->setChecked(choice.thin);
    m_dim->setChecked(choice.dims);
    for (QAction *action : m_kinds->menu()->actions()) {
        const QSignalBlocker kind(action);
        action->setChecked(!choice.hidden.contains(static_cast<SliceReason>(action->data().toInt())));
    }
    if (choice.hidden != m_model.hidden())
        m_model.setHidden(choice.hidden);
    showSelection(m_selection.current());
}

void SlicePanel::changeChoice(const SliceChoice &choice) {
    if (choice == m_choice)
        return;
    setChoice(choice);
    emit choiceChanged(m_choice);
}

std::optional<std::uint32_t> SlicePanel::current() const {
    const std::optional<std::uint32_t> selected = m_selection.current().step;
    return selected && m_model.slice() && *selected < m_model.slice()->lines.size() ? selected : std::nullopt;
}

bool SlicePanel::canStep(bool forward) const {
    const std::optional<std::uint32_t> at = current();
    if (!at)
        return forward && m_model.rowCount() > 0;
    const int row = m_model.rowOf(*at);
    return forward ? row + 1 < m_model.rowCount() : row > 0 || (row == 0 && m_model.step(0) != *at);
}

void SlicePanel::step(bool forward) {
    if (!canStep(forward))
        return;
    const std::optional<std::uint32_t> at = current();
    const int row = at ? m_model.rowOf(*at) : -1;
    // From a line that is left out, the one before it is already the previous one.
    const int back = at && m_model.step(row < 0 ? 0 : row) != *at ? row : row - 1;
    choose(m_model.step(forward ? row + 1 : back));
}

void SlicePanel::choose(std::uint32_t step) {
    Selection selection;
    selection.ranks = m_model.ranks(step);
    if (selection.ranks.empty())
        selection.ranks = m_of;
    selection.step = step;
    m_selection.select(selection);
}

void SlicePanel::showSelection(const Selection &) {
    const std::optional<std::uint32_t> at = current();
    const int row = at ? m_model.rowOf(*at) : -1;
    const bool isListed = row >= 0 && m_model.step(row) == *at;
    m_view->mark(isListed ? QModelIndexList{m_model.index(row, 0)} : QModelIndexList());
    const int count = m_model.rowCount();
    m_position->setText(count == 0 ? QString()
                        : isListed ? tr("%1 of %2").arg(row + 1).arg(count)
                                   : countText(static_cast<std::uint64_t>(count), "step"));
    m_previous->setEnabled(canStep(false));
    m_next->setEnabled(canStep(true));
}

void SlicePanel::showState() {
    using Kind = SliceState::Kind;
    QString text = m_state.sentence;
    if (const SlicePtr &slice = m_model.slice(); m_state.kind == Kind::Done && slice) {
        QStringList parts;
        if (slice->lines.empty())
            parts << tr("Nothing in the program decides that it stopped there.");
        if (slice->truncated)
            parts << tr("There was no time for the whole slice: it may have more lines.");
        for (std::size_t i = 0; i < std::min(mostWarnings, slice->warnings.size()); ++i)
            parts << toLine(slice->warnings[i]);
        if (slice->warnings.size() > mostWarnings)
            parts << tr("And %1 more.").arg(countText(slice->warnings.size() - mostWarnings, "warning"));
        text = parts.join(' ');
    }
    m_sentence->setText(shortened(text, mostOfSentence));
    m_sentence->setVisible(!text.isEmpty());
    // What was compiled is kept: after a slice that was cut short, the next one gets farther.
    const bool isCutShort = m_state.kind == Kind::Done && m_model.slice() && m_model.slice()->truncated;
    m_start->setVisible((m_state.kind == Kind::Lacking && m_state.canStart) || isCutShort);
    m_stop->setVisible(m_state.kind == Kind::Working);
    m_locate->setVisible(m_state.kind == Kind::Lacking && m_state.lacksCode);
    m_commands->setVisible(m_state.kind == Kind::Lacking && m_state.lacksCode);
    m_export->setEnabled(m_model.slice() != nullptr);
    m_view->setEmptyText(m_state.kind == Kind::Working                        ? tr("The slice is being made …")
                         : m_model.slice() && !m_model.slice()->lines.empty() ? tr("All kinds that this slice has are hidden.")
                         : m_state.kind == Kind::Nothing                      ? tr("No slice.")
                                                                              : tr("No lines: the sentence above says why."));
}

void SlicePanel::showDetail() {
    constexpr qsizetype most = 1000; // names in programs may be of any length
    const QModelIndex at = m_view->currentIndex();
    const auto text = [&](int column) { return at.siblingAtColumn(column).data().toString(); };
    QString detail;
    if (at.isValid()) {
        const QString ranks =
            text(SliceModel::Ranks).isEmpty() ? QString() : ", " + rankPhrase(m_model.ranks(m_model.step(at.row())));
        detail = text(SliceModel::Place) + ranks + " — " + text(SliceModel::Why);
    }
    m_detail->setText(shortened(detail, most));
    m_detail->setVisible(at.isValid());
}

QString SlicePanel::detail() const { return m_detail->isHidden() ? QString() : m_detail->text(); }

QString SlicePanel::sentence() const { return m_sentence->text(); }

} // namespace laggard
