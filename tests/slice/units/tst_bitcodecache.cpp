// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/BitcodeCache.h"
#include "slice/units/SourceFiles.h"
#include "slice/units/WholeFile.h"
#include "tests/slice/units/SampleProgram.h"

#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard;
using laggard::test::SampleProgram;

namespace {

std::optional<std::string> found(BitcodeCache &cache, const std::string &question) {
    FileHashes hashes; // files are looked at anew
    const auto file = cache.find(question, hashes);
    return file ? contentOf(*file, 1 << 20) : std::nullopt;
}

QStringList filesIn(const std::string &folder) {
    return QDir(QString::fromStdString(folder)).entryList(QDir::Files | QDir::Hidden);
}

} // namespace

class TestBitcodeCache : public QObject {
    Q_OBJECT
  private slots:
    void keepsByContent() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        sample.write("a b.h", "two");
        const std::vector<std::string> read{sample.path("a.c"), sample.path("a b.h")};
        BitcodeCache cache(sample.cache());
        FileHashes hashes;
        QCOMPARE(found(cache, "q"), std::nullopt);
        QVERIFY(cache.store("q", read, hashes, "BITCODE").has_value());
        QCOMPARE(found(cache, "q"), std::optional<std::string>("BITCODE"));
        QCOMPARE(found(cache, "other switches"), std::nullopt);
        sample.write("a b.h", "three");
        QCOMPARE(found(cache, "q"), std::nullopt);
        sample.write("a b.h", "two");
        QCOMPARE(found(cache, "q"), std::optional<std::string>("BITCODE"));
        QVERIFY(QFile::remove(QString::fromStdString(read[0])));
        QCOMPARE(found(cache, "q"), std::nullopt);
        QCOMPARE(cache.warning(), std::string());
    }
    void isForItsOwnerOnly() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        const std::string folder = sample.path("home/.cache/laggard/slice");
        BitcodeCache cache(folder);
        FileHashes hashes;
        const auto file = cache.store("q", {sample.path("a.c")}, hashes, "B");
        QVERIFY(file.has_value());
        struct stat status {};
        for (const std::string &path : {folder, sample.path("home/.cache")}) {
            QCOMPARE(::stat(path.c_str(), &status), 0);
            QCOMPARE(status.st_mode & 0777U, 0700U);
        }
        QCOMPARE(::stat(file->c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0077U, 0U);
    }
    void trustsNoFolderThatOthersWriteTo() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        QDir().mkpath(QString::fromStdString(sample.cache()));
        QCOMPARE(::chmod(sample.cache().c_str(), 0777), 0);
        BitcodeCache cache(sample.cache());
        FileHashes hashes;
        QCOMPARE(cache.store("q", {sample.path("a.c")}, hashes, "B"), std::nullopt);
        QVERIFY2(cache.warning().ends_with("others may write to it."), cache.warning().c_str());
    }
    void damagedBitcodeIsNotUsed() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        BitcodeCache cache(sample.cache());
        for (const char *damage : {"", "BITCOD", "BITCODE AND MORE", "BITCODF"}) {
            FileHashes hashes;
            const auto file = cache.store("q", {sample.path("a.c")}, hashes, "BITCODE");
            QVERIFY(file.has_value());
            QCOMPARE(found(cache, "q"), std::optional<std::string>("BITCODE"));
            QCOMPARE(writeWhole(*file, damage, 0600), 0);
            QCOMPARE(found(cache, "q"), std::nullopt);
        }
    }
    void damagedListsAreNotUsed() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        BitcodeCache cache(sample.cache());
        FileHashes hashes;
        QVERIFY(cache.store("q", {sample.path("a.c")}, hashes, "BITCODE").has_value());
        const std::string list =
            sample.cache() + '/' + QDir(QString::fromStdString(sample.cache())).entryList({"*.unit"}).value(0).toStdString();
        const std::string healthy = contentOf(list, 1 << 20).value();
        for (std::size_t size = 0; size < healthy.size(); ++size) {
            QCOMPARE(writeWhole(list, healthy.substr(0, size), 0600), 0);
            const auto content = found(cache, "q");
            QVERIFY(!content || *content == "BITCODE");
        }
        std::string elsewhere = healthy;
        elsewhere.replace(healthy.find('\n') + 1, 64, "../../" + std::string(58, 'x'));
        QCOMPARE(writeWhole(list, elsewhere, 0600), 0);
        QCOMPARE(found(cache, "q"), std::nullopt);
    }
    void saysWhatItCannotKeep_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("a folder that cannot be made") << "/proc/laggard";
        QTest::newRow("a file") << "/etc/passwd";
        QTest::newRow("a device") << "/dev/null";
    }
    void saysWhatItCannotKeep() {
        QFETCH(QString, folder);
        BitcodeCache cache(folder.toStdString());
        FileHashes hashes;
        QCOMPARE(cache.store("q", {"/etc/passwd"}, hashes, "B"), std::nullopt);
        QVERIFY2(cache.warning().starts_with("Compiled units cannot be kept in \"" + folder.toStdString() + '"'),
                 cache.warning().c_str());
    }
    /// As on a full disk: no file may grow. In a process of its own.
    void saysThatTheDiskIsFull() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        const pid_t child = ::fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            BitcodeCache cache(sample.cache());
            const rlimit limit{100, 100};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            FileHashes hashes;
            const bool kept = cache.store("q", {sample.path("a.c")}, hashes, std::string(10'000, 'B')).has_value();
            ::_exit(kept ? 1 : cache.warning().empty() ? 2 : 0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(status, 0);
        QCOMPARE(filesIn(sample.cache()), QStringList());
    }
    /// Many write and read the same at once, and some are killed: what is read is always whole, and no half file stays.
    void severalAtOnce() {
        const SampleProgram sample;
        sample.write("a.c", "one");
        const std::string bitcode(500'000, 'B');
        std::vector<pid_t> children;
        for (int i = 0; i < 4; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                for (int round = 0; round < (i == 3 ? 100'000 : 100); ++round) {
                    BitcodeCache cache(sample.cache());
                    FileHashes hashes;
                    static_cast<void>(cache.store("q", {sample.path("a.c")}, hashes, bitcode));
                    const auto file = cache.find("q", hashes);
                    if (file && contentOf(*file, 1 << 20) != bitcode)
                        ::_exit(1);
                }
                ::_exit(0);
            }
            children.push_back(child);
        }
        for (int i = 0; i < 3; ++i) {
            int status = 0;
            ::waitpid(children[static_cast<std::size_t>(i)], &status, 0);
            QCOMPARE(status, 0);
        }
        ::kill(children[3], SIGKILL);
        ::waitpid(children[3], nullptr, 0);
        BitcodeCache cache(sample.cache());
        QCOMPARE(found(cache, "q"), std::optional(bitcode));
        const QStringList files = filesIn(sample.cache());
        QVERIFY2(files.size() >= 2 && files.size() <= 3, qPrintable("files: " + files.join(' '))); // one more: being renamed
    }
    void findsTheUsersFolder() {
        ::setenv("XDG_CACHE_HOME", "/x/cache", 1);
        QCOMPARE(userCacheFolder(), std::string("/x/cache/laggard/slice"));
        ::setenv("XDG_CACHE_HOME", "relative", 1);
        ::setenv("HOME", "/home/me", 1);
        QCOMPARE(userCacheFolder(), std::string("/home/me/.cache/laggard/slice"));
        ::unsetenv("HOME");
        QCOMPARE(userCacheFolder(), std::string());
    }
};

QTEST_GUILESS_MAIN(TestBitcodeCache)
#include "tst_bitcodecache.moc"
