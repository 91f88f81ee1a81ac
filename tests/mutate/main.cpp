// SPDX-License-Identifier: GPL-3.0-or-later
// Damages inputs of every kind at random, opens and analyses each in a process of its own, and says what became of it.
// Usage: laggard-mutate NUMBER SEED [KIND...]     of all kinds, or of these alone, as many of each as of all
#include "app/report/Report.h"
#include "app/window/Session.h"
#include "ingest/Format.h"
#include "tests/mutate/Inputs.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/Mutation.h"
#include "tests/support/TraceDigest.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

using namespace laggard;
using namespace laggard::test;

namespace {

/// What a damaged input came to: exit statuses of the process that opens it.
enum Outcome : int { same = 0, named = 10, unnamed = 11, lostRank = 12, leaked = 13 };

constexpr unsigned secondsForOne = 30;

struct Row {
    std::size_t cases = 0, same = 0, named = 0, unnamed = 0, lostRanks = 0, crashes = 0, hangs = 0, leaks = 0;
};

Outcome judgeSession(const Input &input, const QByteArray &healthy) {
    QString error;
    const auto read = sessionFromJson(QByteArray::fromStdString(fileBytes(input.open)), &error);
    if (!error.isEmpty())
        return named;
    return read && toJson(*read) == healthy ? same : unnamed;
}

/// A rank that was not damaged and tells something else now, or nothing. Call traces number ranks in order of what is there.
bool losesRank(const InputFile &file, const std::vector<std::string> &before, const std::vector<std::string> &after) {
    for (Rank rank = 0; file.rank && rank < before.size(); ++rank)
        if (rank != *file.rank && std::ranges::find(after, before[rank]) == after.end())
            return true;
    return false;
}

Outcome judgeTrace(const Input &input, const InputFile &file, const std::vector<std::string> &before, const std::string &text) {
    try {
        const auto opened = openInput(input.open, {}, {});
        const std::vector<std::string> after = digestByRank(*opened.trace);
        const ReportPtr report =
            opened.dump == nullptr ? analyse(opened.trace, {}, {}) : analyse(opened.dump, AnalysisOptions(), {});
        std::ostringstream words;
        writeText(words, *report);
        if (losesRank(file, before, after))
            return lostRank;
        if (opened.trace->hasDataLoss())
            return named;
        return after == before && words.str() == text ? same : unnamed;
    } catch (const ReadError &error) {
        if (file.rank)
            return lostRank; // the others are to be read
        if (std::string(error.what()).ends_with('.'))
            return named;
        std::printf("no sentence: %s\n", error.what());
        std::fflush(stdout);
        return unnamed;
    }
}

std::string textOf(const Input &input) {
    const auto opened = openInput(input.open, {}, {});
    std::ostringstream words;
    writeText(words, *(opened.dump == nullptr ? analyse(opened.trace, {}, {}) : analyse(opened.dump, AnalysisOptions(), {})));
    return words.str();
}

/// True if memory was lost, of which the sanitizer says where: a process that ends by _Exit is not asked otherwise.
bool hasLeaked() {
#ifdef __SANITIZE_ADDRESS__
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

void count(int status, Row &row) {
    ++row.cases;
    if (WIFSIGNALED(status))
        ++(WTERMSIG(status) == SIGALRM ? row.hangs : row.crashes);
    else if (WEXITSTATUS(status) == same)
        ++row.same;
    else if (WEXITSTATUS(status) == named)
        ++row.named;
    else if (WEXITSTATUS(status) == unnamed)
        ++row.unnamed;
    else if (WEXITSTATUS(status) == lostRank)
        ++row.lostRanks;
    else if (WEXITSTATUS(status) == leaked)
        ++row.leaks;
    else
        ++row.crashes; // an exception, or a sanitizer
}

/// What is not as it should be is told, case by case.
Row mutateOne(const Input &input, std::size_t cases, std::mt19937 &random) {
    const std::vector<std::string> before =
        input.isSession ? std::vector<std::string>() : digestByRank(*openInput(input.open, {}, {}).trace);
    const std::string text = input.isSession ? std::string() : textOf(input);
    const QByteArray session = input.isSession ? QByteArray::fromStdString(fileBytes(input.open)) : QByteArray();
    Row row;
    for (std::size_t i = 0; i < cases; ++i) {
        const InputFile &file = input.files[random() % input.files.size()];
        const std::string healthy = fileBytes(file.path);
        const Mutation mutation = mutatedOnce(healthy, random);
        setFileBytes(file.path, mutation.bytes);
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            alarm(secondsForOne);
            const Outcome outcome = input.isSession ? judgeSession(input, session) : judgeTrace(input, file, before, text);
            std::_Exit(hasLeaked() ? leaked : outcome);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const Row known = row;
        count(status, row);
        if (row.crashes + row.hangs + row.leaks + row.lostRanks != known.crashes + known.hangs + known.leaks + known.lostRanks ||
            (input.isChecked && row.unnamed != known.unnamed))
            std::printf("%s: %s, %s: status %d\n", input.kind.c_str(), file.path.c_str(), mutation.description.c_str(), status);
        setFileBytes(file.path, healthy);
    }
    return row;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fputs("Usage: laggard-mutate NUMBER SEED [KIND...]\n", stderr);
        return 2;
    }
    const QTemporaryDir dir;
    const std::vector<Input> inputs = makeInputs(dir.path().toStdString());
    std::mt19937 random(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
    const std::size_t cases = std::strtoul(argv[1], nullptr, 10) / inputs.size();
    std::printf("%-12s %8s %8s %8s %8s %8s %8s %14s %8s\n", "kind", "cases", "same", "named", "crashes", "hangs", "leaks",
                "healthy lost", "unnamed");
    bool isRight = true;
    const std::vector<std::string> kinds(argv + 3, argv + argc);
    for (const Input &input : inputs) {
        if (!kinds.empty() && std::ranges::find(kinds, input.kind) == kinds.end())
            continue;
        const Row row = mutateOne(input, cases, random);
        std::printf("%-12s %8zu %8zu %8zu %8zu %8zu %8zu %14zu %8zu%s\n", input.kind.c_str(), row.cases, row.same, row.named,
                    row.crashes, row.hangs, row.leaks, row.lostRanks, row.unnamed, input.isChecked ? "" : " (no checks)");
        std::fflush(stdout);
        isRight &= row.crashes + row.hangs + row.leaks + row.lostRanks == 0 && (!input.isChecked || row.unnamed == 0);
    }
    return isRight ? 0 : 1;
}
