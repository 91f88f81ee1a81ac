// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <vector>

namespace laggard {

/// How a file is coloured.
enum class SourceLanguage { None, Cpp, FixedFortran, FreeFortran };

/// By the ending of the file name.
[[nodiscard]] SourceLanguage sourceLanguage(const QString &path);

/// A read-only text with line numbers, one current line and marked lines; colours follow the palette. Lines count from 1.
class SourceEditor : public QsciScintilla {
    Q_OBJECT

  public:
    explicit SourceEditor(QWidget *parent = nullptr);

    void setSource(const QString &text, SourceLanguage language);

    /// Size of the letters; 0: as the system's font of fixed width.
    void setFontPoints(int points);

    /// Marks the line and scrolls to it; 0 marks none.
    void setCurrentLine(int line);
    [[nodiscard]] int currentLine() const { return m_currentLine; }

    /// Lines of a slice.
    void setMarkedLines(const std::vector<int> &lines);
    [[nodiscard]] std::vector<int> markedLines() const;

    /// The next or previous place that contains `text`, around the ends of the file. False if there is none.
    bool findText(const QString &text, bool forward, bool fromStart);

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void applyColours();
    void setLexerFor(SourceLanguage language);

    SourceLanguage m_language = SourceLanguage::None;
    int m_currentLine = 0;
    int m_fontPoints = 0;
};

} // namespace laggard
