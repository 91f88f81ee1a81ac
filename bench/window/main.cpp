// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window is deaf: the longest time between two turns of its event loop. See bench/README.md.
#include "app/window/MainWindow.h"
#include "app/window/Workspace.h"
#include "views/pdg/PdgView.h"
#include "views/timeline/TimelineWidget.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace laggard;

namespace {

/// CPU time of this thread: what a turn of the event loop took whatever else the machine does.
double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Ticks every 10 ms and remembers the longest time between two ticks.
class StallMeter {
  public:
    StallMeter() {
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_longest = std::max(m_longest, m_sinceTick.restart());
            const double cpu = threadMilliseconds();
            m_longestCpu = std::max(m_longestCpu, cpu - m_cpuAtTick);
            m_cpuAtTick = cpu;
            ++m_ticks;
        });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.start(10);
        m_sinceTick.start();
    }

    void begin() {
        m_longest = 0;
        m_longestCpu = 0;
        m_ticks = 0;
        m_sinceTick.restart();
        m_cpuAtTick = threadMilliseconds();
    }

    void report(const char *what) {
        QEventLoop turn; // until the work that was asked for has been done and a tick has seen it
        QTimer::singleShot(50, &turn, &QEventLoop::quit);
        turn.exec();
        std::printf("%-28s longest stall %5lld ms, CPU of the window's thread %5.0f ms, in %lld ticks\n", what,
                    static_cast<long long>(m_longest), m_longestCpu, static_cast<long long>(m_ticks));
        std::fflush(stdout);
    }

  private:
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
    qint64 m_longest = 0;
    double m_longestCpu = 0; ///< milliseconds
    double m_cpuAtTick = threadMilliseconds();
    qint64 m_ticks = 0;
};

void turnFor(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

int open(MainWindow &window, const QString &trace) {
    QString failure;
    QEventLoop loop;
    QObject::connect(&window, &MainWindow::loadingEnded, &loop, [&](const QString &error) {
        failure = error;
        loop.quit();
    });
    window.open(trace);
    loop.exec();
    if (failure.isEmpty())
        return 0;
    std::fprintf(stderr, "laggard-bench-window: %s\n", qPrintable(failure));
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App options("Measures how long the window does not answer while it loads, paints, zooms and moves.");
    std::string trace;
    int width = 1600;
    int height = 1000;
    options.add_option("TRACE", trace, "Anchor file of a trace")->required();
    options.add_option("--width", width, "Of the window, in pixels");
    options.add_option("--height", height, "Of the window, in pixels");
    CLI11_PARSE(options, argc, argv);

    QApplication::setApplicationName("laggard-bench-window");
    QApplication::setOrganizationName("laggard-bench");
    QApplication application(argc, argv);
    MainWindow window;
    window.resize(width, height);
    window.show();
    turnFor(200);

    StallMeter meter;
    meter.begin();
    if (const int status = open(window, QString::fromStdString(trace)); status != 0)
        return status;
    meter.report("loading and first picture");
    meter.begin();
    turnFor(1000);
    meter.report("graph laid out");

    Workspace &workspace = window.workspace();
    meter.begin();
    QElapsedTimer analysing;
    analysing.start();
    while (workspace.isAnalysing())
        turnFor(50);
    meter.report("analyses, to their end");
    std::printf("%-28s %lld ms, from a second after the picture on\n", "", static_cast<long long>(analysing.elapsed()));
    for (QDockWidget *dock : workspace.docks().all()) {
        meter.begin();
        workspace.docks().show(dock->widget());
        turnFor(100);
        meter.report(qPrintable(dock->windowTitle()));
    }
    workspace.docks().show(&workspace.timeline());
    const TimeRange whole = workspace.zoomFilter().whole();
    meter.begin();
    workspace.timeline().zoomToFit();
    meter.report("all time");

    meter.begin();
    const Tick middle = whole.begin + whole.length() / 2;
    for (Tick length = whole.length(); length > 1000; length /= 2) {
        workspace.zoomFilter().setZoom({middle - length / 2, middle + length / 2});
        turnFor(20);
    }
    meter.report("zooming in by halves");

    meter.begin();
    const Tick shown = whole.length() / 50;
    for (int step = 0; step < 40; ++step) {
        workspace.zoomFilter().setZoom({whole.begin + step * shown, whole.begin + (step + 1) * shown});
        turnFor(20);
    }
    meter.report("moving through the trace");

    meter.begin();
    workspace.showLeastProgressed();
    meter.report("selecting least progressed");
    meter.begin();
    workspace.timeline().goToRank(0);
    meter.report("selecting rank 0");
    meter.begin();
    workspace.timeline().setRowOrder(RowOrder::LastEvent);
    meter.report("ordering rows by last event");
    meter.begin();
    if (const int status = open(window, QString::fromStdString(trace)); status != 0)
        return status;
    meter.report("loading once more");
    meter.begin();
    window.open(QString::fromStdString(trace));
    turnFor(300);
    QElapsedTimer cancelled;
    cancelled.start();
    window.cancelLoading();
    std::printf("%-28s %lld ms\n", "Cancel of loading took", static_cast<long long>(cancelled.elapsed()));
    turnFor(3000);
    meter.report("loading, then cancelled");
    meter.begin();
    workspace.runAnalyses();
    turnFor(300);
    QElapsedTimer cancelling;
    cancelling.start();
    workspace.cancelAnalyses();
    std::printf("%-28s %lld ms\n", "Cancel of the analyses took", static_cast<long long>(cancelling.elapsed()));
    turnFor(2000);
    meter.report("analyses, then cancelled");
    return 0;
}
