// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AttachDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

namespace laggard {
namespace {

/// Words, those in quotes with their spaces.
QStringList wordsOf(const QString &text) {
    static const QRegularExpression word(QStringLiteral("\"([^\"]*)\"|(\\S+)"));
    QStringList words;
    for (auto match = word.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch each = match.next();
        words << (each.hasCaptured(2) ? each.captured(2) : each.captured(1));
    }
    return words;
}

} // namespace

AttachDialog::AttachDialog(QWidget *parent)
    : QDialog(parent),
      m_target(new QComboBox),
      m_textLabel(new QLabel),
      m_text(new QLineEdit),
      m_choose(new QPushButton(tr("Choose …"))),
      m_programLabel(new QLabel(tr("Pro&gram:"))),
      m_program(new QLineEdit),
      m_samples(new QSpinBox),
      m_interval(new QDoubleSpinBox) {
    setWindowTitle(tr("Attach to a job"));
    m_target->addItems({tr("My only MPI job on this machine"), tr("The job of a launcher (mpiexec, srun)"),
                        tr("Processes, in order of their ranks"), tr("Core files"), tr("A job of Slurm, on all its nodes"),
                        tr("The nodes of a list, by ssh")});
    m_program->setPlaceholderText(tr("where the core files say"));
    m_samples->setRange(1, 1000);
    m_samples->setValue(4);
    m_interval->setRange(0, 3600);
    m_interval->setValue(0.5);
    m_interval->setSuffix(tr(" s"));
    auto *line = new QHBoxLayout;
    line->addWidget(m_text, 1);
    line->addWidget(m_choose);
    auto *form = new QFormLayout;
    form->addRow(tr("&Job:"), m_target);
    form->addRow(m_textLabel, line);
    form->addRow(m_programLabel, m_program);
    form->addRow(tr("&Samples:"), m_samples);
    form->addRow(tr("&Every:"), m_interval);
    m_textLabel->setBuddy(m_text);
    m_programLabel->setBuddy(m_program);
    auto *note = new QLabel(tr("Each process stands still for some milliseconds in each sample, and goes on as it was."));
    note->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_attach = buttons->addButton(tr("&Attach"), QDialogButtonBox::AcceptRole);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(note);
    layout->addWidget(buttons);
    connect(m_target, &QComboBox::currentIndexChanged, this, &AttachDialog::showTarget);
    connect(m_text, &QLineEdit::textChanged, this, &AttachDialog::showTarget);
    connect(m_choose, &QPushButton::clicked, this, &AttachDialog::chooseFiles);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showTarget();
}

AttachDialog::Target AttachDialog::target() const { return static_cast<Target>(m_target->currentIndex()); }
void AttachDialog::setTarget(Target target) { m_target->setCurrentIndex(static_cast<int>(target)); }
void AttachDialog::setText(const QString &text) { m_text->setText(text); }
bool AttachDialog::givesFolder() const { return target() == Target::Slurm || target() == Target::Hosts; }

void AttachDialog::showTarget() {
    const bool areCores = target() == Target::Cores;
    const bool hasText = target() != Target::OnlyJob;
    m_textLabel->setText(target() == Target::Slurm               ? tr("&Number:")
                         : areCores || target() == Target::Hosts ? tr("&Files:")
                                                                 : tr("&Process:"));
    m_textLabel->setEnabled(hasText);
    m_text->setEnabled(hasText);
    m_choose->setEnabled(areCores || target() == Target::Hosts);
    m_programLabel->setEnabled(areCores);
    m_program->setEnabled(areCores);
    m_samples->setEnabled(!areCores);
    m_interval->setEnabled(!areCores);
    m_attach->setEnabled(!hasText || !wordsOf(m_text->text()).isEmpty());
}

void AttachDialog::chooseFiles() {
    QStringList files = target() == Target::Cores ? QFileDialog::getOpenFileNames(this, tr("Core files of the ranks"))
                                                  : QStringList{QFileDialog::getOpenFileName(this, tr("A node on each line"))};
    files.removeAll(QString());
    for (QString &file : files)
        file = '"' + file + '"';
    if (!files.isEmpty())
        m_text->setText(files.join(' '));
}

QStringList AttachDialog::arguments() const {
    static const QStringList options = {{}, "--launcher", "--pid", "--core", "--job", "--hosts"};
    QStringList arguments;
    const QStringList words = wordsOf(m_text->text());
    if (target() != Target::OnlyJob) {
        arguments << options[m_target->currentIndex()];
        arguments << (target() == Target::Processes || target() == Target::Cores ? words : words.mid(0, 1));
    }
    if (target() == Target::Cores) {
        if (!m_program->text().isEmpty())
            arguments << "--exe" << m_program->text();
    } else
        arguments << "--samples" << QString::number(m_samples->value()) << "--interval" << QString::number(m_interval->value());
    return arguments;
}

} // namespace laggard
