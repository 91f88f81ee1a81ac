// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphLayout.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <memory>
#include <stop_token>

class QProcess;
class QTimer;

namespace laggard {

/// The program that lays graphs out: $LAGGARD_LAYOUT, or `laggard-layout` beside the running program, in the build tree or in
/// the installation's libexec folder. Throws LayoutError that says where it was looked for.
[[nodiscard]] QString findLayoutProgram();

inline constexpr std::chrono::milliseconds layoutTimeout{60'000};

/// Lays a graph out in a child process and waits for it; for the command line. Throws LayoutError, also when `stop` is
/// asked for (the child is ended within 50 ms), the time is over, or the child writes more than an answer can have. A graph
/// without nodes needs no child.
[[nodiscard]] GraphLayout layOut(const LayoutRequest &request, std::stop_token stop = {},
                                 std::chrono::milliseconds timeout = layoutTimeout);

/// What a layout program has written so far.
struct LayoutOutput {
    QByteArray answer;
    QByteArray complaint;
};

/// The same without waiting; for the window. One layout at a time: starting the next one ends the one under way.
class LayoutProcess : public QObject {
    Q_OBJECT
  public:
    explicit LayoutProcess(QObject *parent = nullptr);
    ~LayoutProcess() override;

    /// Ends with exactly one of the signals, unless it is cancelled.
    void start(LayoutRequest request, std::chrono::milliseconds timeout = layoutTimeout);
    /// Ends the child at once; no signal follows.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }

  signals:
    void finished(const laggard::GraphLayout &layout);
    void failed(const QString &why);

  private:
    void conclude();
    void fail(const QString &why);

    LayoutRequest m_request;
    LayoutOutput m_output;
    std::chrono::milliseconds m_timeout{};
    QProcess *m_process = nullptr;
    QTimer *m_timer = nullptr;
};

} // namespace laggard
