// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/Slicer.h"
#include "tests/support/FakeSlicer.h"
#include "trace/Work.h"

#include <QDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <thread>

using namespace laggard;
using test::FakeSlicer;

namespace {

SliceQuestion question() {
    SliceQuestion asked;
    asked.stacks = {{{3}, {{"compute_flux", "stencil.c", 41}}}, {{0, 1}, {{"residual", "stencil.c", 57}}}};
    return asked;
}

SliceInput sources() {
    SliceInput input;
    input.from = SliceInput::From::Sources;
    input.files = {LAGGARD_EXAMPLES "/hung-stencil/stencil.c"};
    input.paths.setTraceFolder(LAGGARD_EXAMPLES "/hung-stencil");
    return input;
}

QString failure() {
    try {
        static_cast<void>(runSlicer(question(), sources(), {}, {}));
        return "no error";
    } catch (const SliceError &error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace

class TestSlicer : public QObject {
    Q_OBJECT
  private slots:
    void answersWithCode() {
        const FakeSlicer slicer;
        const Slice slice = runSlicer(question(), sources(), {}, {});
        QCOMPARE(slice.lines.size(), std::size_t{5});
        QVERIFY2(QByteArray(slice.lines[0].code.c_str()).startsWith("while (!(err < 1e-10)) {"), slice.lines[0].code.c_str());
        QCOMPARE(slicer.given("stack-0"), QByteArray("# ranks 3\ncompute_flux stencil.c:41\n"));
        QCOMPARE(slicer.given("stack-1"), QByteArray("# ranks 0-1\nresidual stencil.c:57\n"));
        QCOMPARE(slicer.given("messages.json"), QByteArray("{\"messages\":[]}"));
        const QStringList arguments = slicer.arguments();
        const QString stack = arguments.value(arguments.indexOf("--stack") + 1);
        QVERIFY2(!QFile::exists(stack), "what it read is gone afterwards");
    }

    void arguments_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<QString>("option");
        QTest::newRow("compile commands") << int(SliceInput::From::CompileCommands) << "--compile-commands";
        QTest::newRow("binaries") << int(SliceInput::From::Binaries) << "--binary";
        QTest::newRow("sources") << int(SliceInput::From::Sources) << "--source";
    }
    void arguments() {
        QFETCH(int, from);
        QFETCH(QString, option);
        SliceInput input;
        input.from = static_cast<SliceInput::From>(from);
        input.files = {"/x/one", "/x/--two"};
        input.paths.addRule({"/build", "/home/me/src"});
        SliceSettings settings;
        QCOMPARE(slicerArguments(1, "questions", input, settings),
                 QStringList({"--stack", "questions/stack-0", "--messages", "questions/messages.json", option, "/x/one", option,
                              "/x/--two", "--path-map", "/build=/home/me/src", "--timeout", "10", "--json", "-"}));
        settings.depth = 8;
        settings.thin = true;
        settings.time = std::chrono::milliseconds(2500);
        const QStringList more = slicerArguments(2, "questions", input, settings);
        QVERIFY(more.contains("questions/stack-1") && more.contains("--thin"));
        QCOMPARE(more.value(more.indexOf("--depth") + 1), "8");
        QCOMPARE(more.value(more.indexOf("--timeout") + 1), "2.5");
    }

    void failuresAreOneSentence_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("expected");
        QTest::newRow("it says why") << QByteArray("echo 'laggard-slice: there is no source to compile' >&2; exit 1")
                                     << "The program could not be sliced: there is no source to compile.";
        QTest::newRow("it says much") << QByteArray("echo first. >&2; echo second >&2; exit 1")
                                      << "The program could not be sliced: first.";
        QTest::newRow("it says nothing") << QByteArray("exit 7") << "ended with status 7.";
        QTest::newRow("it crashes") << QByteArray("kill -SEGV $$") << "crashed.";
        QTest::newRow("it is killed") << QByteArray("kill -KILL $$") << "crashed.";
        QTest::newRow("it is killed while it answers") << QByteArray("echo '{\"schema\"'; kill -KILL $$") << "crashed.";
        QTest::newRow("it answers nonsense") << QByteArray("echo hello") << "The answer of the slicer";
        QTest::newRow("it answers nothing") << QByteArray("exit 0") << "The answer of the slicer is not valid JSON";
        QTest::newRow("it answers half") << FakeSlicer::answering(QByteArray(test::stencilSlice).left(600))
                                         << "The answer of the slicer";
        QTest::newRow("it answers without end") << QByteArray("exec yes '{}'") << "writes without end";
        QTest::newRow("it complains without end") << QByteArray("exec yes no >&2") << "writes without end";
        QTest::newRow("it gives the terminal orders")
            << QByteArray("printf 'x \\033]0;y\\007' >&2; exit 1") << "could not be sliced: x ";
    }
    void failuresAreOneSentence() {
        QFETCH(QByteArray, script);
        QFETCH(QString, expected);
        const FakeSlicer slicer(script);
        const QString why = failure();
        QVERIFY2(why.contains(expected), qPrintable("expected \"" + expected + "\" in: " + why));
        QVERIFY2(why.endsWith('.') && !why.contains('\n') && !why.contains(QChar(0x1b)), qPrintable(why));
    }

    void temporaryFolderIsFull() {
        const FakeSlicer slicer;
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        const rlimit none{0, limit.rlim_max}; // no file may grow, as on a full disk
        ::setrlimit(RLIMIT_FSIZE, &none);
        const QString why = failure();
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, before);
        QVERIFY2(why.startsWith("What the slicer reads cannot be written") && why.endsWith('.'), qPrintable(why));
    }

    void missingProgramSaysWhatToDo() {
        qputenv("LAGGARD_SLICE", "/nonexistent/laggard-slice");
        QVERIFY2(failure().contains("/nonexistent/laggard-slice, which is not a program"), qPrintable(failure()));
        qunsetenv("LAGGARD_SLICE");
        try {
            static_cast<void>(findSlicer());
        } catch (const SliceError &error) { // these tests are not beside it
            const QByteArray text(error.what());
            QVERIFY2(text.contains("LLVM and Clang 14 are installed (scripts/install-dependencies)") &&
                         text.contains("LAGGARD_SLICE"),
                     text.constData());
        }
    }

    void canBeStopped() {
        const FakeSlicer slicer("exec sleep 600");
        std::stop_source stop;
        std::jthread stopper([&] {
            while (!slicer.wasCalled())
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN((void)runSlicer(question(), sources(), {}, stop.get_token()), Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestSlicer)
#include "tst_slicer.moc"
