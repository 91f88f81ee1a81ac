// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/recording/Symbols.h"
#include "sample/sample.h"
#include "tests/support/LoadedModules.h"
#include "tests/support/RecordingWriter.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::LoadedModule;

namespace {

/// A server of debug information on this machine that has none, and counts who asks.
class EmptyServer {
  public:
    EmptyServer() : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        m_isOpen = ::bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) == 0 && ::listen(m_socket, 100) == 0 &&
                   ::getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) == 0;
        m_port = ntohs(address.sin_port);
        m_thread = std::jthread([this](const std::stop_token &stop) { serve(stop); });
    }
    ~EmptyServer() {
        m_thread.request_stop();
        m_thread.join();
        ::close(m_socket);
    }
    EmptyServer(const EmptyServer &) = delete;
    EmptyServer &operator=(const EmptyServer &) = delete;

    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] QString url() const { return QStringLiteral("http://127.0.0.1:%1/").arg(m_port); }
    [[nodiscard]] int requests() const { return m_requests; }

  private:
    void serve(const std::stop_token &stop) {
        while (!stop.stop_requested()) {
            pollfd waiting{m_socket, POLLIN, 0};
            if (::poll(&waiting, 1, 20) != 1)
                continue;
            const int client = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
            char request[4096];
            if (client >= 0 && ::read(client, request, sizeof request) > 0) {
                ++m_requests;
                constexpr char answer[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                static_cast<void>(::write(client, answer, sizeof answer - 1));
            }
            ::close(client);
        }
    }

    int m_socket;
    bool m_isOpen = false;
    std::uint16_t m_port = 0;
    std::atomic<int> m_requests = 0;
    std::jthread m_thread;
};

LoadedModule sampleModule() {
    const std::vector<LoadedModule> modules = test::loadedModules();
    return *std::find_if(modules.begin(), modules.end(),
                         [](const LoadedModule &m) { return m.path.find("liblaggard_sample") != std::string::npos; });
}

std::string besideTheSample(const char *name) {
    return std::filesystem::path(sampleModule().path).parent_path().string() + '/' + name;
}

std::uint64_t outerEntry() { return reinterpret_cast<std::uint64_t>(&sample::outer) - sampleModule().bias; }

} // namespace

class TestDebugInformation : public QObject {
    Q_OBJECT

  private slots:
    /// Build-ids tell which programs somebody runs, and servers that do not answer take half a minute for each library.
    void serversAreAskedOnlyIfWanted_data() {
        QTest::addColumn<QString>("wanted");
        QTest::newRow("as usual") << "here";
        QTest::newRow("asked for") << "servers";
    }
    void serversAreAskedOnlyIfWanted() {
        QFETCH(QString, wanted);
        const QTemporaryDir folder;
        test::RecordingWriter writer(0, 1);
        const std::uint32_t module = writer.module(besideTheSample("libstripped-sample.so"), sampleModule().buildId);
        const std::uint32_t function = writer.address(outerEntry() + 1, AddressKind::ReturnSite, module);
        writer.begin(10, "MPI_Recv", {function}).receivePart(0).write(folder.filePath("0.laggard").toStdString());

        const EmptyServer server;
        if (!server.isOpen())
            QSKIP("No port of this machine can be listened at.");
        QProcess reader;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("DEBUGINFOD_URLS", server.url());
        environment.insert("HOME", folder.filePath("home"));
        environment.insert("XDG_CACHE_HOME", folder.filePath("cache"));
        environment.remove("DEBUGINFOD_CACHE_PATH");
        reader.setProcessEnvironment(environment);
        reader.start(QCoreApplication::applicationFilePath(), {"--open", folder.path(), wanted});
        QVERIFY(reader.waitForFinished(60'000));
        QVERIFY2(reader.exitCode() == 0, reader.readAllStandardError());
        if (wanted == "servers")
            QVERIFY2(server.requests() > 0, "asked for, the servers are of use");
        else
            QCOMPARE(server.requests(), 0);
        if (wanted == "here")
            QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{"0.laggard"});
    }

    void separateFilesAreFound_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("named by the binary") << "liblinked-sample.so" << true;
        QTest::newRow("of an unknown build") << "libmislinked-sample.so" << false;
        QTest::newRow("by its checksum") << "libunnamed-sample.so" << true;
        QTest::newRow("changed since") << "libchanged-sample.so" << false;
        QTest::newRow("none") << "libstripped-sample.so" << false;
    }
    void separateFilesAreFound() {
        QFETCH(QString, library);
        QFETCH(bool, isFound);
        Symbols symbols;
        const bool hasBuildId = library != "libunnamed-sample.so" && library != "libchanged-sample.so";
        const ModuleKey key{besideTheSample(qPrintable(library)), hasBuildId ? sampleModule().buildId : std::string()};
        const recording::CodeFrames place = *symbols.find(key, outerEntry(), PlaceKind::Entry);
        QCOMPARE(place.front().function, std::string("sample::outer"));
        QCOMPARE(place.front().line != 0, isFound);
    }
};

int main(int argc, char **argv) {
    const QCoreApplication application(argc, argv);
    // The library for servers is set up when a program begins, by its environment: the reader is a program of its own.
    if (argc == 4 && std::string_view(argv[1]) == "--open") {
        OpenOptions options;
        options.askDebugServers = std::string_view(argv[3]) == "servers";
        try {
            const TracePtr trace = openTrace(argv[2], options, {});
            return std::any_of(trace->regions.begin(), trace->regions.end(),
                               [](const Region &r) { return r.name == "sample::outer"; })
                       ? 0
                       : 1;
        } catch (const std::exception &error) {
            std::fprintf(stderr, "%s\n", error.what());
            return 2;
        }
    }
    TestDebugInformation test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_debuginformation.moc"
