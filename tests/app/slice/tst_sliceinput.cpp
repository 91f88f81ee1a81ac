// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/SliceInput.h"
#include "ingest/recording/DebugInformation.h"
#include "tests/views/panels/HungReport.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace laggard;
using From = SliceInput::From;
using Lack = SliceInput::Lack;

namespace {

/// A job whose sources are named as by the hand-made report, /build/stencil/stencil.c, and may lie beside its trace.
struct Job {
    QTemporaryDir folder;
    test::HungReport report;
    PathMap paths;
    SliceSettings settings;

    Job() { paths.setTraceFolder(folder.path()); }
    void writeSource(const QString &name = "stencil.c") {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("int x;\n") > 0);
    }
    SliceInput find() {
        return findSliceInput(*report.trace, sliceStacks(*report.trace, *report.waits, *report.progress), paths, settings);
    }
    /// The running test stands for the program that was recorded.
    void takeThisProgram() {
        const std::string self = QCoreApplication::applicationFilePath().toStdString();
        struct stat status {};
        const int file = recording::openRegular(self, status);
        report.trace->binaries = {{self, hexOf(*recording::buildIdOf(file))}};
        ::close(file);
    }
    void rename(const std::string &file) {
        for (Region &region : report.trace->regions)
            if (!region.isMpi())
                region.file = file;
        for (ProgressNode &node : report.progress->nodes)
            for (Frame &frame : node.stack)
                if (!frame.file.empty())
                    frame.file = file;
    }
};

} // namespace

class TestSliceInput : public QObject {
    Q_OBJECT
  private slots:
    void aTraceFromElsewhereIsAskedAbout() {
        Job job;
        job.writeSource();
        job.report.trace->binaries = {{"/opt/stencil/stencil", "0011"}};
        const SliceInput input = job.find();
        QVERIFY(input.lack == Lack::Program);
        QVERIFY(input.from == From::Sources);
        QCOMPARE(input.files, QStringList(job.folder.filePath("stencil.c")));
        QVERIFY2(input.sentence.contains("\"/opt/stencil/stencil\", is not on this machine") &&
                     input.sentence.contains("nothing is compiled unless you ask for it"),
                 qPrintable(input.sentence));
        QCOMPARE(input.paths.rules().size(), std::size_t{1});
        QCOMPARE(input.paths.rules().front().from, "/build/stencil");
    }

    void theRecordedProgramIsTaken() {
        Job job;
        job.writeSource();
        job.takeThisProgram();
        if (job.report.trace->binaries.front().buildId.empty())
            QSKIP("this test program has no build-id");
        const SliceInput input = job.find();
        QVERIFY2(input.lack == Lack::None, qPrintable(input.sentence));
        QVERIFY(input.from == From::Binaries);
        QCOMPARE(input.files, QStringList(QCoreApplication::applicationFilePath()));
    }

    void aProgramBuiltAnewIsAnother() {
        Job job;
        job.writeSource();
        job.takeThisProgram();
        job.report.trace->binaries.front().buildId = "00";
        const SliceInput input = job.find();
        QVERIFY(input.lack == Lack::Program && input.from == From::Sources);
        QVERIFY2(input.sentence.contains("is another one by now"), qPrintable(input.sentence));
    }

    void withoutSourceThereIsNothing() {
        Job job;
        SliceInput input = job.find();
        QVERIFY(input.lack == Lack::Sources && !input.isPossible());
        QCOMPARE(input.sentence, "The source \"/build/stencil/stencil.c\" was not found on this machine.");
        job.settings.compileCommands = "/x/compile_commands.json";
        input = job.find();
        QVERIFY2(input.lack == Lack::Sources && input.from == From::CompileCommands, "possible if the user wants it");
    }

    void whatTheUserNamesComesFirst() {
        Job job;
        job.writeSource();
        job.settings.binaries = {"/x/app", "/x/lib.so"};
        QVERIFY(job.find().from == From::Binaries);
        QCOMPARE(job.find().files, QStringList({"/x/app", "/x/lib.so"}));
        job.settings.compileCommands = "/x/compile_commands.json";
        QVERIFY(job.find().from == From::CompileCommands);
        QCOMPARE(job.find().files, QStringList("/x/compile_commands.json"));
        QVERIFY2(job.find().lack == Lack::Program, "a session may come from elsewhere as well: it starts no compiler");
    }

    void headersAreNotCompiled() {
        Job job;
        job.writeSource();
        job.writeSource("inline.h");
        job.report.trace->regions[job.report.region("residual")].file = "/build/stencil/inline.h";
        QCOMPARE(job.find().files, QStringList(job.folder.filePath("stencil.c")));
    }

    void fortranIsSaid() {
        Job job;
        job.rename("/build/adi.f90");
        job.writeSource("adi.f90");
        const SliceInput input = job.find();
        QVERIFY(input.lack == Lack::Language && !input.isPossible());
        QVERIFY2(input.sentence.contains("compute_flux is in Fortran"), qPrintable(input.sentence));
    }

    void nobodyNamedIsSaid() {
        Job job;
        job.writeSource();
        job.report.progress->nodes[1].leastProgressed = false;
        const SliceInput input = job.find();
        QVERIFY(input.lack == Lack::Stack && !input.isPossible() && !input.sentence.isEmpty());
    }

    void namesAreShownSafely() {
        Job job;
        job.rename("/build/\x1b[31m.c");
        QVERIFY(!job.find().sentence.contains(QChar(0x1b)));
    }
};

QTEST_GUILESS_MAIN(TestSliceInput)
#include "tst_sliceinput.moc"
