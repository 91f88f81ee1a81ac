// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/WriteFile.h"

#include <QSaveFile>

namespace laggard {

void writeFile(const std::string &path, std::string_view content) {
    QSaveFile file(QString::fromStdString(path));
    file.setDirectWriteFallback(true); // devices such as /dev/stdout cannot be replaced
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(content.data(), static_cast<qint64>(content.size())) != static_cast<qint64>(content.size()) || !file.commit())
        throw WriteError("cannot write \"" + path + "\": " + file.errorString().toStdString());
}

} // namespace laggard
