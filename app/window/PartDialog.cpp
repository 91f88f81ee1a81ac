// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PartDialog.h"

#include "app/window/MemoryBudget.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <numeric>
#include <stdexcept>

namespace laggard {
namespace {

constexpr int textWidth = 480;
constexpr int decimals = 6;
constexpr double longest = 1e9; ///< seconds that can be entered where the trace does not say how long it is

QDoubleSpinBox *makeSeconds(double most, double value, const QString &name, QWidget *parent) {
    auto *box = new QDoubleSpinBox(parent);
    box->setDecimals(decimals);
    box->setRange(0, most);
    box->setSuffix(QStringLiteral(" s"));
    box->setValue(value);
    box->setAccessibleName(name);
    return box;
}

} // namespace

PartDialog::PartDialog(const QString &file, TraceOutline outline, std::uint64_t budget, std::uint64_t machine, QWidget *parent)
    : QDialog(parent), m_outline(std::move(outline)), m_budget(budget), m_threads(Work().threadCount()) {
    setWindowTitle(tr("A large trace"));
    QString text = tr("Reading all of \"%1\" takes about %2 of memory; %3 may be used.")
                       .arg(file, sizeText(estimateMemory(m_outline, {}, m_threads)), sizeText(m_budget));
    if (machine != 0)
        text += ' ' + tr("This machine has %1.").arg(sizeText(machine));
    auto *question = new QLabel(text, this);
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    question->setMinimumWidth(textWidth);
    m_estimate = new QLabel(this);
    m_estimate->setObjectName(QStringLiteral("estimate"));
    m_estimate->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    m_open = buttons->button(QDialogButtonBox::Open);
    m_open->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(question);
    layout->addWidget(makeChoices());
    layout->addWidget(m_estimate);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const bool hasChoice = m_outline.eventBytes.size() > 1; // with one rank, none can be left out
    m_someRanks->setEnabled(hasChoice);
    m_ranks->setEnabled(hasChoice);
    (hasChoice ? m_someRanks : m_someTime)->setChecked(true);
    (hasChoice ? m_someRanks : m_someTime)->setFocus();
    refresh();
}

QWidget *PartDialog::makeChoices() {
    auto *choices = new QWidget(this);
    m_all = new QRadioButton(tr("Read &all of it anyway"), choices);
    m_someRanks = new QRadioButton(tr("Only these &ranks:"), choices);
    m_someTime = new QRadioButton(tr("Only this &time:"), choices);
    m_ranks = new QLineEdit(firstRanksThatFit(), choices);
    m_ranks->setObjectName(QStringLiteral("ranks"));
    m_ranks->setAccessibleName(tr("Ranks to read"));
    m_ranks->setPlaceholderText(QStringLiteral("0-99,128"));
    const double end = m_outline.seconds > 0 ? m_outline.seconds : longest;
    // What hangs, hangs at the end.
    m_from = makeSeconds(end, m_outline.seconds > 0 ? 0.9 * end : 0, tr("Begin of the time to read, in seconds"), choices);
    m_to = makeSeconds(end, end, tr("End of the time to read, in seconds"), choices);
    auto *time = new QWidget(choices);
    auto *row = new QHBoxLayout(time);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_from, 1);
    row->addWidget(new QLabel(tr("to"), time));
    row->addWidget(m_to, 1);
    auto *grid = new QGridLayout(choices);
    grid->addWidget(m_all, 0, 0, 1, 2);
    grid->addWidget(m_someRanks, 1, 0);
    grid->addWidget(m_ranks, 1, 1);
    grid->addWidget(m_someTime, 2, 0);
    grid->addWidget(time, 2, 1);
    for (QRadioButton *choice : {m_all, m_someRanks, m_someTime})
        connect(choice, &QRadioButton::toggled, this, &PartDialog::refresh);
    // Who writes into a field means its choice.
    connect(m_ranks, &QLineEdit::textEdited, this, [this] { m_someRanks->setChecked(true); });
    connect(m_ranks, &QLineEdit::textChanged, this, &PartDialog::refresh);
    for (QDoubleSpinBox *box : {m_from, m_to})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            m_someTime->setChecked(true);
            refresh();
        });
    return choices;
}

QString PartDialog::firstRanksThatFit() const {
    RankSet ranks(m_outline.eventBytes.size());
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    while (ranks.size() > 1 && estimateMemory(m_outline, {ranks, std::nullopt}, m_threads) > m_budget)
        ranks.resize(ranks.size() / 2);
    return QString::fromStdString(formatRanges(ranks));
}

std::optional<RankSet> PartDialog::ranks() const {
    try {
        RankSet ranks = parseRanges(m_ranks->text().toStdString());
        if (!ranks.empty() && ranks.back() < m_outline.eventBytes.size())
            return ranks;
    } catch (const std::exception &) {
        // not a list of ranks, or one that no memory holds
    }
    return std::nullopt;
}

std::optional<OpenOptions> PartDialog::options() const {
    OpenOptions options;
    if (m_someRanks->isChecked()) {
        options.ranks = ranks();
        if (!options.ranks)
            return std::nullopt;
    } else if (m_someTime->isChecked()) {
        if (m_from->value() >= m_to->value())
            return std::nullopt;
        options.time = SecondsRange{m_from->value(), m_to->value()};
    }
    return options;
}

QString PartDialog::problem() const {
    return m_someTime->isChecked()
               ? tr("The time must end after it begins.")
               : tr("Ranks are written as 0-99,128; this trace has ranks 0 to %1.").arg(m_outline.eventBytes.size() - 1);
}

void PartDialog::refresh() {
    const std::optional<OpenOptions> chosen = options();
    m_open->setEnabled(chosen.has_value());
    if (!chosen) {
        m_estimate->setText(problem());
        return;
    }
    const std::uint64_t bytes = estimateMemory(m_outline, *chosen, m_threads);
    QString text = tr("This takes about %1 of memory").arg(sizeText(bytes));
    if (chosen->time && m_outline.seconds <= 0)
        text = tr("How long the trace lasts is not recorded: this takes up to %1 of memory").arg(sizeText(bytes));
    m_estimate->setText(text + (bytes > m_budget ? tr(", more than may be used.") : QStringLiteral(".")));
}

} // namespace laggard
