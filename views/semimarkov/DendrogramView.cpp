// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/DendrogramView.h"

#include "views/kit/ItemView.h"
#include "views/kit/Text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal margin = 8;
constexpr qreal leastRowHeight = 15;
constexpr std::size_t mostFileRows = 300;
constexpr qreal reach = 7;        ///< pixels from the threshold at which it is meant
constexpr double keyStep = 0.01;  ///< share of the axis
constexpr qreal roomForAxes = 90; ///< axis and head

} // namespace

DendrogramView::DendrogramView(SemiMarkovFocus &focus, QWidget *parent) : QWidget(parent), m_focus(focus) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(240, 130);
    setAccessibleName(tr("Dendrogram"));
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, [this] {
        m_current.reset();
        draw();
    });
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &DendrogramView::draw);
    connect(&m_focus.selection(), &SelectionModel::changed, this, qOverload<>(&QWidget::update));
    draw();
}

QRectF DendrogramView::area() const { return QRectF(rect()).adjusted(margin, margin, -margin, -margin); }

void DendrogramView::draw() {
    m_picture = {};
    if (m_focus.report() != nullptr) {
        const double rows = std::clamp((height() - roomForAxes) / leastRowHeight, 4.0, 60.0);
        m_picture = makeDendrogram(*m_focus.trace(), *m_focus.report(), *m_focus.cut(), static_cast<std::size_t>(rows));
        m_picture.threshold = m_focus.threshold();
        setAccessibleDescription(
            tr("Threshold %1, %2").arg(QString::number(m_picture.threshold, 'g', 4), countText(m_picture.clusters, "cluster")));
    }
    if (m_current && *m_current >= m_picture.rows.size())
        m_current.reset();
    update();
    emit pictureChanged();
}

void DendrogramView::moveThreshold(double threshold) {
    if (m_focus.report() == nullptr)
        return;
    m_focus.setThreshold(threshold);
    m_picture.threshold = m_focus.threshold(); // the line follows the hand, the clusters a moment later
    std::vector<std::uint32_t> clusters = m_focus.report()->hierarchy.clusters(m_picture.threshold);
    std::erase(clusters, none);
    std::sort(clusters.begin(), clusters.end());
    m_picture.clusters = static_cast<std::size_t>(std::unique(clusters.begin(), clusters.end()) - clusters.begin());
    update();
}

void DendrogramView::chooseRow(std::size_t row, SelectMode mode) {
    m_current = row;
    Selection selection;
    selection.ranks = m_picture.rows[row].ranks;
    m_focus.selection().select(selection, mode);
    update();
}

QPointF DendrogramView::handle() const {
    const DendrogramGeometry at = dendrogramGeometry(m_picture, area());
    return {at.x(m_picture.threshold), at.plot.top() - 8};
}

bool DendrogramView::isOnThreshold(QPointF point) const {
    const DendrogramGeometry at = dendrogramGeometry(m_picture, area());
    return m_focus.report() != nullptr && std::abs(point.x() - at.x(m_picture.threshold)) <= reach &&
           point.y() <= at.plot.bottom();
}

void DendrogramView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.fillRect(rect(), theme.background);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_focus.report() == nullptr) {
        painter.setPen(theme.faintText);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_focus.state());
        return;
    }
    const RankSet &selected = m_focus.selection().current().ranks;
    std::vector<bool> marked;
    for (const DendrogramRow &row : m_picture.rows)
        marked.push_back(std::any_of(row.ranks.begin(), row.ranks.end(),
                                     [&](Rank rank) { return std::binary_search(selected.begin(), selected.end(), rank); }));
    paintDendrogram(painter, area(), m_picture, *m_focus.cut(), theme, marked, hasFocus() ? m_current : std::nullopt);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void DendrogramView::resizeEvent(QResizeEvent *) { draw(); }

void DendrogramView::mousePressEvent(QMouseEvent *event) {
    m_dragging = event->button() == Qt::LeftButton && isOnThreshold(event->position());
}

void DendrogramView::mouseMoveEvent(QMouseEvent *event) {
    if (m_dragging)
        moveThreshold(dendrogramGeometry(m_picture, area()).height(event->position().x()));
    setCursor(m_dragging || isOnThreshold(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
}

void DendrogramView::mouseReleaseEvent(QMouseEvent *event) {
    if (std::exchange(m_dragging, false) || event->button() != Qt::LeftButton || m_focus.report() == nullptr)
        return;
    const DendrogramGeometry at = dendrogramGeometry(m_picture, area());
    if (const auto row = at.rowAt(event->position().y(), m_picture.rows.size()))
        chooseRow(*row, selectMode(event->modifiers()));
}

void DendrogramView::keyPressEvent(QKeyEvent *event) {
    const SemiMarkovReport *report = m_focus.report();
    if (report == nullptr || event->modifiers() & Qt::AltModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    const double step = m_picture.largest * keyStep;
    const std::size_t last = m_picture.rows.empty() ? 0 : m_picture.rows.size() - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveThreshold(std::max(0.0, m_focus.threshold() - step));
    case Qt::Key_Right:
        return moveThreshold(std::min(m_picture.largest, m_focus.threshold() + step));
    case Qt::Key_PageUp:
        return moveThreshold(nextThreshold(report->hierarchy.dendrogram, m_focus.threshold(), 1));
    case Qt::Key_PageDown:
        return moveThreshold(nextThreshold(report->hierarchy.dendrogram, m_focus.threshold(), -1));
    case Qt::Key_Home:
        return moveThreshold(m_picture.trained);
    case Qt::Key_Down:
        m_current = m_current ? std::min(*m_current + 1, last) : 0;
        return update();
    case Qt::Key_Up:
        m_current = m_current ? *m_current - std::min<std::size_t>(1, *m_current) : last;
        return update();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current && *m_current < m_picture.rows.size())
            chooseRow(*m_current, selectMode(event->modifiers()));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void DendrogramView::focusInEvent(QFocusEvent *) { update(); }
void DendrogramView::focusOutEvent(QFocusEvent *) { update(); }

void DendrogramView::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

QByteArray DendrogramView::file(const QString &path) const {
    const PictureFormat format = framedFormat(path);
    if (m_focus.report() == nullptr)
        throw PictureError(tr("There is no dendrogram to draw.").toStdString());
    return renderFramed(framed(makeDendrogram(*m_focus.trace(), *m_focus.report(), *m_focus.cut(), mostFileRows), *m_focus.cut()),
                        format);
}

} // namespace laggard
