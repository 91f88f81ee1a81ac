// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceText.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace laggard {
namespace {

QString translated(const char *text) { return QCoreApplication::translate("SourceText", text); }

SourceText decoded(const QByteArray &bytes, const QString &path) {
    SourceText source;
    const auto marked = QStringConverter::encodingForData(bytes);
    QStringDecoder decoder(marked.value_or(QStringConverter::Utf8));
    source.text = decoder(bytes);
    source.encoding = QString(QStringConverter::nameForEncoding(marked.value_or(QStringConverter::Utf8)));
    if (decoder.hasError()) {
        source.text = QString::fromLatin1(bytes);
        source.encoding = "Latin-1";
    }
    if (source.text.contains(QChar(0)))
        return {{}, {}, translated("%1 is not a text file.").arg(path)};
    return source;
}

} // namespace

SourceLanguage sourceLanguage(const QString &path) {
    static const QStringList cpp = {"c",   "h",   "cc",  "cpp", "cxx", "c++", "hh", "hpp",
                                    "hxx", "inl", "ipp", "cu",  "cuh", "hip", "cl"};
    static const QStringList freeForm = {"f90", "f95", "f03", "f08", "f15", "f18", "fpp"};
    static const QStringList fixedForm = {"f", "for", "ftn", "f77"};
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (cpp.contains(suffix))
        return SourceLanguage::Cpp;
    if (freeForm.contains(suffix))
        return SourceLanguage::FreeFortran;
    return fixedForm.contains(suffix) ? SourceLanguage::FixedFortran : SourceLanguage::None;
}

SourceText readSource(const QString &path) {
    const QFileInfo info(path);
    if (!info.isFile())
        return {{}, {}, translated("%1 is not a file.").arg(path)};
    if (info.size() >= largestSource)
        return {{},
                {},
                translated("%1 is too large to show: %2, and the limit is %3.")
                    .arg(path, QLocale::c().formattedDataSize(info.size(), 1, QLocale::DataSizeSIFormat),
                         QLocale::c().formattedDataSize(largestSource, 0, QLocale::DataSizeSIFormat))};
    // Traces name any path: a pipe put there meanwhile, or a log of the system below /proc, must not be waited for.
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return {{}, {}, translated("%1 cannot be read: %2.").arg(path, qt_error_string(errno))};
    QFile file;
    if (!file.open(descriptor, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(descriptor);
        return {{}, {}, translated("%1 cannot be read: %2.").arg(path, file.errorString())};
    }
    // The file may grow while it is read.
    const QByteArray bytes = file.read(largestSource);
    if (file.error() != QFile::NoError)
        return {{}, {}, translated("%1 cannot be read: %2.").arg(path, file.errorString())};
    return decoded(bytes, path);
}

} // namespace laggard
