// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ExportDialog.h"

#include "views/kit/Text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QPointer>
#include <QStandardPaths>
#include <QStatusBar>

#include <stdexcept>

namespace laggard {
namespace {

QString filterOf(const QString &ending) { return QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending); }

constexpr const char *lastFolder = "lastExportFolder"; ///< property of a window

/// The outermost one that `widget` is in, even if its dock has been taken out of it; null outside of main windows.
QMainWindow *mainWindowOf(QWidget *widget) {
    QMainWindow *found = nullptr;
    for (; widget != nullptr; widget = widget->parentWidget())
        if (auto *window = qobject_cast<QMainWindow *>(widget))
            found = window;
    return found;
}

/// What a trace is called. All OTF2 archives are "traces.otf2", and a recording is a folder.
QString nameOfTrace(const QString &path) {
    const QFileInfo file(path);
    if (path.isEmpty())
        return {};
    return file.completeBaseName() == QLatin1String("traces") ? file.absoluteDir().dirName()
           : file.isDir()                                     ? file.fileName()
                                                              : file.completeBaseName();
}

QString askForFile(QWidget *parent, const QString &title, const QString &suggested, const QStringList &endings) {
    QMainWindow *window = mainWindowOf(parent);
    const QString folder = window != nullptr ? window->property(lastFolder).toString() : QString();
    const QString trace = window != nullptr ? nameOfTrace(window->windowFilePath()) : QString();
    QStringList filters;
    for (const QString &ending : endings)
        filters << filterOf(ending);
    QFileDialog dialog(parent, title, QFileInfo(folder).isDir() ? folder : exportFolder());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    dialog.setDefaultSuffix(endings.first());
    dialog.selectFile(trace.isEmpty() ? suggested : trace + QLatin1Char('-') + suggested);
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString &filter) {
        const QString ending = endings.value(filters.indexOf(filter), endings.first());
        dialog.setDefaultSuffix(ending);
        const QFileInfo typed(dialog.selectedFiles().value(0));
        if (!endings.contains(typed.suffix()))
            return;
        QString name = typed.completeBaseName() + QLatin1Char('.') + ending;
        if (typed.dir() != dialog.directory()) // it was typed with a folder
            name = typed.dir().filePath(name);
        // Qt's own dialog takes no name from outside while the keyboard is in the field.
        if (auto *field = dialog.findChild<QLineEdit *>())
            field->setText(name);
        else
            dialog.selectFile(name);
    });
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace

QString exportFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void exportToFile(QWidget *parent, const QString &title, const QString &suggested, const QStringList &endings,
                  const std::function<void(const QString &file)> &write) {
    const QPointer<QWidget> alive(parent);
    const QString file = askForFile(parent, title, suggested, endings);
    if (file.isEmpty() || !alive)
        return;
    try {
        write(file);
        if (QMainWindow *window = mainWindowOf(parent)) {
            window->setProperty(lastFolder, QFileInfo(file).absolutePath());
            window->statusBar()->showMessage(QObject::tr("Written: %1").arg(QDir::toNativeSeparators(file)));
        }
    } catch (const std::runtime_error &error) {
        QMessageBox::warning(parent, title, toText(error.what()));
    }
}

} // namespace laggard
