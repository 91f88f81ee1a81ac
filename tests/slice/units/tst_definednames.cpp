// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/DefinedNames.h"
#include "slice/units/ModuleNames.h"

#include <QTest>

using namespace laggard;

namespace {

QString listOf(const std::unordered_set<std::string> &names) {
    QStringList list;
    for (const std::string &name : names)
        list << QString::fromStdString(name);
    list.sort();
    return list.join(' ');
}

} // namespace

class TestDefinedNames : public QObject {
    Q_OBJECT
  private slots:
    void findsWhatIsDefined_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("scopes");
        const auto row = [](const char *name, const char *source, const char *names, const char *scopes = "") {
            QTest::newRow(name) << source << names << scopes;
        };
        row("nothing", "", "");
        row("function", "int f(int a) { return g(a); }", "f");
        row("declaration", "int f(int a);", "");
        row("calls are not definitions", "int f(void) { if (g(1)) { h(2); } return k(3); }", "f");
        row("variables", "int x, *y = 0, z[3]; struct s t = {1, 2};", "t x y z");
        row("static ones are for the unit alone",
            "static int x = 1; static int f(void) {} static inline int g() { int y; } int h;", "h");
        row("declared variables", "extern int x; extern int y[]; typedef int z;", "");
        row("table of functions", "void (*table[])(int) = {f, g};", "table");
        row("parameters of old", "int f(a, b) int a; char *b; { return a; }", "a b f");
        row("result is a structure", "struct s *f(void) {}\nstruct s { int m; };\nstruct { int n; } v;", "f v");
        row("attribute", "__attribute__((noinline)) int f(void) {}", "__attribute__ f");
        row("comments and strings", "/* int a() { */ // int b() {\nconst char *c = \"int d() {\"; char e = '{'; int g() {}",
            "c e g");
        row("preprocessor", "#define f() { \\\n {\n#include <x>\nint g() {}\n  # if 1\n", "g");
        row("open comment", "int f() {} /* int g() {}", "f");
        row("open string", "int f() {} const char *s = \"abc", "f");
        row("open brace", "int f() {{{{", "f");
        row("too many closed", "}}} int f() {}", "f");
        row("namespace", "namespace a::b { int f() {} } namespace { int g() {} int x; }", "f g x");
        row("extern C", "extern \"C\" { void f() {} int x; } extern \"C\" void g() {}", "f g x");
        row("members", "A::A(int x) : m(x) {} void N::B::f() const noexcept {} int A::s = 3;", "A f m s", "A B N");
        row("destructor and operator", "A::~A() {} bool A::operator()(int) { } A &operator+=(A &a) {}", "A operator", "A");
        row("class", "class A { int f() { return 1; } int x; };", "");
        row("raw string", "auto s = R\"x(int f() { )\" )x\"; int g() {}", "g s");
        row("digits with marks", "int a = 1'000'000; int f() {}", "a f");
    }
    void findsWhatIsDefined() {
        QFETCH(QString, source);
        QFETCH(QString, names);
        QFETCH(QString, scopes);
        const DefinedNames found = definedNames(source.toStdString());
        QCOMPARE(listOf(found.names), names);
        QCOMPARE(listOf(found.scopes), scopes);
    }

    void readsNamesOfFrames_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("main") << "main";
        QTest::newRow("ns::A<int, B<c> >::f(std::vector<int> const&) const") << "f";
        QTest::newRow("void f<int>(int (*)(int))") << "f";
        QTest::newRow("(anonymous namespace)::f") << "f";
        QTest::newRow("(anonymous namespace)::f(int)") << "f";
        QTest::newRow("A::~A()") << "A";
        QTest::newRow("A::operator()(int) const") << "operator";
        QTest::newRow("::") << "";
    }
    void readsNamesOfFrames() {
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(plainName(QTest::currentDataTag())), name);
    }

    void readsLinkageNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isScope");
        QTest::newRow("main") << "main" << false;
        QTest::newRow("_ZN1A1fEv") << "f" << false;
        QTest::newRow("_ZN2ns1AIiEC2Ev") << "A" << false;
        QTest::newRow("_ZN1AD0Ev") << "A" << false;
        QTest::newRow("_ZN1AclEi") << "operator" << false;
        QTest::newRow("_Z1fIiEvT_") << "f" << false;
        QTest::newRow("_ZN2ns1xE") << "x" << false;
        QTest::newRow("_ZTVN2ns1AE") << "A" << true;
        QTest::newRow("_ZTI1B") << "B" << true;
        QTest::newRow("_Z") << "_Z" << false;
    }
    void readsLinkageNames() {
        QFETCH(QString, name);
        QFETCH(bool, isScope);
        const SourceName found = sourceName(QTest::currentDataTag());
        QCOMPARE(QString::fromStdString(found.name), name);
        QCOMPARE(found.isScope, isScope);
    }
};

QTEST_GUILESS_MAIN(TestDefinedNames)
#include "tst_definednames.moc"
