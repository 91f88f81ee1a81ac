// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/source/SourceText.h"

#include <Qsci/qsciscintilla.h>

#include <vector>

namespace laggard {

/// A read-only text with line numbers, one current line and marked lines; colours follow the palette. Lines count from 1.
class SourceEditor : public QsciScintilla {
    Q_OBJECT

  public:
    explicit SourceEditor(QWidget *parent = nullptr);

    void setSource(const QString &text, SourceLanguage language);

    /// Size of the letters; 0: as the system's font of fixed width.
    void setFontPoints(int points);

    /// Marks the line and scrolls to it; 0 marks none. It stays in sight as the panel gets another size, until somebody scrolls.
    void setCurrentLine(int line);
    /// Takes the mark away, and scrolls nowhere.
    void unmarkLine();
    [[nodiscard]] int currentLine() const { return m_currentLine; }

    /// Lines of a slice; with `dimsOthers`, the text of all other lines is paler.
    void setMarkedLines(const std::vector<int> &lines, bool dimsOthers = false);
    [[nodiscard]] bool isDimmed(int line) const;
    [[nodiscard]] std::vector<int> markedLines() const;

    /// The next or previous place that contains `text`, around the ends of the file. False if there is none.
    bool findText(const QString &text, bool forward, bool fromStart);

  protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void applyColours();
    void placeCurrentLine();
    void setLexerFor(SourceLanguage language);

    SourceLanguage m_language = SourceLanguage::None;
    int m_currentLine = 0;
    int m_placedAt = 0; ///< the first line in sight then, from 0
    int m_fontPoints = 0;
};

} // namespace laggard
