// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/picture/FramedPicture.h"

#include "views/picture/PictureText.h"

#include <QPainter>

#include <optional>

namespace laggard {
namespace {

constexpr qreal margin = 16;

std::vector<PictureText> headOf(const FramedPicture &picture) {
    std::vector<PictureText> head{{picture.title, TextRole::Title}, {picture.subject, TextRole::Subtitle}};
    const auto add = [&](const QString &text, TextRole role) {
        for (const QString &line : wrapped(text, role, picture.body.width(), 4))
            head.push_back({line, role});
    };
    for (const QString &remark : picture.remarks)
        add(remark, TextRole::Remark);
    if (!picture.loss.isEmpty())
        add(picture.loss, TextRole::Loss);
    return head;
}

} // namespace

QByteArray renderFramed(const FramedPicture &picture, PictureFormat format) {
    const Theme theme = Theme::light();
    const std::vector<PictureText> head = headOf(picture);
    qreal top = margin;
    for (const PictureText &line : head)
        top += metricsOf(line.role).height() + 3;
    const QSizeF size(picture.body.width() + 2 * margin, top + 8 + picture.body.height() + margin);
    const auto paint = [&](QPaintDevice &device, qreal scale) {
        QPainter painter;
        if (!painter.begin(&device))
            throw PictureError("The picture could not be painted.");
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale);
        painter.fillRect(QRectF(QPointF(), size), theme.background);
        qreal y = margin;
        for (const PictureText &line : head) {
            const QFontMetricsF metrics = metricsOf(line.role);
            painter.setFont(fontOf(line.role));
            painter.setPen(line.role == TextRole::Loss ? theme.warning
                                                       : (line.role == TextRole::Subtitle ? theme.faintText : theme.text));
            painter.drawText(QPointF(margin, y + metrics.ascent()), line.text);
            y += metrics.height() + 3;
        }
        picture.paint(painter, QRectF(QPointF(margin, top + 8), picture.body), theme);
    };
    QStringList description{picture.subject};
    description << picture.remarks;
    if (!picture.loss.isEmpty())
        description << picture.loss;
    return renderPage({size, picture.title, description.join(QLatin1Char('\n')), paint}, format);
}

PictureFormat framedFormat(const QString &path) {
    const std::optional<PictureFormat> format = pictureFormat(path.toStdString());
    if (!format || *format == PictureFormat::Dot)
        throw PictureError("The picture " + path.toStdString() + " must end in .svg, .png or .pdf.");
    return *format;
}

} // namespace laggard
