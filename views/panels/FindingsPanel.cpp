// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsPanel.h"

#include "analysis/stacks/Hosts.h"
#include "analysis/verdict/Attach.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "views/kit/ItemView.h"
#include "views/kit/StateIcon.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/panels/Damage.h"
#include "views/panels/FindingCards.h"
#include "views/selection/SelectionModel.h"
#include "views/theme/Tone.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

constexpr int iconSize = 40;
constexpr qsizetype mostOfSentence = 800; ///< characters: a sentence may hold a name of any length
constexpr int edge = 12;                  ///< pixels around the icon and the words

QLabel *textLabel(const QString &accessibleName, double scale = 1, bool bold = false) {
    auto *label = new QLabel;
    label->setAccessibleName(accessibleName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    label->setFont(font);
    return label;
}

void setTone(QLabel *label, Tone tone, const QPalette &from) {
    QPalette palette;
    palette.setColor(QPalette::WindowText, toneColour(tone, from));
    label->setPalette(palette);
}

void showText(QLabel *label, const QString &text) {
    label->setText(shortened(text, mostOfSentence));
    label->setVisible(!text.isEmpty());
}

QString damageLine(const Trace &trace, const Verdict &verdict) {
    if (!trace.hasDataLoss())
        return {};
    // What was lost, and where, stands in the banner: here only what it means for the answer.
    const RankSet damaged = damagedRanks(trace);
    const QString whose = damaged.empty() ? FindingsPanel::tr("the trace") : rankPhrase(damaged);
    return verdict.fromDamaged
               ? FindingsPanel::tr("This verdict rests on damaged ranks: some of %1 could not be read.").arg(whose)
               : FindingsPanel::tr("Some of %1 could not be read.").arg(whose);
}

/// "All suspects ran on n017 (ranks …)." where that says something.
QString hostLine(const Trace &trace, const Verdict &verdict) {
    RankSet suspects;
    for (const Finding &finding : verdict.findings) {
        RankSet united;
        std::set_union(suspects.begin(), suspects.end(), finding.ranks.begin(), finding.ranks.end(), std::back_inserter(united));
        suspects = std::move(united);
    }
    if (suspects.empty() || suspects.size() == trace.processes.size() || ranksByHost(trace).size() < 2)
        return {};
    const std::vector<HostRanks> hosts = ranksByHost(trace, suspects);
    if (hosts.size() != 1 || hosts[0].host.empty())
        return {};
    return FindingsPanel::tr("All suspects ran on %1.").arg(toLine(hosts[0].host));
}

/// How to get into the named processes that run still, a line each.
QString attachLines(const Trace &trace, const Verdict &verdict) {
    QStringList lines;
    for (const Attachable &process : attachable(trace, verdict)) {
        const QString command = QString::fromStdString(process.command);
        lines << (process.host.empty()
                      ? FindingsPanel::tr("Rank %1 still runs: %2").arg(process.rank).arg(command)
                      : FindingsPanel::tr("Rank %1 still runs on %2: %3").arg(process.rank).arg(toLine(process.host), command));
    }
    return lines.join('\n');
}

} // namespace

FindingsPanel::FindingsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_icon(new QLabel),
      m_state(textLabel(tr("State of the job"), 1.5, true)),
      m_summary(textLabel(tr("Verdict"), 1.15)),
      m_confidence(textLabel(tr("Confidence"))),
      m_damage(textLabel(tr("Damage"))),
      m_hosts(textLabel(tr("Hosts of the suspects"))),
      m_attach(textLabel(tr("How to attach a debugger"))),
      m_copyAttach(new QPushButton(tr("&Copy the command"))),
      m_byHost(new QCheckBox(tr("&Group by host"))),
      m_view(new ItemView(tr("Findings"))) {
    auto *words = new QVBoxLayout;
    words->setSpacing(6);
    for (QLabel *label : {m_state, m_summary, m_confidence, m_hosts, m_attach})
        words->addWidget(label);
    words->addWidget(m_copyAttach, 0, Qt::AlignLeft);
    words->addWidget(m_damage);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(edge, edge, edge, 8);
    top->setSpacing(edge);
    top->addWidget(m_icon, 0, Qt::AlignTop);
    top->addLayout(words, 1);

    auto *title = textLabel({}, 1, true);
    title->setText(tr("Findings"));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 12, 4);
    bar->setSpacing(6);
    bar->addWidget(title, 1);
    bar->addWidget(m_byHost);

    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("No findings."));
    m_view->setHeaderHidden(true); // cards say themselves what they show
    m_view->setUniformRowHeights(false);
    m_view->setItemDelegate(new FindingCards(*m_view));
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setRootIsDecorated(false);
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 5); // it scrolls, the answer above it does not
    m_view->viewport()->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(m_view, &ItemView::chosen, this, &FindingsPanel::choose);
    connect(m_byHost, &QCheckBox::toggled, this, [this](bool grouped) {
        m_model.setGroupedByHost(grouped);
        layOut();
        showSelection(m_selection.current());
    });
    connect(&m_selection, &SelectionModel::changed, this, &FindingsPanel::showSelection);
    connect(m_copyAttach, &QPushButton::clicked, this, [this] {
        if (const auto processes = attachable(*m_trace, *m_verdict, 1); !processes.empty())
            QGuiApplication::clipboard()->setText(QString::fromStdString(processes.front().command));
    });
    showVerdict();
}

void FindingsPanel::setVerdict(TracePtr trace, std::shared_ptr<const Verdict> verdict) {
    // More findings of the same trace come below those that are there: the row that is read stays.
    const int row = trace != nullptr && trace == m_trace ? std::max(0, m_view->currentIndex().row()) : 0;
    m_trace = std::move(trace);
    m_verdict = std::move(verdict);
    m_model.setFindings(m_trace, m_verdict);
    layOut();
    if (m_model.rowCount() > 0)
        m_view->setCurrentIndex(m_model.index(std::min(row, m_model.rowCount() - 1), 0));
    showVerdict();
    showSelection(m_selection.current());
}

void FindingsPanel::layOut() {
    bool hasMore = false;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex top = m_model.index(row, 0);
        m_view->setFirstColumnSpanned(row, {}, true);
        for (int below = 0; below < m_model.rowCount(top); ++below)
            m_view->setFirstColumnSpanned(below, top, true);
        hasMore = hasMore || m_model.rowCount(top) > 0;
    }
    m_view->setRootIsDecorated(hasMore);
    if (m_model.isGroupedByHost())
        m_view->expandAll(); // what says the same as a cause stays folded
    m_view->header()->setStretchLastSection(true);
}

void FindingsPanel::showVerdict() {
    const bool has = m_trace && m_verdict;
    m_icon->setVisible(has);
    m_byHost->setEnabled(has);
    if (!has) {
        showText(m_state, tr("Nothing is open"));
        for (QLabel *label : {m_summary, m_confidence, m_damage, m_hosts, m_attach})
            showText(label, {});
        m_copyAttach->hide();
        return;
    }
    const Glance glance = glanceOf(*m_verdict);
    m_icon->setPixmap(stateIcon(glance, iconSize, palette(), devicePixelRatioF()));
    m_icon->setAccessibleName(stateWord(glance));
    showText(m_state, stateWord(glance));
    showText(m_summary, toText(m_verdict->summary));
    // That a job has ended needs no confidence.
    showText(m_confidence, glance == Glance::Finished && m_verdict->findings.empty()
                               ? QString()
                               : tr("Confidence: %1").arg(toText(describeConfidence(m_verdict->confidence))));
    showText(m_hosts, hostLine(*m_trace, *m_verdict));
    showText(m_damage, damageLine(*m_trace, *m_verdict));
    showText(m_attach, attachLines(*m_trace, *m_verdict));
    m_copyAttach->setVisible(!m_attach->isHidden());
    m_copyAttach->setToolTip(tr("Copies \"gdb -p …\" of the first of these processes; run it on its host"));
    setTone(m_damage, Tone::Caution, palette());
    keepWhole();
}

void FindingsPanel::keepWhole() {
    // Layouts squeeze wrapped text below the height it needs: the answer must never be cut off.
    const int room = std::max(1, width() - iconSize - 3 * edge);
    const auto wantedHeight = [](QLabel *label, int width) {
        label->setMinimumHeight(0); // which the label would count as wanted
        return label->isHidden() ? 0 : label->heightForWidth(width);
    };
    for (QLabel *label : {m_summary, m_confidence, m_damage, m_hosts, m_attach})
        label->setMinimumHeight(wantedHeight(label, room));
}

void FindingsPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    keepWhole();
}

bool FindingsPanel::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize && static_cast<QResizeEvent *>(event)->oldSize().width() != m_view->viewport()->width())
        QTimer::singleShot(0, m_view, [this] { m_view->doItemsLayout(); }); // words wrap otherwise
    return QWidget::eventFilter(watched, event);
}

void FindingsPanel::choose(const QModelIndex &index, SelectMode mode) {
    const Finding *finding = m_model.finding(index);
    Selection selection;
    selection.ranks = m_model.ranks(index);
    selection.callPath = finding == nullptr ? none : finding->callPath;
    if (finding != nullptr)
        selection.time = finding->time;
    m_selection.select(selection, mode);
}

void FindingsPanel::chooseFirst() {
    QModelIndex first = m_model.index(0, 0);
    if (m_model.isGroupedByHost())
        first = m_model.index(0, 0, first);
    if (!first.isValid())
        return;
    m_view->setCurrentIndex(first);
    choose(first, SelectMode::Replace);
}

void FindingsPanel::showSelection(const Selection &selection) {
    QModelIndexList rows;
    for (const QModelIndex &row : allRows(m_model)) {
        const Finding *finding = m_model.finding(row);
        const RankSet ranks = m_model.ranks(row);
        const bool isSame = finding != nullptr && !ranks.empty() &&
                            (selection.callPath == none || selection.callPath == finding->callPath) &&
                            std::includes(selection.ranks.begin(), selection.ranks.end(), ranks.begin(), ranks.end());
        if (isSame)
            rows << row;
    }
    m_view->mark(rows);
}

QByteArray FindingsPanel::csv() const { return m_view->csv(); }

void FindingsPanel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        showVerdict();
    QWidget::changeEvent(event);
}

} // namespace laggard
