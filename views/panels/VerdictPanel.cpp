// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/VerdictPanel.h"

#include "analysis/stacks/Hosts.h"
#include "analysis/verdict/Attach.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/HeadlineWords.h"
#include "views/kit/StateIcon.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/kit/ToolIcon.h"
#include "views/theme/Tone.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <optional>

namespace laggard {
namespace {

constexpr int iconSize = 36;
constexpr std::size_t mostFigures = 3;
constexpr qsizetype mostOfAnswer = 2400; ///< characters: a sentence may hold a name of any length

QLabel *plainLabel(const QString &accessibleName, double scale = 1, bool bold = false) {
    auto *label = new QLabel;
    label->setAccessibleName(accessibleName);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    label->setFont(font);
    return label;
}

QLabel *sentenceLabel(const QString &accessibleName) {
    QLabel *label = plainLabel(accessibleName);
    label->setWordWrap(true);
    return label;
}

void setTextTone(QLabel *label, Tone tone, const QPalette &from) {
    QPalette palette;
    palette.setColor(QPalette::WindowText, toneColour(tone, from));
    label->setPalette(palette);
}

void showOrHide(QLabel *label, const QString &text) {
    label->setText(shortened(text, mostOfAnswer));
    label->setVisible(!text.isEmpty());
}

/// What the loss of data means for the answer; what was lost, and where, stands in the banner.
QString damageLine(const Trace &trace, const Verdict &verdict) {
    if (!trace.hasDataLoss())
        return {};
    const RankSet damaged = damagedRanks(trace);
    const QString whose = damaged.empty() ? VerdictPanel::tr("the trace") : rankPhrase(damaged);
    return verdict.fromDamaged ? VerdictPanel::tr("This verdict rests on damaged ranks: some of %1 could not be read.").arg(whose)
                               : VerdictPanel::tr("Some of %1 could not be read.").arg(whose);
}

/// "All suspects ran on n017." where that says something.
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
    return VerdictPanel::tr("All suspects ran on %1.").arg(toLine(hosts[0].host));
}

/// How to get into the named processes that run still, a line each.
QString attachLines(const Trace &trace, const Verdict &verdict) {
    QStringList lines;
    for (const Attachable &process : attachable(trace, verdict)) {
        const QString command = QString::fromStdString(process.command);
        lines << (process.host.empty()
                      ? VerdictPanel::tr("Rank %1 still runs: %2").arg(process.rank).arg(command)
                      : VerdictPanel::tr("Rank %1 still runs on %2: %3").arg(process.rank).arg(toLine(process.host), command));
    }
    return lines.join('\n');
}

/// Whom a job that hangs or crashed is blamed on is more or less sure, and so is a change of behaviour. That a job has ended
/// needs no confidence; the scores of other methods are shares and distances, and none.
std::optional<double> confidenceOf(const Verdict &verdict) {
    const Glance glance = glanceOf(verdict);
    if (glance == Glance::Hung || glance == Glance::Crashed)
        return verdict.confidence;
    if (glance == Glance::Slow && !verdict.findings.empty() && verdict.findings.front().method == "phases")
        return verdict.findings.front().score;
    return std::nullopt;
}

} // namespace

VerdictPanel::VerdictPanel(QWidget *parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_state(plainLabel(tr("State of the job"), 1, true)),
      m_headline(plainLabel(tr("Verdict"), 1.45, true)),
      m_more(new QToolButton),
      m_details(makeDetails()) {
    setAccessibleName(tr("Verdict"));
    m_headline->setWordWrap(true);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addStretch();
    words->addWidget(m_state);
    words->addWidget(m_headline);
    words->addStretch();
    auto *top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_icon, 0, Qt::AlignVCenter);
    top->addLayout(words, 1);
    for (std::size_t i = 0; i < mostFigures; ++i) {
        auto *box = new QWidget;
        FigureLabels figure{box, plainLabel(tr("Figure"), 1.35, true), plainLabel(tr("What the figure is"))};
        auto *column = new QVBoxLayout(box);
        column->setContentsMargins(10, 0, 0, 0);
        column->setSpacing(0);
        column->addStretch();
        column->addWidget(figure.value);
        column->addWidget(figure.label);
        column->addStretch();
        top->addWidget(box);
        m_figures.push_back(figure);
    }
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setToolTip(tr("The reasons in sentences, how sure they are, and what was damaged"));
    top->addWidget(m_more, 0, Qt::AlignVCenter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 7);
    column->setSpacing(6);
    column->addLayout(top);
    column->addWidget(m_details);
    connect(m_more, &QToolButton::clicked, this, [this] {
        setUnfolded(!m_isUnfolded);
        emit unfoldedChanged(m_isUnfolded);
    });
    connect(m_copyAttach, &QPushButton::clicked, this, [this] {
        if (const auto processes = attachable(*m_trace, *m_verdict, 1); !processes.empty())
            QGuiApplication::clipboard()->setText(QString::fromStdString(processes.front().command));
    });
    showFold();
    showVerdict();
}

QWidget *VerdictPanel::makeDetails() {
    m_summary = sentenceLabel(tr("The answer in sentences"));
    m_confidence = sentenceLabel(tr("Confidence"));
    m_hosts = sentenceLabel(tr("Hosts of the suspects"));
    m_damage = sentenceLabel(tr("Damage"));
    m_attach = sentenceLabel(tr("How to attach a debugger"));
    m_copyAttach = new QPushButton(tr("&Copy the command"));
    auto *details = new QWidget;
    auto *column = new QVBoxLayout(details);
    column->setContentsMargins(iconSize + 12, 0, 0, 0);
    column->setSpacing(4);
    for (QLabel *label : {m_summary, m_confidence, m_hosts, m_damage, m_attach})
        column->addWidget(label);
    column->addWidget(m_copyAttach, 0, Qt::AlignLeft);
    return details;
}

void VerdictPanel::setVerdict(TracePtr trace, std::shared_ptr<const Verdict> verdict) {
    m_trace = std::move(trace);
    m_verdict = std::move(verdict);
    showVerdict();
}

void VerdictPanel::setUnfolded(bool unfolded) {
    m_isUnfolded = unfolded;
    showFold();
}

void VerdictPanel::showFold() {
    m_details->setVisible(m_isUnfolded && m_verdict != nullptr);
    m_more->setText(m_isUnfolded ? tr("Less") : tr("More"));
    m_more->setIcon(toolIcon(m_isUnfolded ? ToolIcon::Fold : ToolIcon::Unfold));
    updateGeometry();
}

void VerdictPanel::showVerdict() {
    const bool has = m_trace && m_verdict;
    setVisible(has);
    showFold();
    showFigures();
    if (!has) {
        showOrHide(m_headline, {});
        return;
    }
    const Glance glance = glanceOf(*m_verdict);
    m_icon->setPixmap(stateIcon(glance, iconSize, palette(), devicePixelRatioF()));
    m_icon->setAccessibleName(stateWord(glance));
    const std::optional<double> sure = confidenceOf(*m_verdict);
    const QString confidence = sure ? toText(describeConfidence(*sure)) : QString();
    showOrHide(m_state,
               sure ? stateWord(glance) + QStringLiteral(" · ") + tr("confidence %1").arg(confidence) : stateWord(glance));
    setTextTone(m_state, toneOf(glance), palette());
    showOrHide(m_headline, toText(headlineOf(m_verdict->facts)));
    showOrHide(m_summary, toText(m_verdict->summary));
    showOrHide(m_confidence, sure ? tr("Confidence: %1").arg(confidence) : QString());
    showOrHide(m_hosts, hostLine(*m_trace, *m_verdict));
    showOrHide(m_damage, damageLine(*m_trace, *m_verdict));
    showOrHide(m_attach, attachLines(*m_trace, *m_verdict));
    m_copyAttach->setVisible(!m_attach->text().isEmpty());
    setTextTone(m_damage, Tone::Caution, palette());
    updateGeometry();
}

void VerdictPanel::showFigures() {
    const std::vector<Figure> figures = m_verdict ? figuresOf(m_verdict->facts) : std::vector<Figure>();
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        const FigureLabels &labels = m_figures[i];
        labels.box->setVisible(i < figures.size());
        if (i >= figures.size())
            continue;
        labels.value->setText(toText(figures[i].value));
        labels.label->setText(toText(figures[i].label));
        setTextTone(labels.label, Tone::Faint, palette());
        labels.value->setAccessibleDescription(labels.label->text());
    }
}

int VerdictPanel::heightForWidth(int width) const { return layout()->totalHeightForWidth(width); }

// As the widget above all docks it has the window's width, but is asked for its size alone.
QSize VerdictPanel::sizeHint() const { return {layout()->totalSizeHint().width(), heightForWidth(std::max(width(), 400))}; }
QSize VerdictPanel::minimumSizeHint() const { return {300, heightForWidth(std::max(width(), 400))}; }

void VerdictPanel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        showVerdict();
    QWidget::changeEvent(event);
}

void VerdictPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void VerdictPanel::paintEvent(QPaintEvent *) {
    if (!m_verdict)
        return;
    constexpr int stripe = 4; // pixels: the colour at the edge, seen from afar
    const QColor colour = toneColour(toneOf(glanceOf(*m_verdict)), palette());
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.fillRect(QRect(0, 0, stripe, height()), colour);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
    for (const FigureLabels &figure : m_figures)
        if (figure.box->isVisible())
            painter.drawLine(figure.box->geometry().topLeft() + QPoint(0, 4), figure.box->geometry().bottomLeft() - QPoint(0, 4));
}

} // namespace laggard
