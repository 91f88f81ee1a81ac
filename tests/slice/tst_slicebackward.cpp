// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Slice.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

using namespace laggard;

namespace {

const std::string folder = std::string(LAGGARD_SLICE_BITCODE) + "/";
const std::string good = folder + "probe_flag.c.bc";
const TaskStack stack{"0", {{"serve", "probe_flag.c", 25}, {"main", "probe_flag.c", 43}}};

std::string contents(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool mentions(const SliceResult &result, const std::string &text) {
    return std::any_of(result.warnings.begin(), result.warnings.end(),
                       [&](const auto &warning) { return warning.find(text) != std::string::npos; });
}

/// With time enough, whatever else this machine does.
SliceResult slice(const std::vector<std::string> &files, const std::vector<TaskStack> &stacks, SliceOptions options = {}) {
    options.limit = std::chrono::minutes(10);
    return sliceBackward(files, stacks, {}, options);
}

} // namespace

/// What cannot be used is said in a sentence; what can be is.
class tst_SliceInput : public QObject {
    Q_OBJECT

    std::string written(const QTemporaryDir &place, const std::string &name, const std::string &bytes) {
        const auto path = place.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

  private slots:
    void unusableFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("sentence");
        const auto whole = QByteArray::fromStdString(contents(good));
        QTest::newRow("empty") << QByteArray() << "is not LLVM bitcode";
        QTest::newRow("text") << QByteArray("int main() {}\n") << "is not LLVM bitcode";
        QTest::newRow("only the magic number") << whole.left(4) << "cannot be read as bitcode";
        QTest::newRow("half of it") << whole.left(whole.size() / 8 * 4) << "damaged.bc";
        QTest::newRow("all but its end") << whole.left(whole.size() - 64) << "damaged.bc";
    }

    void unusableFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, sentence);
        QTemporaryDir place;
        const auto file = written(place, "damaged.bc", bytes.toStdString());
        const auto result = slice({file, good}, {stack});
        QVERIFY2(mentions(result, file), "The file that cannot be used is not named.");
        QVERIFY2(mentions(result, sentence.toStdString()), result.warnings.front().c_str());
        QVERIFY2(!result.steps.empty(), "The file that is whole was not used.");
    }

    /// Bytes and bits changed anywhere: LLVM's reader may break down over it, we may not.
    void damage() {
        const auto whole = contents(good);
        QTemporaryDir place;
        std::mt19937 random(7);
        int unusable = 0;
        for (int round = 0; round < 40; ++round) {
            auto bytes = whole;
            for (int change = 0; change < 1 + round % 8; ++change)
                bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
            const auto result = slice({written(place, "damaged.bc", bytes), folder + "other_file.c.bc"},
                                      {{"", {{"wait_for", "", 0}, {"main", "other_file.c", 0}}}});
            unusable += mentions(result, "damaged.bc") ? 1 : 0;
            QVERIFY2(!result.steps.empty(), "The file that is whole was not used.");
        }
        QVERIFY2(unusable > 5, "Damage was not noticed.");
    }

    void missingFile() {
        const auto result = slice({folder + "nowhere.bc"}, {stack});
        QVERIFY2(mentions(result, "nowhere.bc cannot be read"), "A file that is not there is not named.");
        QVERIFY(result.steps.empty());
    }

    void noDebugInformation() {
        const auto result = slice({folder + "probe_flag.plain.bc"}, {stack});
        QVERIFY2(mentions(result, "has no debug information"), "Missing debug information is not said.");
        QVERIFY(result.steps.empty());
    }

    void twoDefinitions() {
        const auto result = slice({good, good}, {stack});
        QVERIFY2(mentions(result, "`main` is defined in another compile unit too"), "A second definition is not said.");
        QVERIFY(!result.steps.empty());
    }

    void unknownFrames() {
        const TaskStack unknown{
            "0",
            {{"poll", "", 0}, {"progress", "libmpi.so", 12}, {"serve", "probe_flag.c", 25}, {"main", "", 0}, {"_start", "", 0}}};
        const auto result = slice({good}, {unknown});
        QVERIFY2(mentions(result, "The stack has progress, of which there is no code"), "A frame without code is not named.");
        QVERIFY2(!mentions(result, "_start"), "What starts a program is named as if it mattered.");
        QVERIFY2(!result.steps.empty() && result.steps.front().function == "serve", "The next known frame was not used.");
    }

    void nothingToBeginFrom() {
        QVERIFY(mentions(slice({good}, {}), "There is no stack"));
        QVERIFY(mentions(slice({good}, {{}}), "There is no stack"));
        QVERIFY(mentions(slice({}, {stack}), "There is no code"));
        QVERIFY(mentions(slice({good}, {{"0", {{"nobody", "", 0}}}}), "no code of any function"));
    }

    void timeIsUp() {
        SliceOptions options;
        options.limit = std::chrono::milliseconds(0);
        QVERIFY2(sliceBackward({good}, {stack}, {}, options).truncated, "A slice without time says that it is whole.");
        QVERIFY2(!slice({good}, {stack}).truncated, "A small slice with time says that it is not whole.");
    }

    void depthAndThin() {
        const auto all = slice({good}, {stack});
        SliceOptions options;
        options.depth = 1;
        const auto near = slice({good}, {stack}, options);
        QVERIFY2(!near.steps.empty() && near.steps.size() < all.steps.size(), "A depth does not make the slice smaller.");
        QVERIFY(std::all_of(near.steps.begin(), near.steps.end(), [](const SliceStep &step) { return step.distance <= 1; }));
        options = {};
        options.thin = true;
        const auto thin = slice({good}, {stack}, options);
        QVERIFY2(
            std::none_of(thin.steps.begin(), thin.steps.end(), [](const SliceStep &step) { return step.why == Why::Control; }),
            "A thin slice has conditions.");
        QVERIFY(!thin.steps.empty() && thin.steps.size() <= all.steps.size());
    }

    /// Thin: values and those who hand them on. What points to them and what decides comes with the full slice.
    void thinAndFullDiffer() {
        std::ifstream source(std::string(LAGGARD_SLICE_PROGRAMS) + "/thin_shelf.c");
        std::set<std::uint32_t> values, others;
        std::uint32_t at = 0, number = 1;
        for (std::string text; std::getline(source, text); ++number) {
            if (number > 5 && text.find("// THIN") != std::string::npos)
                values.insert(number);
            if (number > 5 && text.find("// FULL") != std::string::npos)
                others.insert(number);
            if (text.find("// @0") != std::string::npos)
                at = number;
        }
        QVERIFY(at != 0 && values.size() > 4 && others.size() > 10);
        const TaskStack standing{"0", {{"main", "thin_shelf.c", at}}, {}};
        const auto linesOf = [&](bool thin) {
            SliceOptions options;
            options.thin = thin;
            std::set<std::uint32_t> lines;
            for (const auto &step : slice({folder + "thin_shelf.c.bc"}, {standing}, options).steps)
                lines.insert(step.line);
            return lines;
        };
        const auto thin = linesOf(true), full = linesOf(false);
        for (const auto line : values)
            QVERIFY2(thin.contains(line) && full.contains(line), ("A value's line is missing: " + std::to_string(line)).c_str());
        for (const auto line : others) {
            QVERIFY2(!thin.contains(line), ("The thin slice has line " + std::to_string(line)).c_str());
            QVERIFY2(full.contains(line), ("The full slice lacks line " + std::to_string(line)).c_str());
        }
    }

    /// The writer's version is in the file in letters of six bits each.
    void laterLlvm() {
        auto bytes = contents(good);
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
        const auto bitOf = [&](std::string_view word, std::size_t bit) {
            return (letters.find(word[bit / 6]) >> (bit % 6) & 1U) != 0;
        };
        const auto bitAt = [&](std::size_t bit) { return (static_cast<unsigned char>(bytes[bit / 8]) >> (bit % 8) & 1U) != 0; };
        constexpr std::string_view now = "LLVM14", later = "LLVM19";
        std::size_t at = 0;
        const auto isHere = [&] {
            for (std::size_t i = 0; i < now.size() * 6; ++i)
                if (bitAt(at + i) != bitOf(now, i))
                    return false;
            return true;
        };
        while (at + now.size() * 6 < bytes.size() * 8 && !isHere())
            ++at;
        QVERIFY2(at + now.size() * 6 < bytes.size() * 8, "The bitcode does not say who has written it.");
        for (std::size_t i = 0; i < later.size() * 6; ++i) {
            auto &byte = bytes[(at + i) / 8];
            const auto mask = static_cast<unsigned char>(1U << ((at + i) % 8));
            byte = static_cast<char>(bitOf(later, i) ? static_cast<unsigned char>(byte) | mask
                                                     : static_cast<unsigned char>(byte) & static_cast<unsigned char>(~mask));
        }
        QTemporaryDir place;
        const auto result = slice({written(place, "later.bc", bytes), good}, {stack});
        QVERIFY2(mentions(result, "was written by LLVM19"), "Bitcode of a later LLVM is not named.");
        QVERIFY2(!result.steps.empty(), "The rest is not used.");
    }

    /// A call that nothing decides about says so.
    void nothingDecides() {
        const TaskStack standing{"0", {{"MPI_Init", "", 0}, {"main", "probe_flag.c", 36}}, {}};
        const auto result = slice({good}, {standing});
        QVERIFY2(mentions(result, "every run comes to it"), "A slice without steps says nothing.");
    }

    void lineWithoutCode_data() {
        QTest::addColumn<int>("line");
        QTest::addColumn<bool>("isSaid");
        QTest::newRow("not known") << 0 << false;
        QTest::newRow("of other macros") << 2 << true;
    }

    /// The call is found by its name where the line has no code.
    void lineWithoutCode() {
        QFETCH(int, line);
        QFETCH(bool, isSaid);
        const TaskStack standing{
            "1", {{"MPI_Recv", "", 0}, {"worker", "by_message.c", static_cast<std::uint32_t>(line)}, {"main", "", 0}}, {}};
        const auto result = slice({folder + "by_message.c.bc"}, {standing});
        QVERIFY2(std::any_of(result.steps.begin(), result.steps.end(),
                             [](const SliceStep &step) { return step.why == Why::Criterion && step.function == "worker"; }),
                 "The calls of MPI_Recv are not what it begins with.");
        QCOMPARE(mentions(result, "There is no code in line 2 of by_message.c"), isSaid);
    }

    /// Whom a receive waits for comes before the nine calls that led to it.
    void partnerIsNear() {
        std::ifstream source(std::string(LAGGARD_SLICE_PROGRAMS) + "/deep_receive.c");
        std::map<std::string, std::uint32_t> marked;
        std::set<std::uint32_t> partners;
        std::uint32_t number = 1;
        for (std::string text; std::getline(source, text); ++number) {
            if (text.ends_with(" PARTNER"))
                partners.insert(number);
            if (const auto at = text.rfind('@'); at != std::string::npos && !text.starts_with("//"))
                marked[text.substr(at + 1)] = number;
        }
        TaskStack standing{"0", {{"MPI_Recv", "", 0}}, {}};
        for (const auto &[function, mark] :
             {std::pair("hp_recv", "R"), std::pair("hp_sdrv", "X"), std::pair("roll", "E"), std::pair("laswp", "L"),
              std::pair("update", "U"), std::pair("solve", "V"), std::pair("test", "T"), std::pair("main", "M")})
            standing.frames.push_back({function, "deep_receive.c", marked[mark]});
        const auto steps = slice({folder + "deep_receive.c.bc"}, {standing}).steps;
        QVERIFY(partners.size() == 2 && steps.size() > 4);
        for (std::size_t i = 0; i < 4; ++i)
            partners.erase(steps[i].line);
        QVERIFY2(partners.empty(), "What decides whom it waits for is not among the first four steps.");
    }

    void hungStencil_data() {
        QTest::addColumn<int>("line");
        QTest::newRow("only the function is known") << 41;
        QTest::newRow("in the loop's condition") << 45;
        QTest::newRow("in the loop") << 46;
    }

    /// The bundled job: the loop's condition, err and nw, and the way to inflow[it].
    void hungStencil() {
        QFETCH(int, line);
        const TaskStack standing{"3",
                                 {{"compute_flux", "stencil.c", static_cast<std::uint32_t>(line)},
                                  {"time_step", "stencil.c", 59},
                                  {"main", "stencil.c", 61}}};
        const auto result = slice({folder + "stencil.bc"}, {standing});
        for (const std::uint32_t wanted : {45U, 46U, 44U, 43U})
            QVERIFY2(std::any_of(result.steps.begin(), result.steps.begin() + 5,
                                 [&](const SliceStep &step) { return step.line == wanted; }),
                     ("Line " + std::to_string(wanted) + " is not among the first five steps.").c_str());
        QVERIFY2(std::any_of(result.steps.begin(), result.steps.end(), [](const SliceStep &step) { return step.line == 22; }),
                 "The line that makes the hole in the table is not in the slice.");
    }

    /// Numbers, order and words of the steps.
    void steps() {
        const auto result = slice({good}, {stack});
        for (std::size_t i = 0; i < result.steps.size(); ++i) {
            QCOMPARE(result.steps[i].step, i + 1);
            QVERIFY(i == 0 || result.steps[i - 1].distance <= result.steps[i].distance);
            QVERIFY2(!result.steps[i].detail.empty(), "A step does not say why it is there.");
        }
        QCOMPARE(result.steps[0].line, 25U);
        QCOMPARE(result.steps[0].variable, std::string("!flag"));
        QCOMPARE(result.steps[0].ranks, std::string("0"));
        QVERIFY2(result.steps[1].line == 26 && result.steps[1].why == Why::Data && result.steps[1].variable == "flag",
                 "The probe is not what sets the flag.");
    }
};

QTEST_APPLESS_MAIN(tst_SliceInput)
#include "tst_slicebackward.moc"
