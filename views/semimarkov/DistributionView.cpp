// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/DistributionView.h"

#include "views/panels/ItemView.h"

#include <QMouseEvent>
#include <QPainter>

namespace laggard {
namespace {
constexpr qreal margin = 8;
}

DistributionView::DistributionView(SemiMarkovFocus &focus, QWidget *parent) : QWidget(parent), m_focus(focus) {
    setMinimumSize(220, 130);
    setFocusPolicy(Qt::StrongFocus);
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, &DistributionView::draw);
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &DistributionView::draw);
    connect(&m_focus, &SemiMarkovFocus::transitionChanged, this, &DistributionView::draw);
    draw();
}

void DistributionView::draw() {
    m_picture = {};
    if (m_focus.report() == nullptr)
        m_picture.emptyText = m_focus.state();
    else if (!m_focus.transition())
        m_picture.emptyText = tr("Choose a transition in the state model.");
    else
        m_picture = makeDistributions(*m_focus.trace(), *m_focus.report(), *m_focus.cut(), *m_focus.transition());
    QStringList said;
    for (const DistributionRow &row : m_picture.rows)
        said << row.name;
    setAccessibleName(m_picture.rows.empty() ? m_picture.emptyText : tr("Times before %1, by cluster").arg(m_picture.title));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    update();
}

void DistributionView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.fillRect(rect(), theme.background);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_picture.rows.empty()) {
        painter.setPen(theme.faintText);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_picture.emptyText);
        return;
    }
    paintDistributions(painter, QRectF(rect()).adjusted(margin, margin, -margin, -margin), m_picture, *m_focus.cut(), theme);
}

void DistributionView::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || m_picture.rows.empty())
        return;
    const auto row =
        distributionRowAt(QRectF(rect()).adjusted(margin, margin, -margin, -margin), m_picture, event->position().y());
    if (row)
        m_focus.selectCluster(m_picture.rows[*row].cluster, selectMode(event->modifiers()));
}

void DistributionView::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

QByteArray DistributionView::file(const QString &path) const {
    const PictureFormat format = framedFormat(path);
    if (m_picture.rows.empty())
        throw PictureError(tr("There is no transition to draw.").toStdString());
    return renderFramed(framed(m_picture, *m_focus.cut()), format);
}

} // namespace laggard
