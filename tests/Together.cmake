# Writes OUTPUT, one source of several tests (SOURCES, separated by commas): what they include, then each in a namespace of its
# name, and a main that runs the one that is named first. What a test includes is included before, so that within the namespace
# it is not included again.
set(includes "")
set(tests "")
set(rows "")
string(REPLACE "," ";" sources "${SOURCES}")
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} lines REGEX "^#include [<\"].*[>\"]")
  list(FILTER lines EXCLUDE REGEX "\\.moc\"")
  list(APPEND includes ${lines})
  string(APPEND tests "namespace ${name} {\n#include \"${source}\"\n}\n")
  string(APPEND rows "        {\"${name}\", ${name}::runTest},\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${OUTPUT} "${includes}
#include <cstdio>
#include <cstring>
#undef QTEST_APPLESS_MAIN
#undef QTEST_GUILESS_MAIN
#undef QTEST_MAIN
#define LAGGARD_RUN_TEST(Test, application)                 \\
    int runTest(int argc, char **argv) {                    \\
        application;                                        \\
        QTEST_SET_MAIN_SOURCE_PATH                          \\
        Test test;                                          \\
        return QTest::qExec(&test, argc, argv);             \\
    }
#define QTEST_APPLESS_MAIN(Test) LAGGARD_RUN_TEST(Test, static_cast<void>(0))
#define QTEST_GUILESS_MAIN(Test) LAGGARD_RUN_TEST(Test, QCoreApplication application(argc, argv))
#ifdef QT_WIDGETS_LIB
#define QTEST_MAIN(Test) LAGGARD_RUN_TEST(Test, QApplication application(argc, argv))
#else
#define QTEST_MAIN(Test) LAGGARD_RUN_TEST(Test, QGuiApplication application(argc, argv))
#endif
${tests}
int main(int argc, char **argv) {
    constexpr struct {
        const char *name;
        int (*run)(int, char **);
    } tests[] = {
${rows}    };
    for (const auto &test : tests)
        if (argc > 1 && std::strcmp(argv[1], test.name) == 0) {
            argv[1] = argv[0];
            return test.run(argc - 1, argv + 1);
        }
    for (const auto &test : tests)
        std::fprintf(stderr, \"%s %s\\n\", argv[0], test.name);
    return 2;
}
")
