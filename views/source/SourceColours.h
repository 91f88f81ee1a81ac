// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

class QsciLexer;

namespace laggard {

/// The colours of a source text. All inks stand at least 4.5:1 against the paper and against the line fills.
struct SourceColours {
    QColor paper;
    QColor text;
    QColor keyword;
    QColor comment;
    QColor string;
    QColor number;
    QColor preprocessor;
    QColor dimmed; ///< text of lines that do not matter now
    QColor margin;
    QColor lineNumber;
    QColor currentLine; ///< fill
    QColor sign;        ///< sign at the current line
    QColor sliceLine;   ///< fill
    QColor sliceSign;
};

/// The colours that suit a light or dark palette.
[[nodiscard]] SourceColours sourceColours(const QPalette &palette);

/// Gives all styles of a C++ or Fortran lexer these colours.
void colourLexer(QsciLexer &lexer, const SourceColours &colours, const QFont &font);

} // namespace laggard
