// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Translation.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace laggard {
namespace {

const QString prefix = QStringLiteral("laggard_");
const QString suffix = QStringLiteral(".qm");

} // namespace

QString translationFolder() { return QStringLiteral(":/translations"); }

QStringList translationsIn(const QString &folder) {
    QStringList languages;
    for (const QString &file : QDir(folder).entryList({prefix + QLatin1Char('*') + suffix}, QDir::Files, QDir::Name))
        languages << file.mid(prefix.size(), file.size() - prefix.size() - suffix.size());
    return languages;
}

QString installTranslation(QCoreApplication &application, const QStringList &languages, const QString &folder) {
    const QStringList there = translationsIn(folder);
    for (const QString &wanted : languages) {
        const QString language =
            QString(wanted).replace(QLatin1Char('_'), QLatin1Char('-')).section(QLatin1Char('-'), 0, 0).toLower();
        if (language == QLatin1String("en") || language == QLatin1String("c"))
            return {};
        if (!there.contains(language))
            continue;
        auto *qt = new QTranslator(&application);
        if (qt->load(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            QCoreApplication::installTranslator(qt);
        auto *own = new QTranslator(&application);
        if (!own->load(prefix + language, folder))
            continue;
        QCoreApplication::installTranslator(own);
        return language;
    }
    return {};
}

} // namespace laggard
