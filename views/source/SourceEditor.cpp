// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceEditor.h"

#include "views/source/SourceColours.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerfortran.h>
#include <Qsci/qscilexerfortran77.h>

#include <QEvent>
#include <QFontDatabase>

#include <algorithm>

namespace laggard {
namespace {

enum Margin { Numbers, Signs };
enum Indicator { Dimmed = 8 };                                    // those below are the lexers' own
enum Marker { LineOfSlice, SliceSign, CurrentLine, CurrentSign }; // the last is drawn on top

/// Above this many characters, text stays plain: the lexer goes through all lines above the shown one.
constexpr qsizetype mostColoured = 8'000'000;

} // namespace

SourceEditor::SourceEditor(QWidget *parent) : QsciScintilla(parent) {
    setReadOnly(true);
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Source"));
    setTabWidth(8);
    setMarginType(Numbers, NumberMargin);
    setMarginType(Signs, SymbolMargin);
    setMarginWidth(Signs, fontMetrics().height());
    setMarginMarkerMask(Signs, 1 << CurrentSign | 1 << SliceSign);
    markerDefine(Background, CurrentLine);
    markerDefine(RightArrow, CurrentSign);
    markerDefine(Background, LineOfSlice);
    markerDefine(Circle, SliceSign);
    indicatorDefine(TextColorIndicator, Dimmed);
    setWrapMode(WrapNone);
    SendScintilla(SCI_SETSCROLLWIDTHTRACKING, 1L);
    SendScintilla(SCI_SETSCROLLWIDTH, 1L);
    applyColours();
}

void SourceEditor::setSource(const QString &text, SourceLanguage language) {
    m_currentLine = 0;
    markerDeleteAll();
    setLexerFor(text.size() > mostColoured ? SourceLanguage::None : language);
    setText(text);
    applyColours();
}

void SourceEditor::setLexerFor(SourceLanguage language) {
    if (language == m_language)
        return;
    m_language = language;
    QsciLexer *old = lexer();
    switch (language) {
    case SourceLanguage::Cpp:
        setLexer(new QsciLexerCPP(this));
        break;
    case SourceLanguage::FixedFortran:
        setLexer(new QsciLexerFortran77(this));
        break;
    case SourceLanguage::FreeFortran:
        setLexer(new QsciLexerFortran(this));
        break;
    case SourceLanguage::None:
        setLexer(nullptr);
        break;
    }
    delete old;
}

void SourceEditor::setCurrentLine(int line) {
    markerDeleteAll(CurrentLine);
    markerDeleteAll(CurrentSign);
    m_currentLine = line < 1 || line > lines() ? 0 : line;
    if (m_currentLine == 0)
        return;
    markerAdd(m_currentLine - 1, CurrentLine);
    markerAdd(m_currentLine - 1, CurrentSign);
    setCursorPosition(m_currentLine - 1, 0);
    placeCurrentLine();
}

void SourceEditor::placeCurrentLine() {
    // A third of the page above the line: what comes below it matters more.
    const int page = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
    setFirstVisibleLine(std::max(0, m_currentLine - 1 - page / 3));
    m_placedAt = firstVisibleLine(); // less at the end of the file
}

void SourceEditor::resizeEvent(QResizeEvent *event) {
    const bool isWhereItWasPlaced = firstVisibleLine() == m_placedAt; // nobody has scrolled since
    QsciScintilla::resizeEvent(event);
    if (m_currentLine != 0 && isWhereItWasPlaced)
        placeCurrentLine();
}

void SourceEditor::unmarkLine() {
    markerDeleteAll(CurrentLine);
    markerDeleteAll(CurrentSign);
    m_currentLine = 0;
}

void SourceEditor::setMarkedLines(const std::vector<int> &marked, bool dimsOthers) {
    markerDeleteAll(LineOfSlice);
    markerDeleteAll(SliceSign);
    for (const int line : marked) {
        if (line < 1 || line > lines())
            continue;
        markerAdd(line - 1, LineOfSlice);
        markerAdd(line - 1, SliceSign);
    }
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<long>(Dimmed));
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, SendScintilla(SCI_GETLENGTH));
    if (!dimsOthers)
        return;
    for (int line = 0; line < lines(); ++line) {
        const long begin = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        const long end = SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
        if ((markersAtLine(line) & (1U << SliceSign | 1U << CurrentSign)) == 0 && end > begin)
            SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), end - begin);
    }
}

bool SourceEditor::isDimmed(int line) const {
    const long begin = SendScintilla(SCI_GETLINEINDENTPOSITION, static_cast<unsigned long>(line - 1));
    return SendScintilla(SCI_INDICATORVALUEAT, static_cast<unsigned long>(Dimmed), begin) != 0;
}

std::vector<int> SourceEditor::markedLines() const {
    std::vector<int> marked;
    for (int line = markerFindNext(0, 1U << SliceSign); line >= 0; line = markerFindNext(line + 1, 1U << SliceSign))
        marked.push_back(line + 1);
    return marked;
}

bool SourceEditor::findText(const QString &text, bool forward, bool fromStart) {
    if (text.isEmpty())
        return false;
    int line = 0;
    int column = 0;
    int toLine = 0;
    int toColumn = 0;
    if (hasSelectedText())
        getSelection(&line, &column, &toLine, &toColumn);
    else
        getCursorPosition(&line, &column), toLine = line, toColumn = column;
    const bool continues = forward && !fromStart;
    return findFirst(text, false, false, false, true, forward, continues ? toLine : line, continues ? toColumn : column);
}

void SourceEditor::setFontPoints(int points) {
    if (points == m_fontPoints)
        return;
    m_fontPoints = points;
    applyColours();
}

void SourceEditor::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
    QsciScintilla::changeEvent(event);
}

void SourceEditor::applyColours() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (m_fontPoints > 0)
        font.setPointSize(m_fontPoints);
    const SourceColours colours = sourceColours(palette());
    if (QsciLexer *shown = lexer())
        colourLexer(*shown, colours, font);
    setFont(font);
    setColor(colours.text);
    setPaper(colours.paper);
    setCaretForegroundColor(colours.text);
    setMarginsFont(font);
    setMarginWidth(Numbers, QString::number(std::max(lines(), 100)) + "0");
    setMarginsForegroundColor(colours.lineNumber);
    setMarginsBackgroundColor(colours.margin);
    setMarkerBackgroundColor(colours.currentLine, CurrentLine);
    setMarkerBackgroundColor(colours.sign, CurrentSign);
    setMarkerForegroundColor(colours.sign, CurrentSign);
    setMarkerBackgroundColor(colours.sliceLine, LineOfSlice);
    setMarkerBackgroundColor(colours.sliceSign, SliceSign);
    setMarkerForegroundColor(colours.sliceSign, SliceSign);
    setIndicatorForegroundColor(colours.dimmed, Dimmed);
    setSelectionBackgroundColor(palette().color(QPalette::Highlight));
    setSelectionForegroundColor(palette().color(QPalette::HighlightedText));
}

} // namespace laggard
