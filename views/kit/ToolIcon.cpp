// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ToolIcon.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <algorithm>

namespace laggard {
namespace {

void drawLines(QPainter &painter, std::initializer_list<QPointF> points) {
    painter.drawPolyline(QPolygonF(QList<QPointF>(points)));
}

/// A magnifying glass; the sign in it says which way.
void drawGlass(QPainter &painter, bool isPlus) {
    painter.drawEllipse(QPointF(-0.15, -0.15), 0.5, 0.5);
    painter.drawLine(QPointF(0.22, 0.22), QPointF(0.7, 0.7));
    painter.drawLine(QPointF(-0.38, -0.15), QPointF(0.08, -0.15));
    if (isPlus)
        painter.drawLine(QPointF(-0.15, -0.38), QPointF(-0.15, 0.08));
}

void drawTriangle(QPainter &painter, double tip) {
    painter.setBrush(painter.pen().color());
    const QPointF triangle[] = {{tip * 0.4, 0}, {-tip * 0.35, -0.45}, {-tip * 0.35, 0.45}};
    painter.drawPolygon(triangle, 3);
}

/// In a square from -1 to 1.
void draw(QPainter &painter, ToolIcon which) {
    switch (which) {
    case ToolIcon::Open: // a folder
        drawLines(painter, {{-0.75, 0.6}, {-0.75, -0.55}, {-0.25, -0.55}, {-0.05, -0.3}, {0.6, -0.3}, {0.6, -0.05}});
        drawLines(painter, {{-0.75, 0.6}, {-0.5, -0.05}, {0.85, -0.05}, {0.6, 0.6}, {-0.75, 0.6}});
        break;
    case ToolIcon::Back:
        drawLines(painter, {{0.7, 0}, {-0.65, 0}});
        drawLines(painter, {{-0.15, -0.5}, {-0.65, 0}, {-0.15, 0.5}});
        break;
    case ToolIcon::Forward:
        drawLines(painter, {{-0.7, 0}, {0.65, 0}});
        drawLines(painter, {{0.15, -0.5}, {0.65, 0}, {0.15, 0.5}});
        break;
    case ToolIcon::LeastProgressed: // bars, of which one lags behind
        for (const auto &[y, end] : {std::pair(-0.55, 0.7), std::pair(0.0, -0.1), std::pair(0.55, 0.7)})
            painter.drawLine(QPointF(-0.7, y), QPointF(end, y));
        painter.drawEllipse(QPointF(0.3, 0), 0.13, 0.13);
        break;
    case ToolIcon::MomentBefore:
        drawTriangle(painter, -1);
        break;
    case ToolIcon::MomentAfter:
        drawTriangle(painter, 1);
        break;
    case ToolIcon::ZoomIn:
        drawGlass(painter, true);
        break;
    case ToolIcon::ZoomOut:
        drawGlass(painter, false);
        break;
    case ToolIcon::ZoomAll: // from edge to edge
        painter.drawLine(QPointF(-0.8, -0.55), QPointF(-0.8, 0.55));
        painter.drawLine(QPointF(0.8, -0.55), QPointF(0.8, 0.55));
        painter.drawLine(QPointF(-0.55, 0), QPointF(0.55, 0));
        drawLines(painter, {{-0.3, -0.25}, {-0.55, 0}, {-0.3, 0.25}});
        drawLines(painter, {{0.3, -0.25}, {0.55, 0}, {0.3, 0.25}});
        break;
    case ToolIcon::Filter: // a funnel
        drawLines(painter,
                  {{-0.75, -0.65}, {0.75, -0.65}, {0.18, 0.05}, {0.18, 0.7}, {-0.18, 0.45}, {-0.18, 0.05}, {-0.75, -0.65}});
        break;
    case ToolIcon::Export: // an arrow out of a tray
        drawLines(painter, {{-0.7, 0.15}, {-0.7, 0.7}, {0.7, 0.7}, {0.7, 0.15}});
        painter.drawLine(QPointF(0, 0.35), QPointF(0, -0.7));
        drawLines(painter, {{-0.35, -0.35}, {0, -0.7}, {0.35, -0.35}});
        break;
    case ToolIcon::Fold:
        drawLines(painter, {{-0.5, 0.25}, {0, -0.25}, {0.5, 0.25}});
        break;
    case ToolIcon::Unfold:
        drawLines(painter, {{-0.5, -0.25}, {0, 0.25}, {0.5, -0.25}});
        break;
    case ToolIcon::Maximise:
        painter.drawRect(QRectF(-0.6, -0.55, 1.2, 1.1));
        break;
    case ToolIcon::TakeOut:
        painter.drawRect(QRectF(-0.65, -0.2, 0.85, 0.85));
        drawLines(painter, {{-0.2, -0.35}, {-0.2, -0.65}, {0.65, -0.65}, {0.65, 0.2}, {0.35, 0.2}});
        break;
    case ToolIcon::Close:
        painter.drawLine(QPointF(-0.5, -0.5), QPointF(0.5, 0.5));
        painter.drawLine(QPointF(-0.5, 0.5), QPointF(0.5, -0.5));
        break;
    }
}

class LineEngine : public QIconEngine {
  public:
    explicit LineEngine(ToolIcon which) : m_which(which) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QApplication::palette();
        const QPalette::ColorGroup group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const double half = std::min(rect.width(), rect.height()) / 2.0;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center());
        painter->scale(half, half);
        QColor colour = palette.color(group, mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText);
        if (mode == QIcon::Disabled)
            colour.setAlphaF(0.45F); // fainter than text: nobody has to read it
        constexpr double penPixels = 1.5;
        painter->setPen(QPen(colour, penPixels / half, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        draw(*painter, m_which);
        painter->restore();
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine *clone() const override { return new LineEngine(m_which); }

  private:
    ToolIcon m_which;
};

} // namespace

QIcon toolIcon(ToolIcon which) { return QIcon(new LineEngine(which)); }

} // namespace laggard
