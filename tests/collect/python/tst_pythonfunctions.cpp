// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;

namespace {

QString run(const QString &program, const QStringList &arguments, const QString &path = {}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!path.isEmpty())
        environment.insert("PYTHONPATH", path);
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return QString::fromLocal8Bit(process.readAllStandardOutput()) + "status " + QString::number(process.exitCode());
}

/// The interpreter itself, where what the path has is a script that chooses one.
QString interpreter() {
    static const QString known = [] {
        QProcess process;
        process.start(LAGGARD_PYTHON, {"-c", "import sys; print(sys.executable)"});
        process.waitForFinished(60'000);
        return QString::fromLocal8Bit(process.readAllStandardOutput()).trimmed();
    }();
    return known;
}

QStringList stacksOf(const Trace &trace, Rank rank) {
    QStringList stacks;
    for (const LocationIndex location : trace.processes[rank].locations)
        for (const CallPathId path : trace.locations[location].events.track.callPath) {
            QStringList names;
            for (const RegionId region : trace.callPaths.regions(path))
                names.append(QString::fromStdString(trace.regions[region].name));
            stacks.append(names.join(" > "));
        }
    return stacks;
}

} // namespace

/// Functions of Python programs under laggard-record --python.
class TestPythonFunctions : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    QString m_output;
    TracePtr m_trace;

    static QStringList command(const QString &folder) {
        return {"--libc", "--python", "-o", folder, "--", interpreter(), "-B", LAGGARD_PYTHON_PROGRAM};
    }

  private slots:
    void initTestCase() {
        m_output = run(LAGGARD_RECORD, command(m_dir.filePath("recording")));
        m_trace = openTrace(m_dir.filePath("recording").toStdString(), {}, {});
    }

    void theProgramDoesWhatItDoes() { QCOMPARE(m_output, run(interpreter(), {"-B", LAGGARD_PYTHON_PROGRAM})); }

    void aModuleOfTheSameNameIsImported() {
        QFile module(m_dir.filePath("sitecustomize.py"));
        QVERIFY(module.open(QIODevice::WriteOnly) && module.write("MARK = 'the other one'\n") > 0);
        module.close();
        const QString plain = run(interpreter(), {"-B", LAGGARD_PYTHON_PROGRAM}, m_dir.path());
        QVERIFY2(plain.contains("the other one"), qPrintable(plain));
        QCOMPARE(run(LAGGARD_RECORD, command(m_dir.filePath("beside")), m_dir.path()), plain);
    }

    void functionsWithFilesAndLines() {
        const QStringList stacks = stacksOf(*m_trace, 0);
        const QString all = stacks.join('\n');
        QVERIFY2(stacks.contains("<module functions> > main > Thing.method > Thing.method > Thing.method > Thing.method"),
                 qPrintable(all));
        QVERIFY2(stacks.contains("<module functions> > main > fails"), qPrintable(all));
        QCOMPARE(stacks.count("<module functions> > main > numbers"), 4); // a generator runs once for each number, and to its end
        const auto region =
            std::ranges::find_if(m_trace->regions, [](const Region &each) { return each.name == "Thing.method"; });
        QVERIFY(region != m_trace->regions.end());
        QVERIFY(region->file.ends_with("functions.py"));
        QCOMPARE(region->line, 18U);
    }

    void callsOfTheLibraryAreTheFunctions() {
        const QString all = stacksOf(*m_trace, 0).join('\n');
        QVERIFY2(all.contains("<module functions> > main > read"), "the interpreter's own frames are hidden");
        QVERIFY2(all.contains("in_thread > write"), "of a thread as well");
        QVERIFY2(!all.contains("PyEval") && !all.contains("python3"), qPrintable(all));
    }

    void aChildGoesOnInItsFunctions() {
        QCOMPARE(m_trace->processes.size(), std::size_t{2});
        const QStringList stacks = stacksOf(*m_trace, 1);
        QVERIFY2(stacks.contains("<module functions> > main > write"), qPrintable(stacks.join('\n')));
    }

    void linesOfCalls() {
        const LocationEvents &events = m_trace->mainEvents(0)->track.size() != 0
                                           ? m_trace->locations[m_trace->processes[0].mainLocation].events
                                           : m_trace->locations.front().events;
        QStringList places;
        for (const CallPathId path : events.track.callPath)
            if (const CallSite *site = m_trace->siteOf(path))
                places.append(QString::fromStdString(m_trace->region(path).name) + " @ " + QString::number(site->line));
        QVERIFY2(places.contains("fails @ 31"), qPrintable(places.join('\n')));
        QVERIFY2(places.contains("waitpid @ 45") || places.contains("wait4 @ 45"), qPrintable(places.join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestPythonFunctions)
#include "tst_pythonfunctions.moc"
