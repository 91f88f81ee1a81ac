// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringView>

#include <functional>

namespace laggard {

/// `name` cut down step by step until it `fits`: without arguments, then without template arguments, then without
/// enclosing scopes, each replaced by "…". What still does not fit is returned as it is after the last step.
[[nodiscard]] QString shortenFunctionName(const QString &name, const std::function<bool(const QString &)> &fits);

/// As the user wrote it: "MPI_Send" for "PMPI_Send".
[[nodiscard]] QString withoutProfilingPrefix(const QString &name);

} // namespace laggard
