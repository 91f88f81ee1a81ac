// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceColours.h"

#include "views/theme/Hues.h"
#include "views/theme/Theme.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerfortran77.h>

#include <QHash>

namespace laggard {
namespace {

/// Readable on the paper and on the fills of lines.
QColor ink(const QColor &colour, const SourceColours &on) {
    QColor result = withContrast(colour, on.paper);
    result = withContrast(result, on.currentLine);
    return withContrast(result, on.sliceLine);
}

QHash<int, QColor> cppStyles(const SourceColours &colours) {
    using Lexer = QsciLexerCPP;
    QHash<int, QColor> styles;
    for (const int style :
         {Lexer::Comment, Lexer::CommentLine, Lexer::CommentDoc, Lexer::CommentLineDoc, Lexer::CommentDocKeyword,
          Lexer::CommentDocKeywordError, Lexer::PreProcessorComment, Lexer::PreProcessorCommentLineDoc, Lexer::TaskMarker})
        styles[style] = colours.comment;
    for (const int style : {Lexer::Keyword, Lexer::KeywordSet2, Lexer::GlobalClass})
        styles[style] = colours.keyword;
    for (const int style :
         {Lexer::DoubleQuotedString, Lexer::SingleQuotedString, Lexer::RawString, Lexer::VerbatimString, Lexer::UnclosedString,
          Lexer::Regex, Lexer::EscapeSequence, Lexer::HashQuotedString, Lexer::TripleQuotedVerbatimString})
        styles[style] = colours.string;
    for (const int style : {Lexer::Number, Lexer::UUID, Lexer::UserLiteral})
        styles[style] = colours.number;
    styles[Lexer::PreProcessor] = colours.preprocessor;
    return styles;
}

QHash<int, QColor> fortranStyles(const SourceColours &colours) {
    using Lexer = QsciLexerFortran77;
    QHash<int, QColor> styles;
    styles[Lexer::Comment] = colours.comment;
    for (const int style : {Lexer::Keyword, Lexer::IntrinsicFunction, Lexer::ExtendedFunction, Lexer::DottedOperator})
        styles[style] = colours.keyword;
    for (const int style : {Lexer::SingleQuotedString, Lexer::DoubleQuotedString, Lexer::UnclosedString})
        styles[style] = colours.string;
    for (const int style : {Lexer::Number, Lexer::Label})
        styles[style] = colours.number;
    for (const int style : {Lexer::PreProcessor, Lexer::Continuation})
        styles[style] = colours.preprocessor;
    return styles;
}

} // namespace

SourceColours sourceColours(const QPalette &palette) {
    const bool dark = isDark(palette);
    SourceColours colours;
    colours.paper = palette.color(QPalette::Base);
    colours.currentLine = dark ? QColor(0x5a, 0x45, 0x10) : QColor(0xff, 0xf0, 0xb8);
    colours.sliceLine = dark ? QColor(0x1f, 0x3d, 0x57) : QColor(0xe0, 0xee, 0xfa);
    colours.text = ink(palette.color(QPalette::Text), colours);
    colours.keyword = ink(dark ? QColor(0x7f, 0xb8, 0xf0) : QColor(0x00, 0x4f, 0x9e), colours);
    colours.comment = ink(dark ? QColor(0x9a, 0xa6, 0xa0) : QColor(0x5f, 0x6b, 0x66), colours);
    colours.string = ink(dark ? QColor(0x9f, 0xd6, 0x8f) : QColor(0x1f, 0x6b, 0x2a), colours);
    colours.number = ink(dark ? QColor(0xf0, 0xb4, 0x7c) : QColor(0x96, 0x3f, 0x00), colours);
    colours.preprocessor = ink(dark ? QColor(0xd7, 0xa6, 0xdc) : QColor(0x7a, 0x2e, 0x86), colours);
    // As pale as can still be read on the paper: these lines have no fill.
    colours.dimmed = withContrast(dark ? QColor(0x70, 0x70, 0x70) : QColor(0x90, 0x90, 0x90), colours.paper);
    colours.margin = palette.color(QPalette::Window);
    colours.lineNumber = withContrast(dark ? QColor(0x99, 0x99, 0x99) : QColor(0x6b, 0x6b, 0x6b), colours.margin);
    colours.sign = withContrast(hue::vermilion, colours.margin, 3);
    colours.sliceSign = withContrast(hue::blue, colours.margin, 3);
    return colours;
}

void colourLexer(QsciLexer &lexer, const SourceColours &colours, const QFont &font) {
    lexer.setDefaultFont(font);
    lexer.setDefaultPaper(colours.paper);
    lexer.setDefaultColor(colours.text);
    lexer.setPaper(colours.paper);
    lexer.setFont(font);
    lexer.setColor(colours.text);
    const bool isCpp = qobject_cast<QsciLexerCPP *>(&lexer) != nullptr;
    const QHash<int, QColor> styles = isCpp ? cppStyles(colours) : fortranStyles(colours);
    for (auto style = styles.begin(); style != styles.end(); ++style)
        lexer.setColor(style.value(), style.key());
}

} // namespace laggard
