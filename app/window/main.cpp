// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MainWindow.h"
#include "app/window/RunComparison.h"
#include "app/window/TerminationSignals.h"
#include "app/window/Translation.h"
#include "app/window/WindowStyle.h"
#include "app/window/Workspace.h"
#include "trace/Quantity.h"
#include "views/kit/Text.h"
#include "views/pdg/PdgView.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDockWidget>
#include <QIcon>
#include <QLocale>
#include <QTimer>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <utility>

using namespace laggard;

namespace {

struct Options {
    QString trace;
    double atSeconds = -1;
    QString screenshot;
    QString compareWith; ///< another run; empty for none
    QString callModel;   ///< empty for none
    QSize size;
    std::optional<Appearance> appearance;
    std::optional<std::pair<double, double>> zoom;
    QStringList show; ///< names of panels
    std::optional<Question> layout;
    bool isCorrected = false;
    unsigned step = 0; ///< step of the slice, from 1; 0: no slice is asked for
};

constexpr int unreadableInput = 1;
constexpr int cannotWrite = 1;
constexpr int noDisplay = 1;
constexpr int wrongUsage = 2;

void tell(const QString &sentence) { std::fprintf(stderr, "laggard: %s\n", qPrintable(sentence)); }

[[noreturn]] void complain(const QString &sentence) {
    tell(sentence);
    std::exit(wrongUsage);
}

/// Leaves the event loop, so that the window ends its threads first.
void endWith(const QString &sentence, int status) {
    tell(sentence);
    QApplication::exit(status);
}

double secondsFrom(const QString &text) {
    bool ok = false;
    const double seconds = text.toDouble(&ok);
    if (!ok || seconds < 0)
        complain(QObject::tr("\"%1\" is not a time in seconds from the start of the trace").arg(text));
    return seconds;
}

Options parse(const QApplication &application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QObject::tr("Shows which task of a parallel job made the least progress, when, and in which code."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("TRACE", QObject::tr("Anchor file of a trace, or the folder it lies in"), "[TRACE]");
    const QCommandLineOption at("at", QObject::tr("Look at this moment, in seconds from the start (default: the end)"),
                                "SECONDS");
    const QCommandLineOption colours("colours", QObject::tr("light, dark or system"), "WHICH");
    const QCommandLineOption compare("compare", QObject::tr("Show another run of the same program below this one"), "TRACE");
    const QCommandLineOption corrected("corrected", QObject::tr("Show all times without the recorder's own"));
    const QCommandLineOption model("model", QObject::tr("Say what is not as in this model of the program's calls"), "MODEL");
    const QCommandLineOption screenshot(
        "screenshot", QObject::tr("Write a picture of the window when the trace is shown, and quit"), "FILE.png");
    const QCommandLineOption size("size", QObject::tr("Size of the window in pixels, such as 1500x950"), "WxH");
    const QCommandLineOption zoom("zoom", QObject::tr("Show this stretch of time in the timeline, in seconds, such as 0.5-0.6"),
                                  "FROM-TO");
    const QCommandLineOption show("show", QObject::tr("Bring a panel to the front, such as suspects or profile; may be repeated"),
                                  "PANEL");
    const QCommandLineOption layout(
        "layout", QObject::tr("hang, slow, behaviour or explore, in place of what the verdict chooses"), "WHICH");
    const QCommandLineOption step("step", QObject::tr("Compile the sources, slice, and show this step of the slice, from 1"),
                                  "N");
    parser.addOptions({at, colours, compare, corrected, layout, model, screenshot, show, size, step, zoom});
    parser.process(application);
    if (parser.positionalArguments().size() > 1)
        complain(QObject::tr("one trace at a time"));

    Options options;
    options.trace = parser.positionalArguments().value(0);
    options.screenshot = parser.value(screenshot);
    options.compareWith = parser.value(compare);
    options.callModel = parser.value(model);
    if (parser.isSet(at))
        options.atSeconds = secondsFrom(parser.value(at));
    options.isCorrected = parser.isSet(corrected);
    if (parser.isSet(colours)) {
        const QString which = parser.value(colours);
        const qsizetype index = QStringList{"system", "light", "dark"}.indexOf(which);
        if (index < 0)
            complain(QObject::tr("--colours is light, dark or system, not \"%1\"").arg(which));
        options.appearance = static_cast<Appearance>(index);
    }
    if (parser.isSet(layout)) {
        const QString which = parser.value(layout);
        const qsizetype index = QStringList{"hang", "slow", "behaviour", "explore"}.indexOf(which);
        if (index < 0)
            complain(QObject::tr("--layout is hang, slow, behaviour or explore, not \"%1\"").arg(which));
        options.layout = questions[static_cast<std::size_t>(index)];
    }
    if (parser.isSet(size)) {
        const QStringList numbers = parser.value(size).split('x');
        options.size = numbers.size() == 2 ? QSize(numbers[0].toInt(), numbers[1].toInt()) : QSize();
        if (options.size.width() < 200 || options.size.height() < 150)
            complain(QObject::tr("\"%1\" is not a size such as 1500x950").arg(parser.value(size)));
    }
    if (parser.isSet(zoom)) {
        const QStringList ends = parser.value(zoom).split('-');
        if (ends.size() != 2)
            complain(QObject::tr("\"%1\" is not a stretch of time such as 0.5-0.6").arg(parser.value(zoom)));
        options.zoom = std::pair(secondsFrom(ends[0]), secondsFrom(ends[1]));
        if (options.zoom->first >= options.zoom->second)
            complain(QObject::tr("\"%1\" ends before it begins").arg(parser.value(zoom)));
    }
    options.show = parser.values(show);
    if (parser.isSet(step)) {
        options.step = parser.value(step).toUInt();
        if (options.step == 0)
            complain(QObject::tr("\"%1\" is not a step of a slice, such as 1").arg(parser.value(step)));
    }
    return options;
}

void showPanels(MainWindow &window, const QStringList &names) {
    for (const QString &name : names)
        for (QDockWidget *dock : window.workspace().docks().all())
            if (dock->objectName() == name)
                window.workspace().docks().show(dock->widget());
}

void checkPanels(MainWindow &window, const QStringList &wanted) {
    QStringList names;
    for (const QDockWidget *dock : window.workspace().docks().all())
        names << dock->objectName();
    for (const QString &name : wanted)
        if (!names.contains(name))
            complain(QObject::tr("there is no panel \"%1\"; there are %2").arg(name, names.join(QStringLiteral(", "))));
}

/// As soon as everything is in place: graphs that are in sight have been laid out, or could not be, and the docks have had their
/// turns of the event loop.
void saveWhenSettled(MainWindow &window, const QString &file) {
    constexpr int settleMilliseconds = 500;
    QTimer::singleShot(settleMilliseconds, &window, [&window, file] {
        const QList<GraphCanvas *> graphs = window.findChildren<GraphCanvas *>();
        if (std::ranges::any_of(graphs, [](const GraphCanvas *graph) { return graph->isVisible() && graph->isLayingOut(); }))
            saveWhenSettled(window, file); // a layout that takes too long is ended
        else if (window.workspace().isLookingForRaces())
            QObject::connect(
                &window.workspace(), &Workspace::racesEnded, &window, [&window, file] { saveWhenSettled(window, file); },
                Qt::SingleShotConnection);
        else if (window.grab().save(file))
            QApplication::exit(0);
        else
            endWith(QObject::tr("cannot write \"%1\"").arg(file), cannotWrite);
    });
}

void takeScreenshot(MainWindow &window, const QString &file, const QStringList &show) {
    // The analyses beside the window fill panels of their own.
    if (window.workspace().isAnalysing()) {
        QObject::connect(
            &window.workspace(), &Workspace::analysesEnded, &window,
            [&window, file, show](const QString &problem) {
                if (!problem.isEmpty())
                    tell(problem);
                takeScreenshot(window, file, show);
            },
            Qt::SingleShotConnection);
        return;
    }
    if (window.workspace().isLookingForRaces()) {
        QObject::connect(
            &window.workspace(), &Workspace::racesEnded, &window, [&window, file, show] { takeScreenshot(window, file, show); },
            Qt::SingleShotConnection);
        return;
    }
    // A slow job opens at its moment, which is made beside the window.
    Workspace &workspace = window.workspace();
    if (workspace.moment() && workspace.shown() == workspace.document()->report) {
        QObject::connect(
            &workspace, &Workspace::momentShown, &window, [&window, file, show] { takeScreenshot(window, file, show); },
            Qt::SingleShotConnection);
        return;
    }
    const auto settle = [&window, file, show] {
        showPanels(window, show); // what was chosen since may have brought others to the front
        saveWhenSettled(window, file);
    };
    PdgView &graph = window.workspace().graph();
    const ReportPtr shown = workspace.shown();
    const bool waits = shown && !shown->progress.nodes.empty() && graph.scene() == nullptr && graph.error().isEmpty();
    if (waits)
        QObject::connect(&graph, &PdgView::laidOut, &window, settle);
    else
        settle();
}

/// Takes the recorder's own time out, and goes on.
void showCorrected(MainWindow &window, const std::function<void()> &then) {
    QObject::connect(
        &window, &MainWindow::correctionEnded, &window,
        [then](const QString &error) {
            if (!error.isEmpty())
                tell(error);
            then();
        },
        Qt::SingleShotConnection);
    window.showWithoutRecorder(true);
}

/// Makes the slice of the trace that is open, goes to one of its steps, and then on.
void showStep(MainWindow &window, unsigned step, const std::function<void()> &then) {
    Workspace &workspace = window.workspace();
    QObject::connect(
        &workspace, &Workspace::slicingEnded, &window,
        [&workspace, step, then](const QString &problem) {
            if (!problem.isEmpty())
                tell(problem);
            for (unsigned i = 0; i < step && workspace.slice().canStep(true); ++i)
                workspace.stepSlice(true);
            then();
        },
        Qt::SingleShotConnection);
    workspace.startSlice(true);
}

/// Shows another run beside the one that is open, with its first departure, and then goes on.
void showOtherRun(MainWindow &window, const QString &path, bool isPicture, const std::function<void()> &then) {
    RunComparison &runs = window.workspace().runs();
    QObject::connect(
        &runs, &RunComparison::ended, &window,
        [&runs, then, isPicture](const QString &error) {
            if (!error.isEmpty() && isPicture)
                endWith(error, unreadableInput); // nobody would see that the picture lacks what was asked for
            if (!error.isEmpty())
                tell(error);
            runs.showDeparture(0);
            then();
        },
        Qt::SingleShotConnection);
    window.compareWith(path);
}

/// Where there is no display, Qt would end the program with words about its plugins. Help and pictures need none.
void provideDisplay(int argc, char **argv) {
    const QStringList arguments(argv + 1, argv + argc);
    const bool hasDisplay = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                            qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || arguments.contains(QStringLiteral("-platform"));
    if (hasDisplay)
        return;
    const bool needsNone = std::any_of(arguments.begin(), arguments.end(), [](const QString &argument) {
        static const QStringList known{"-h", "-v", "--help", "--help-all", "--version"};
        return known.contains(argument) || argument.startsWith(QStringLiteral("--screenshot"));
    });
    if (!needsNone) {
        tell(QObject::tr("there is no display for a window; \"laggard-analyze TRACE\" gives the answer as text"));
        std::exit(noDisplay);
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
}

int run(int argc, char **argv, int &endedBy) {
    provideDisplay(argc, argv);
    QApplication::setApplicationName(QStringLiteral("laggard"));
    QApplication::setOrganizationName(QStringLiteral("laggard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Laggard"));
    QApplication::setApplicationVersion(QStringLiteral(LAGGARD_VERSION));
    QApplication application(argc, argv);
    installTranslation(application, QLocale::system().uiLanguages(), translationFolder());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); // numbers as in the sentences around them
    QApplication::setStyle(new WindowStyle);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/laggard.svg")));
    const Options options = parse(application);
    const TerminationSignals ending;

    MainWindow window;
    checkPanels(window, options.show);
    if (options.appearance)
        window.showAppearance(*options.appearance);
    if (options.size.isValid())
        window.resize(options.size);
    window.show();
    bool isModelAsked = !options.callModel.isEmpty();
    double momentAsked = options.atSeconds;
    QObject::connect(&window, &MainWindow::loadingEnded, &window, [&](const QString &error) {
        if (!options.screenshot.isEmpty() && !error.isEmpty())
            endWith(error, unreadableInput);
        if (!error.isEmpty())
            return;
        const Trace &trace = *window.workspace().document()->report->trace;
        if (options.zoom) {
            if (options.zoom->first >= trace.durationSeconds())
                tell(QObject::tr("--zoom: the trace ends at %1").arg(toText(describeDuration(trace.durationSeconds()))));
            window.workspace().zoomFilter().setZoom({trace.tickAt(options.zoom->first), trace.tickAt(options.zoom->second)});
        }
        if (options.layout)
            window.workspace().chooseLayout(*options.layout);
        const double atSeconds = std::exchange(momentAsked, -1); // of another trace, what the user chooses counts
        if (atSeconds >= 0 && window.workspace().document()->report->dump)
            tell(QObject::tr("--at: a model dump tells of one moment only"));
        else if (atSeconds > trace.durationSeconds())
            tell(
                QObject::tr("--at: the trace ends at %1, which is shown").arg(toText(describeDuration(trace.durationSeconds()))));
        else if (atSeconds >= 0)
            window.workspace().showMoment(trace.tickAt(atSeconds));
        if (isModelAsked) {
            isModelAsked = false; // of another trace, what the user chooses counts
            Comparison changed = window.workspace().comparison();
            changed.callModel = options.callModel;
            window.workspace().compare(changed);
            window.workspace().showUnits();
        }
        showPanels(window, options.show);
        const auto finish = [&] {
            if (!options.screenshot.isEmpty())
                takeScreenshot(window, options.screenshot, options.show);
        };
        if (!options.compareWith.isEmpty())
            showOtherRun(window, options.compareWith, !options.screenshot.isEmpty(), finish);
        else if (options.isCorrected)
            showCorrected(window, finish);
        else if (options.step != 0)
            showStep(window, options.step, finish);
        else
            finish();
    });
    if (!options.trace.isEmpty())
        window.open(options.trace);
    else if (!options.screenshot.isEmpty())
        takeScreenshot(window, options.screenshot, options.show);
    const int status = QApplication::exec();
    endedBy = ending.received();
    return status;
}

} // namespace

int main(int argc, char **argv) {
    int endedBy = 0;
    const int status = run(argc, argv, endedBy);
    if (endedBy != 0) // whoever sent it sees that it did what it should
        std::raise(endedBy);
    return status;
}
