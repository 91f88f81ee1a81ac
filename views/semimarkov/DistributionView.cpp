// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/DistributionView.h"

#include "views/kit/ItemView.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {
constexpr int histogramMargin = 8;
constexpr int leastHeight = 130;
constexpr int leastHistogramHeight = 44; ///< a line of text, and bars that can be told apart
} // namespace

DistributionView::DistributionView(SemiMarkovFocus &focus, QWidget *parent) : QWidget(parent), m_focus(focus) {
    setMinimumSize(220, leastHeight);
    setFocusPolicy(Qt::StrongFocus);
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, &DistributionView::draw);
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &DistributionView::draw);
    connect(&m_focus, &SemiMarkovFocus::transitionChanged, this, &DistributionView::draw);
    draw();
}

QRectF DistributionView::area() const {
    return QRectF(rect()).adjusted(histogramMargin, histogramMargin, -histogramMargin, -histogramMargin);
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
    const QString text = m_picture.emptyText.isEmpty() ? tr("Times before a transition, by cluster") : m_picture.emptyText;
    setAccessibleName(m_picture.rows.empty() ? text : tr("Times before %1, by cluster").arg(m_picture.title));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    if (m_current && *m_current >= m_picture.rows.size())
        m_current.reset();
    setMinimumHeight(
        std::max(leastHeight, distributionHeight(m_picture.rows.size(), leastHistogramHeight) + 2 * histogramMargin));
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
    } else {
        paintDistributions(painter, area(), m_picture, *m_focus.cut(), theme);
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        if (m_current)
            painter.drawRect(distributionRowRect(area(), m_picture, *m_current));
    }
}

void DistributionView::chooseRow(std::size_t row, SelectMode mode) {
    m_current = row;
    m_focus.selectCluster(m_picture.rows[row].cluster, mode);
    emit rowReached(distributionRowRect(area(), m_picture, row).toAlignedRect());
    update();
}

void DistributionView::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || m_picture.rows.empty())
        return;
    if (const auto row = distributionRowAt(area(), m_picture, event->position().y()))
        chooseRow(*row, selectMode(event->modifiers()));
}

void DistributionView::keyPressEvent(QKeyEvent *event) {
    if (m_picture.rows.empty() || event->modifiers() & Qt::AltModifier)
        return QWidget::keyPressEvent(event);
    const std::size_t last = m_picture.rows.size() - 1;
    switch (event->key()) {
    case Qt::Key_Down:
        return chooseRow(m_current ? std::min(*m_current + 1, last) : 0, selectMode(event->modifiers()));
    case Qt::Key_Up:
        return chooseRow(m_current ? *m_current - std::min<std::size_t>(1, *m_current) : last, selectMode(event->modifiers()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return chooseRow(m_current.value_or(0), selectMode(event->modifiers()));
    default:
        QWidget::keyPressEvent(event);
    }
}

void DistributionView::focusInEvent(QFocusEvent *) { update(); }
void DistributionView::focusOutEvent(QFocusEvent *) { update(); }

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
