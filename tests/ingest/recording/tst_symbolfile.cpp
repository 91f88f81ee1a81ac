// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/SymbolFile.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace laggard;
using namespace laggard::recording;

namespace {

CodeFrame frame(const std::string &function, const std::string &file, std::uint32_t line) {
    CodeFrame made;
    made.function = function;
    made.linkage = "_" + function;
    made.file = file;
    made.line = line;
    made.atFile = file;
    made.atLine = line + 3;
    made.module = "/bin/app";
    return made;
}

KnownPlaces sample() {
    KnownPlaces places;
    auto &app = places[{"/bin/app", std::string("\x01\xfe\0q", 4)}];
    app[{PlaceKind::Entry, 0x1234}] = {frame("solve", "solve.c", 10)};
    app[{PlaceKind::ReturnAddress, 0x1300}] = {frame("inlined", "a b.h", 5), frame("outer", "solve.c", 40)};
    places[{"/bin/app two", ""}][{PlaceKind::Instruction, 7}] = {frame("f<int, long>", "", 0)};
    for (CodeFrame &f : places[{"/bin/app two", ""}][{PlaceKind::Instruction, 7}])
        f.module = "/bin/app two";
    return places;
}

bool same(const KnownPlaces &a, const KnownPlaces &b) {
    const auto text = [](const KnownPlaces &places) {
        std::ostringstream out;
        for (const auto &[key, known] : places)
            for (const auto &[at, place] : known)
                for (const CodeFrame &f : place)
                    out << key.path << '|' << key.buildId << '|' << int(at.first) << '|' << at.second << '|' << f.function << '|'
                        << f.linkage << '|' << f.file << '|' << f.line << '|' << f.atFile << '|' << f.atLine << '|' << f.module
                        << '\n';
        return out.str();
    };
    return text(a) == text(b);
}

std::string contentOf(const QTemporaryDir &folder) {
    std::ifstream file(folder.filePath(symbolFileName).toStdString());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void setContent(const QTemporaryDir &folder, const std::string &text) {
    std::ofstream(folder.filePath(symbolFileName).toStdString(), std::ios::binary) << text;
}

} // namespace

class tst_SymbolFile : public QObject {
    Q_OBJECT
  private slots:
    void whatIsWrittenIsReadBack() {
        const QTemporaryDir folder;
        writeSymbolFile(folder.path().toStdString(), sample());
        std::vector<Warning> warnings;
        QVERIFY(same(readSymbolFile(folder.path().toStdString(), warnings), sample()));
        QVERIFY(warnings.empty());
    }

    void givenPlacesNeedNoBinary() {
        Symbols symbols(0, sample());
        const ModuleKey key{"/bin/app", std::string("\x01\xfe\0q", 4)};
        const auto place = *symbols.find(key, 0x1300, PlaceKind::ReturnAddress);
        QCOMPARE(place.size(), std::size_t{2});
        QCOMPARE(place[1].function, std::string("outer"));
        QVERIFY2(symbols.warnings().empty(), "nobody asked for what only the binary knows");
        QVERIFY(same(symbols.found(), sample()));
        // Another place in it is not given, and the binary is not there: a warning, and nothing new to keep.
        QCOMPARE(symbols.find(key, 0x9999, PlaceKind::Entry)->front().function, std::string("app+0x9999"));
        QCOMPARE(symbols.warnings().size(), std::size_t{1});
        QVERIFY(same(symbols.found(), sample()));
    }

    void withoutFileNothingIsKnown() {
        const QTemporaryDir folder;
        std::vector<Warning> warnings;
        QVERIFY(readSymbolFile(folder.path().toStdString(), warnings).empty());
        QVERIFY(warnings.empty());
    }

    void badLinesAreLeftOut_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("places");
        QTest::addColumn<QString>("place");
        QTest::newRow("another file") << QByteArray("hello\n") << 0 << "symbols.txt";
        QTest::newRow("empty") << QByteArray() << 0 << "symbols.txt";
        QTest::newRow("place without module")
            << QByteArray("laggard-symbols 1\nat\tE\t12\nin\tf\tf\ta.c\t1\ta.c\t2\n") << 0 << "symbols.txt:2";
        QTest::newRow("odd build id") << QByteArray("laggard-symbols 1\nmodule\tabc\t/bin/app\n") << 0 << "symbols.txt:2";
        QTest::newRow("unknown kind")
            << QByteArray("laggard-symbols "
                          "1\nmodule\t-\t/bin/app\nat\tX\t12\nin\tf\tf\ta.c\t1\ta.c\t2\nat\tE\t12\nin\tf\tf\ta.c\t1\ta.c\t2\n")
            << 1 << "symbols.txt:3";
        QTest::newRow("line that is no number")
            << QByteArray("laggard-symbols 1\nmodule\t-\t/bin/app\nat\tE\t12\nin\tf\tf\ta.c\tx\ta.c\t2\n") << 0
            << "symbols.txt:4";
    }
    void badLinesAreLeftOut() {
        QFETCH(QByteArray, text);
        QFETCH(int, places);
        QFETCH(QString, place);
        const QTemporaryDir folder;
        setContent(folder, text.toStdString());
        std::vector<Warning> warnings;
        const KnownPlaces known = readSymbolFile(folder.path().toStdString(), warnings);
        std::size_t count = 0;
        for (const auto &[key, list] : known)
            count += list.size();
        QCOMPARE(count, static_cast<std::size_t>(places));
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(warnings[0].place).endsWith(place), warnings[0].place.c_str());
    }

    /// Whatever the bytes: no crash, and what is taken has a name.
    void mutations() {
        const QTemporaryDir folder;
        writeSymbolFile(folder.path().toStdString(), sample());
        const std::string good = contentOf(folder);
        std::mt19937 random(1);
        for (int round = 0; round < 2000; ++round) {
            std::string text = good;
            for (int change = 0; change < 4; ++change)
                text[random() % text.size()] = static_cast<char>(random() % 128);
            setContent(folder, text.substr(0, random() % text.size()));
            std::vector<Warning> warnings;
            for (const auto &[key, list] : readSymbolFile(folder.path().toStdString(), warnings))
                for (const auto &[at, place] : list)
                    QVERIFY(!place.empty() && !place.front().function.empty());
        }
    }

    /// As the recording is. Somebody else who may write to the folder has laid a link there.
    void isForItsOwnerOnly() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(symbolFileName).toStdString();
        std::ofstream(folder.filePath("victim").toStdString()) << "precious";
        std::filesystem::create_symlink(folder.filePath("victim").toStdString(), path + ".new");
        writeSymbolFile(folder.path().toStdString(), sample());
        QCOMPARE(std::filesystem::file_size(folder.filePath("victim").toStdString()), std::uintmax_t{8});
        QVERIFY(std::filesystem::is_regular_file(std::filesystem::symlink_status(path)));
        QVERIFY(std::filesystem::status(path).permissions() ==
                (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    }

    void aFolderThatCannotBeWritten() {
        QVERIFY_EXCEPTION_THROWN(writeSymbolFile("/nonexistent-folder", sample()), std::system_error);
    }
};

QTEST_APPLESS_MAIN(tst_SymbolFile)
#include "tst_symbolfile.moc"
