// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace laggard {

/// How a file is coloured, and whether it can be sliced.
enum class SourceLanguage { None, Cpp, FixedFortran, FreeFortran };

/// By the ending of the file name.
[[nodiscard]] SourceLanguage sourceLanguage(const QString &path);

/// A source file as text.
struct SourceText {
    QString text;
    QString encoding; ///< "UTF-8", "Latin-1" …
    QString problem;  ///< a sentence if the file could not be read; `text` is empty then
};

/// Files of this size and above are not shown.
inline constexpr qint64 largestSource = 50'000'000;

/// Reads a source file: UTF-8 (UTF-16 and UTF-32 with a byte order mark), else Latin-1, in which every byte is a letter. Never
/// waits: pipes, devices and what has nothing to read yet are a problem.
[[nodiscard]] SourceText readSource(const QString &path);

} // namespace laggard
