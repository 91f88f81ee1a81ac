// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/picture/PictureFile.h"

#include "views/picture/PictureText.h"

#include <QBuffer>
#include <QFontDatabase>
#include <QFontInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal mostPngSide = 30'000; // pixels; QImage and most viewers end at 32,767
constexpr qreal mostPngPixels = 250e6;
constexpr qreal pixelsPerInch = 96;
constexpr qreal mostPdfPoints = 14'400; // a page has at most 200 inches

std::string describeSize(const QSizeF &size) {
    return std::to_string(std::lround(size.width())) + " × " + std::to_string(std::lround(size.height()));
}

QByteArray svg(const PicturePage &page) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(static_cast<int>(pixelsPerInch));
    generator.setSize(page.size.toSize());
    generator.setViewBox(QRectF(QPointF(), page.size));
    // Put in below, as not every version of Qt escapes them.
    generator.setTitle(QStringLiteral("TITLE"));
    generator.setDescription(QStringLiteral("DESCRIPTION"));
    page.paint(generator, 1);
    QByteArray text = buffer.data();
    const auto fill = [&](const QByteArray &element, const QByteArray &mark, const QString &content) {
        const QByteArray place = '<' + element + '>' + mark + "</" + element + '>';
        text.replace(place, '<' + element + '>' + content.toHtmlEscaped().toUtf8() + "</" + element + '>');
    };
    fill("title", "TITLE", page.title);
    fill("desc", "DESCRIPTION", page.description);
    // Where the font is missing, the reader's own sans-serif is better than what it would choose.
    const QFont font = fontOf(TextRole::Legend);
    text.replace("font-family=\"" + font.family().toUtf8() + '"',
                 "font-family=\"" + QFontInfo(font).family().toUtf8() + ", sans-serif\"");
    return text;
}

QByteArray png(const PicturePage &page) {
    const QSizeF size = page.size * page.pngScale;
    if (size.width() > mostPngSide || size.height() > mostPngSide || size.width() * size.height() > mostPngPixels)
        throw PictureError("The picture would have " + describeSize(size) +
                           " pixels, too many for PNG; write SVG or PDF instead.");
    QImage image(size.toSize(), QImage::Format_RGB32);
    if (image.isNull())
        throw PictureError("There is not enough memory for a picture of " + describeSize(size) +
                           " pixels; write SVG or PDF instead.");
    const qreal dots = page.hasFontsInPoints ? pixelsPerInch : pixelsPerInch * page.pngScale;
    image.setDotsPerMeterX(static_cast<int>(std::lround(dots / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.setText(QStringLiteral("Title"), page.title);
    page.paint(image, page.pngScale);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        throw PictureError("The picture could not be stored as PNG.");
    return buffer.data();
}

QByteArray pdf(const PicturePage &page) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const QSizeF points = page.size * 72 / pixelsPerInch;
    const qreal shrink = std::min(1.0, mostPdfPoints / std::max(points.width(), points.height()));
    const QSizeF paper(std::ceil(points.width() * shrink), std::ceil(points.height() * shrink));
    writer.setPageSize(QPageSize(paper, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    if (page.hasFontsInPoints)
        writer.setResolution(static_cast<int>(pixelsPerInch));
    writer.setTitle(page.title);
    writer.setCreator(QStringLiteral("Laggard"));
    page.paint(writer, writer.resolution() / pixelsPerInch * shrink);
    return buffer.data();
}

} // namespace

std::optional<PictureFormat> pictureFormat(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const QByteArray ending = QByteArray(name.data() + dot, static_cast<qsizetype>(name.size() - dot)).toLower();
    if (ending == ".svg")
        return PictureFormat::Svg;
    if (ending == ".png")
        return PictureFormat::Png;
    if (ending == ".pdf")
        return PictureFormat::Pdf;
    if (ending == ".dot")
        return PictureFormat::Dot;
    return std::nullopt;
}

QByteArray renderPage(const PicturePage &page, PictureFormat format) {
    if (QFontDatabase::families().isEmpty())
        throw PictureError(
            "There is no font on this machine to write the picture with; install one (Debian: fonts-dejavu-core).");
    switch (format) {
    case PictureFormat::Svg:
        return svg(page);
    case PictureFormat::Png:
        return png(page);
    case PictureFormat::Pdf:
        return pdf(page);
    case PictureFormat::Dot:
        break;
    }
    throw PictureError("This picture is not a graph: choose SVG, PNG or PDF.");
}

void writePictureFile(const std::string &path, const QByteArray &content) {
    QSaveFile file(QString::fromStdString(path)); // a temporary file beside it, renamed when it is complete
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        throw PictureError("The picture " + path + " could not be written: " + file.errorString().toStdString() + ".");
}

} // namespace laggard
