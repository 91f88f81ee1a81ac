// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Slice.h"

#include <QTest>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace laggard;

namespace {

/// A program whose lines say in a comment whether they belong to the slice. In its first lines:
///   stack: MPI_Recv exchange main       innermost first; the line of frame 1 has the mark @1
///   other stack: MPI_Barrier main@B     of ranks that are elsewhere; the mark is named
///   ended: SIGSEGV                      how the first came to its end there
///   ranks: 1                            whose stack it is
///   message: 0 send@S main@M -> 1 receive@R main@1
///   message 2: …                        further ones; "collective: …" is one of a collective
///   with: other.c                       a second compile unit, labelled as well
struct Labelled {
    std::vector<std::string> sources;
    std::vector<TaskStack> stacks;
    std::vector<MatchedMessage> messages;
    std::set<std::pair<std::string, std::uint32_t>> in, out;
};

struct Marks {
    std::map<std::string, std::pair<std::string, std::uint32_t>> places;

    [[nodiscard]] std::vector<SourcePlace> frames(std::istringstream words, bool numbered) const {
        std::vector<SourcePlace> found;
        for (std::string word; words >> word && word != "->";) {
            const auto at = word.find('@');
            std::string mark;
            if (at != std::string::npos)
                mark = word.substr(at + 1);
            else if (numbered)
                mark = std::to_string(found.size());
            SourcePlace place;
            place.function = word.substr(0, at);
            if (const auto known = places.find(mark); known != places.end())
                std::tie(place.file, place.line) = known->second;
            found.push_back(std::move(place));
        }
        return found;
    }
};

void readLabels(const std::string &source, Labelled &program, Marks &marks, std::map<std::string, std::string> &header) {
    std::ifstream file(std::string(LAGGARD_SLICE_PROGRAMS) + "/" + source);
    std::string text;
    for (std::uint32_t line = 1; std::getline(file, text); ++line) {
        const auto comment = text.find("//");
        if (comment == std::string::npos)
            continue;
        std::istringstream words(text.substr(comment + 2));
        if (const auto colon = text.find(": "); comment == 0 && colon != std::string::npos)
            header.emplace(text.substr(3, colon - 3), text.substr(colon + 2));
        for (std::string word; words >> word;) {
            if (word == "IN")
                program.in.emplace(source, line);
            else if (word == "OUT")
                program.out.emplace(source, line);
            else if (word.front() == '@')
                marks.places[word.substr(1)] = {source, line};
        }
    }
}

Labelled read(const std::string &source) {
    Labelled program;
    Marks marks;
    std::map<std::string, std::string> header;
    program.sources.push_back(source);
    readLabels(source, program, marks, header);
    if (header.contains("with")) {
        program.sources.push_back(header["with"]);
        readLabels(header["with"], program, marks, header);
    }
    program.stacks.push_back({header["ranks"], marks.frames(std::istringstream(header["stack"]), true),
                              header.contains("ended") ? header["ended"] : ""});
    if (header.contains("other stack"))
        program.stacks.push_back({"", marks.frames(std::istringstream(header["other stack"]), false), {}});
    for (const auto &[key, text] : header) {
        const bool isCollective = key.starts_with("collective");
        if (!isCollective && !key.starts_with("message"))
            continue;
        const auto arrow = text.find(" -> ");
        const auto ranks = [](const std::string &side) { return side.substr(0, side.find(' ')); };
        const auto stack = [&](const std::string &side) {
            return marks.frames(std::istringstream(side.substr(side.find(' '))), false);
        };
        const auto from = text.substr(0, arrow), to = text.substr(arrow + 4);
        program.messages.push_back({isCollective ? "collective" : "p2p", ranks(to), stack(to), ranks(from), stack(from), 1});
    }
    return program;
}

std::string fileName(const std::string &path) { return std::filesystem::path(path).filename().string(); }

std::string list(const std::set<std::pair<std::string, std::uint32_t>> &lines) {
    std::string text;
    for (const auto &[file, line] : lines)
        text += " " + file + ":" + std::to_string(line);
    return text;
}

} // namespace

class tst_LabelledPrograms : public QObject {
    Q_OBJECT
    std::size_t allOut = 0, allWrong = 0;

    void addPrograms(bool withNarrow) {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("suffix");
        std::set<std::string> sources;
        for (const auto &entry : std::filesystem::directory_iterator(LAGGARD_SLICE_PROGRAMS))
            sources.insert(entry.path().filename().string());
        for (const auto &source : sources) {
            if (read(source).stacks.front().frames.empty())
                continue; // a header, or a second compile unit
            QTest::newRow(source.c_str()) << QString::fromStdString(source) << QString();
            if (withNarrow)
                QTest::newRow((source + ", handles are numbers").c_str())
                    << QString::fromStdString(source) << QStringLiteral(".narrow");
        }
    }

    static SliceResult slice(const Labelled &program, const QString &suffix, SliceOptions options = {}) {
        options.limit = std::chrono::minutes(10); // whatever else this machine does
        std::vector<std::string> bitcode;
        for (const auto &source : program.sources)
            bitcode.push_back(std::string(LAGGARD_SLICE_BITCODE) + "/" + source + suffix.toStdString() + ".bc");
        return sliceBackward(bitcode, program.stacks, program.messages, options);
    }

  private slots:
    void labels_data() { addPrograms(true); }

    /// Every line that is labelled IN, and of all programs at most one in ten of those labelled OUT; of a single one, which has
    /// few of them, one in five.
    void labels() {
        QFETCH(QString, source);
        QFETCH(QString, suffix);
        const auto program = read(source.toStdString());
        const auto result = slice(program, suffix);
        std::set<std::pair<std::string, std::uint32_t>> missing = program.in, wrong;
        for (const auto &step : result.steps) {
            missing.erase({fileName(step.file), step.line});
            if (program.out.contains({fileName(step.file), step.line}))
                wrong.emplace(fileName(step.file), step.line);
        }
        std::string remark;
        if (!missing.empty())
            remark += "   missing:" + list(missing);
        if (!wrong.empty())
            remark += "   too many:" + list(wrong);
        std::printf("%-44s IN %2zu of %2zu   OUT kept out %2zu of %2zu%s\n", (source + suffix).toUtf8().constData(),
                    program.in.size() - missing.size(), program.in.size(), program.out.size() - wrong.size(), program.out.size(),
                    remark.c_str());
        for (const auto &warning : result.warnings)
            qWarning("%s", warning.c_str());
        QVERIFY2(result.warnings.empty(), "A program that is whole was sliced with warnings.");
        QVERIFY2(missing.empty(), ("Lines are missing from the slice:" + list(missing)).c_str());
        allOut += program.out.size();
        allWrong += wrong.size();
        QVERIFY2(wrong.size() * 5 <= program.out.size(),
                 ("Too many lines are in the slice that do not belong there:" + list(wrong)).c_str());
    }

    void ofAllPrograms() {
        if (allOut == 0)
            QSKIP("The programs were not sliced before.");
        std::printf("of all programs: OUT kept out %zu of %zu\n", allOut - allWrong, allOut);
        QVERIFY2(allWrong * 10 <= allOut, "Too many lines are in the slices that do not belong there.");
    }

    void askedTogether_data() { addPrograms(false); }

    /// Where all is asked of the whole program, from the beginning or from some question on, no line of the slice is lost.
    void askedTogether() {
        QFETCH(QString, source);
        const auto program = read(source.toStdString());
        std::set<std::pair<std::string, std::uint32_t>> whole;
        for (const auto &step : slice(program, {}).steps)
            whole.emplace(fileName(step.file), step.line);
        for (const std::size_t keptApart : {0, 10, 40}) {
            SliceOptions options;
            options.keptApart = keptApart;
            std::set<std::pair<std::string, std::uint32_t>> missing = whole;
            for (const auto &step : slice(program, {}, options).steps)
                missing.erase({fileName(step.file), step.line});
            QVERIFY2(missing.empty(), ("Lost behind " + std::to_string(keptApart) + " questions:" + list(missing)).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(tst_LabelledPrograms)
#include "tst_labelledprograms.moc"
