// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QCoreApplication;

namespace laggard {

/// Languages that the window can have beside English: those with a file "laggard_LANGUAGE.qm" in `folder`.
[[nodiscard]] QStringList translationsIn(const QString &folder);

/// Makes all that the window says be said in the first of `languages` ("de-AT", "de", "en") that there is a translation for, with
/// Qt's own texts where its translation is installed. Returns the language; empty for English, which is what the source has.
/// To be called before the first widget is made. What the analyses say, and numbers, stay English.
QString installTranslation(QCoreApplication &application, const QStringList &languages, const QString &folder);

/// Where the program has its translations.
[[nodiscard]] QString translationFolder();

} // namespace laggard
