// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of stacks are found in the code whatever names a compiler or debugger has for them.
#include "slice/Slice.h"
#include "slice/Stacks.h"

#include <QTest>

#include <algorithm>
#include <fstream>

using namespace laggard;

namespace {

/// The lines of the program whose comment is `mark`.
std::uint32_t lineOf(const std::string &mark) {
    std::ifstream file(std::string(LAGGARD_SLICE_PROGRAMS) + "/lambda_stacks.cpp");
    std::string text;
    for (std::uint32_t line = 1; std::getline(file, text); ++line)
        if (text.ends_with("// " + mark))
            return line;
    return 0;
}

/// "name" or "name @mark" or "name file:line", innermost first.
TaskStack stackOf(const QStringList &frames) {
    TaskStack stack;
    for (const QString &frame : frames) {
        const QStringList parts = frame.split(QStringLiteral(" @"));
        const auto place =
            parts.size() < 2 ? QString() : QStringLiteral(" lambda_stacks.cpp:%1").arg(lineOf(parts.at(1).toStdString()));
        const auto text = (parts.front() + place).toStdString();
        stack.frames.push_back(parseFrame(text).value());
    }
    return stack;
}

} // namespace

class tst_StackNames : public QObject {
    Q_OBJECT

  private slots:
    void lambdasOfGcc_data() {
        QTest::addColumn<QStringList>("frames");
        QTest::addColumn<QString>("standing");
        const QStringList invoked{"std::enable_if<is_invocable_r_v<int, main::{lambda(int)#3}&, int>, int>::type "
                                  "std::__invoke_r<int, main::{lambda(int)#3}&, int>(main::{lambda(int)#3}&, int&&) "
                                  "/usr/include/c++/12/bits/invoke.h:114",
                                  "std::_Function_handler<int (int), main::{lambda(int)#3}>::_M_invoke(std::_Any_data const&, "
                                  "int&&) /usr/include/c++/12/bits/std_function.h:290",
                                  "std::function<int (int)>::operator()(int) const "
                                  "/usr/include/c++/12/bits/std_function.h:591",
                                  "start @in start", "main @calls start"};
        QTest::newRow("in a std::function, one in another")
            << (QStringList{"main::{lambda(int)#3}::operator()(int) const::{lambda(int)#1}::operator()(int) const @in inner",
                            "main::{lambda(int)#3}::operator()(int) const @calls inner",
                            "int std::__invoke_impl<int, main::{lambda(int)#3}&, int>(std::__invoke_other, "
                            "main::{lambda(int)#3}&, int&&) /usr/include/c++/12/bits/invoke.h:61"} +
                invoked)
            << "in inner";
        QTest::newRow("linkage names") << (QStringList{"_ZZZ4mainENKUliE1_clEiENKUliE_clEi @in inner",
                                                       "_ZZ4mainENKUliE1_clEi @calls inner",
                                                       "_ZSt13__invoke_implIiRZ4mainEUliE1_JiEET_St14__invoke_otherOT0_DpOT1_ "
                                                       "/usr/include/c++/12/bits/invoke.h:61"} +
                                           invoked)
                                       << "in inner";
        QTest::newRow("names of the debug information")
            << QStringList{"operator() @in inner",
                           "operator() @calls inner",
                           "std::__invoke_impl<int, main(int, char**)::<lambda(int)>&, int>(std::__invoke_other, struct {...} &) "
                           "/usr/include/c++/12/bits/invoke.h:61",
                           "std::__invoke_r<int, main(int, char**)::<lambda(int)>&, int>(struct {...} &) "
                           "/usr/include/c++/12/bits/invoke.h:114",
                           "std::_Function_handler<int(int), main(int, char**)::<lambda(int)> >::_M_invoke "
                           "/usr/include/c++/12/bits/std_function.h:290",
                           "std::function<int (int)>::operator()(int) const /usr/include/c++/12/bits/std_function.h:591",
                           "start @in start",
                           "main @calls start"}
            << "in inner";
        QTest::newRow("in an algorithm, in a member function")
            << QStringList{"Worker::run(std::vector<int, std::allocator<int> >&)::{lambda(int&)#1}::operator()(int&) const @in "
                           "run",
                           "Worker::run(std::vector<int, std::allocator<int> >&)::{lambda(int&)#1} "
                           "std::for_each<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, "
                           "Worker::run(std::vector<int, std::allocator<int> >&)::{lambda(int&)#1}>(int*) "
                           "/usr/include/c++/12/bits/stl_algo.h:3786",
                           "Worker::run(std::vector<int, std::allocator<int> >&) @each", "main @calls run"}
            << "in run";
        QTest::newRow("generic") << QStringList{"auto main::{lambda(auto:1)#1}::operator()<long>(long) const @generic",
                                                "void twice<main::{lambda(auto:1)#1}>(main::{lambda(auto:1)#1}) @in twice",
                                                "main @calls generic"}
                                 << "generic";
        QTest::newRow("of a global variable")
            << QStringList{"spin::{lambda(int)#1}::operator()(int) const @in spin", "main @calls spin"} << "in spin";
    }

    /// The code is Clang's, which calls the same lambdas `main::$_0`.
    void lambdasOfGcc() {
        QFETCH(QStringList, frames);
        QFETCH(QString, standing);
        SliceOptions options;
        options.limit = std::chrono::minutes(10);
        const auto result =
            sliceBackward({std::string(LAGGARD_SLICE_BITCODE) + "/lambda_stacks.cpp.bc"}, {stackOf(frames)}, {}, options);
        for (const auto &warning : result.warnings)
            QFAIL(warning.c_str());
        QVERIFY2(!result.steps.empty() && result.steps.front().line == lineOf(standing.toStdString()),
                 "The slice does not begin in the lambda.");
        const auto has = [&](const char *mark) {
            return std::any_of(result.steps.begin(), result.steps.end(),
                               [&](const SliceStep &step) { return step.line == lineOf(mark); });
        };
        QVERIFY2(has("bound"), "The slice does not come to what main has computed.");
        QVERIFY2(!has("another"), "A call that is not on the stack is in the slice.");
    }
};

QTEST_APPLESS_MAIN(tst_StackNames)
#include "tst_stacknames.moc"
