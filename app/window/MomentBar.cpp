// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MomentBar.h"

#include "trace/Quantity.h"
#include "views/kit/Text.h"
#include "views/kit/ToolIcon.h"
#include "views/kit/UnitText.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace laggard {

MomentBar::MomentBar(QWidget *parent)
    : QWidget(parent), m_before(new QToolButton(this)), m_field(new QLineEdit(this)), m_after(new QToolButton(this)) {
    setAccessibleName(tr("Moment"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(2, 0, 2, 0);
    row->setSpacing(1);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (QToolButton *button : {m_before, m_after}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    }
    m_before->setIcon(toolIcon(ToolIcon::MomentBefore));
    m_before->setAccessibleName(tr("Moment before"));
    m_after->setIcon(toolIcon(ToolIcon::MomentAfter));
    m_after->setAccessibleName(tr("Moment after"));
    m_field->setAlignment(Qt::AlignCenter);
    m_field->setAccessibleName(tr("Moment that is shown"));
    m_field->setFixedWidth(m_field->fontMetrics().horizontalAdvance(QStringLiteral("end, 1,888.88 ms ")) + 12);
    row->addWidget(m_before);
    row->addWidget(m_field);
    row->addWidget(m_after);
    connect(m_before, &QToolButton::clicked, this, &MomentBar::goBefore);
    connect(m_after, &QToolButton::clicked, this, &MomentBar::goAfter);
    connect(m_field, &QLineEdit::returnPressed, this, &MomentBar::goToTyped);
    connect(m_field, &QLineEdit::editingFinished, this, &MomentBar::showMoment);
    setTrace(nullptr, {});
}

void MomentBar::setTrace(TracePtr trace, std::vector<KeyMoment> moments) {
    m_trace = std::move(trace);
    m_moments = std::move(moments);
    showMoment();
}

void MomentBar::setMoment(const std::optional<Tick> &moment) {
    m_moment = moment;
    showMoment();
}

const KeyMoment *MomentBar::before() const {
    const auto next = m_moment ? std::ranges::lower_bound(m_moments, *m_moment, {}, &KeyMoment::time) : m_moments.end();
    return next == m_moments.begin() ? nullptr : &*std::prev(next);
}

const KeyMoment *MomentBar::after() const {
    const auto next = m_moment ? std::ranges::upper_bound(m_moments, *m_moment, {}, &KeyMoment::time) : m_moments.end();
    return next == m_moments.end() ? nullptr : &*next;
}

void MomentBar::showMoment() {
    const bool has = m_trace && !m_trace->isSummary;
    setEnabled(has);
    m_before->setEnabled(has && before() != nullptr);
    m_after->setEnabled(has && m_moment.has_value());
    if (!has) {
        m_field->clear();
        return;
    }
    const QString time = toText(describeDuration(m_moment ? m_trace->seconds(*m_moment) : m_trace->durationSeconds()));
    if (!m_field->isModified() || !m_field->hasFocus())
        m_field->setText(m_moment ? time : tr("end, %1").arg(time));
    m_field->setModified(false);
    m_field->setToolTip(
        tr("The moment of which graph, stacks and source are. Type a time from the start, such as 1.5 s, and Enter"));
    const auto tip = [this](const KeyMoment *moment, const QString &otherwise, const QString &keys) {
        return toolTipText((moment != nullptr
                                ? tr("To %1: %2").arg(toText(describeDuration(m_trace->seconds(moment->time))), moment->what)
                                : otherwise) +
                           '\n' + keys);
    };
    m_before->setToolTip(tip(before(), tr("No moment before this one stands out"), QStringLiteral(",")));
    m_after->setToolTip(tip(after(), tr("To the end"), QStringLiteral(".")));
}

void MomentBar::goBefore() {
    if (const KeyMoment *moment = before())
        emit momentChosen(moment->time);
}

void MomentBar::goAfter() {
    if (const KeyMoment *moment = after())
        emit momentChosen(moment->time);
    else if (m_moment)
        emit endChosen();
}

void MomentBar::goToTyped() {
    const std::optional<double> seconds = parseSeconds(m_field->text().trimmed());
    m_field->setModified(false);
    if (m_trace && seconds && *seconds < m_trace->durationSeconds())
        emit momentChosen(m_trace->tickAt(*seconds));
    else if (m_trace && seconds)
        emit endChosen();
    showMoment();
}

} // namespace laggard
