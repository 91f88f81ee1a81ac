// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <stdexcept>
#include <stop_token>

namespace laggard {

/// What laggard-attach said about why it has nothing: sentences for people.
class AttachError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Runs laggard-attach, a program of its own, and waits for it, in any thread. `arguments`: all but where to write, which is
/// `output`. Returns what it said on standard error. It is ended when `stop` is asked for (Cancelled is thrown). Throws
/// AttachError.
[[nodiscard]] QString runAttacher(const QStringList &arguments, const QString &output, std::stop_token stop);

} // namespace laggard
