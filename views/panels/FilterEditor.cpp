// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FilterEditor.h"

#include "trace/TicksOf.h"
#include "views/kit/Text.h"
#include "views/kit/UnitText.h"
#include "views/theme/Tone.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>
#include <stdexcept>

namespace laggard {
namespace {

QString secondsText(double seconds) { return QString::number(seconds, 'g', 12) + " s"; }

std::optional<RankSet> ranksFromText(const QString &text, const Trace &trace, QString &problem) {
    try {
        RankSet ranks = parseRanges(text.toStdString());
        if (!ranks.empty() && ranks.back() < trace.processes.size())
            return ranks;
        problem = FilterEditor::tr("The trace has ranks 0 to %1.").arg(static_cast<qint64>(trace.processes.size()) - 1);
    } catch (const std::invalid_argument &) {
        problem = FilterEditor::tr("Ranks are numbers and ranges, such as 0-2,4-15.");
    }
    return {};
}

/// Seconds, or nothing with a sentence when the text is neither empty nor a time.
std::optional<double> timeFromText(const QString &text, QString &problem) {
    const std::optional<double> seconds = parseSeconds(text);
    if (!seconds)
        problem = FilterEditor::tr("“%1” is not a time: write 1.5 ms, 20 us or 3 s.").arg(text.trimmed());
    return seconds;
}

} // namespace

std::optional<Filter> filterFromText(const FilterText &text, const Filter &filter, const Trace &trace, QString &problem) {
    Filter result = filter;
    problem.clear();
    result.ranks.reset();
    result.time.reset();
    result.minimumDuration = 0;
    if (!text.ranks.trimmed().isEmpty() && !(result.ranks = ranksFromText(text.ranks, trace, problem)))
        return {};
    if (!text.duration.trimmed().isEmpty()) {
        const std::optional<double> seconds = timeFromText(text.duration, problem);
        if (!seconds)
            return {};
        const double ticks = std::ceil(*seconds * static_cast<double>(trace.clock.ticksPerSecond) * (1 - 1e-12));
        result.minimumDuration = ticksOf(ticks);
    }
    if (!text.from.trimmed().isEmpty() || !text.to.trimmed().isEmpty()) {
        TimeRange time = trace.range;
        for (const auto &[part, bound] : {std::pair(text.from, &time.begin), std::pair(text.to, &time.end)}) {
            if (part.trimmed().isEmpty())
                continue;
            const std::optional<double> seconds = timeFromText(part, problem);
            if (!seconds)
                return {};
            *bound = trace.tickAt(*seconds);
        }
        if (time.begin >= time.end) {
            problem = FilterEditor::tr("The time range is empty: the trace lasts %1.").arg(secondsText(trace.durationSeconds()));
            return {};
        }
        result.time = time;
    }
    return result;
}

FilterText textFromFilter(const Filter &filter, const Trace &trace) {
    FilterText text;
    if (filter.ranks)
        text.ranks = toText(formatRanges(*filter.ranks));
    if (filter.minimumDuration > 0)
        text.duration =
            secondsText(static_cast<double>(filter.minimumDuration) / static_cast<double>(trace.clock.ticksPerSecond));
    if (filter.time) {
        text.from = secondsText(trace.seconds(filter.time->begin));
        text.to = secondsText(trace.seconds(filter.time->end));
    }
    return text;
}

FilterEditor::FilterEditor(TracePtr trace, const Filter &filter, QWidget *parent)
    : QDialog(parent),
      m_trace(std::move(trace)),
      m_filter(filter),
      m_ranks(new QLineEdit),
      m_duration(new QLineEdit),
      m_from(new QLineEdit),
      m_to(new QLineEdit),
      m_problem(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Filter"));
    const FilterText text = textFromFilter(filter, *m_trace);
    m_ranks->setText(text.ranks);
    m_ranks->setPlaceholderText(tr("all, or 0-2,4-15"));
    m_duration->setText(text.duration);
    m_duration->setPlaceholderText(tr("any, or 1.5 ms"));
    m_from->setText(text.from);
    m_from->setPlaceholderText(tr("start of the trace"));
    m_to->setText(text.to);
    m_to->setPlaceholderText(tr("end of the trace"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setMinimumHeight(m_problem->fontMetrics().lineSpacing() * 2);
    QPalette warning;
    warning.setColor(QPalette::WindowText, toneColour(Tone::Bad, palette()));
    m_problem->setPalette(warning);
    m_problem->setAccessibleName(tr("What is wrong"));

    auto *form = new QFormLayout(this);
    form->addRow(tr("Only &ranks"), m_ranks);
    form->addRow(tr("Only calls of at &least"), m_duration);
    form->addRow(tr("Only calls &after"), m_from);
    form->addRow(tr("Only calls &before"), m_to);
    form->addRow(m_problem);
    form->addRow(m_buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    for (QLineEdit *edit : {m_ranks, m_duration, m_from, m_to})
        connect(edit, &QLineEdit::textChanged, this, &FilterEditor::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void FilterEditor::check() {
    QString problem;
    const FilterText text{m_ranks->text(), m_duration->text(), m_from->text(), m_to->text()};
    const std::optional<Filter> filter = filterFromText(text, m_filter, *m_trace, problem);
    if (filter)
        m_filter = *filter;
    m_problem->setText(problem);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(filter.has_value());
}

} // namespace laggard
