// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace laggard {

/// Ends the event loop when the system asks the program to end (SIGTERM, SIGHUP, SIGINT), after all windows were closed: what
/// they keep is kept, and their threads and processes end. A second signal ends the program at once. One at a time.
class TerminationSignals : public QObject {
    Q_OBJECT

  public:
    /// Needs a QApplication. Without pipes left, signals end the program as they did.
    explicit TerminationSignals(QObject *parent = nullptr);
    ~TerminationSignals() override;

    /// The signal that came; 0 if none did.
    [[nodiscard]] int received() const { return m_received; }

  private:
    void take();

    int m_received = 0;
    int m_readEnd = -1;
};

} // namespace laggard
