// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QTransform>
#include <QVector>

#include <cmath>

namespace laggard::test {

/// The content streams of a PDF as QPdfWriter writes it: zlib behind "stream". What does not draw text is left out.
inline QList<QByteArray> pdfTextStreams(const QByteArray &pdf) {
    QList<QByteArray> streams;
    const QByteArray begin = ">>\nstream\n";
    for (qsizetype at = pdf.indexOf(begin); at >= 0; at = pdf.indexOf(begin, at)) {
        at += begin.size();
        const qsizetype end = pdf.indexOf("endstream", at);
        if (end < 0)
            break;
        // qUncompress wants the size in front, and takes it as a first guess.
        const QByteArray guess = QByteArray::fromHex("00100000");
        const QByteArray text = qUncompress(guess + pdf.mid(at, end - at));
        if (text.contains("BT\n") && text.contains(" Tf"))
            streams << text;
    }
    return streams;
}

/// Sizes of all letters of a PDF on its page, in points: of each piece of text, font size times the scale it is drawn with.
inline QList<double> pdfTextSizes(const QByteArray &pdf) {
    QList<double> sizes;
    for (const QByteArray &stream : pdfTextStreams(pdf)) {
        QTransform page;
        QTransform text;
        QList<QTransform> kept;
        QList<double> numbers;
        double fontSize = 0;
        const auto matrix = [&numbers] {
            const qsizetype n = numbers.size();
            return n < 6 ? QTransform()
                         : QTransform(numbers[n - 6], numbers[n - 5], numbers[n - 4], numbers[n - 3], numbers[n - 2],
                                      numbers[n - 1]);
        };
        for (const QByteArray &token : stream.simplified().split(' ')) {
            bool isNumber = false;
            const double number = token.toDouble(&isNumber);
            if (isNumber) {
                numbers << number;
                continue;
            }
            if (token == "q")
                kept << page;
            else if (token == "Q" && !kept.isEmpty())
                page = kept.takeLast();
            else if (token == "cm")
                page = matrix() * page;
            else if (token == "BT")
                text = QTransform();
            else if (token == "Tf" && !numbers.isEmpty())
                fontSize = numbers.last();
            else if (token == "Tm")
                text = matrix();
            else if (token == "Tj" || token == "TJ")
                sizes << fontSize * std::sqrt(std::abs((text * page).determinant()));
            else if (token.startsWith('/') || token.startsWith('<') || token.startsWith('['))
                continue; // an operand: what came before it still counts
            numbers.clear();
        }
    }
    return sizes;
}

} // namespace laggard::test
