// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/LiveProcess.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/futex.h>
#include <optional>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace laggard::recording {
namespace {

namespace fs = std::filesystem;

std::string placeOf(std::int32_t pid, const char *what) { return "/proc/" + std::to_string(pid) + "/" + what; }

/// What /proc/PID/stat tells, see proc(5).
struct Status {
    char state = '?';
    std::uint64_t startTicks = 0; ///< since the machine was started, in clock ticks
};

std::optional<Status> statusOf(std::int32_t pid) {
    std::ifstream file(placeOf(pid, "stat"));
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t nameEnd = text.rfind(')'); // names of programs may have anything in them
    if (nameEnd == std::string::npos)
        return std::nullopt;
    constexpr int startTime = 22; // the state is the third
    Status status;
    std::istringstream fields(text.substr(nameEnd + 1));
    fields >> status.state;
    std::string field;
    for (int i = 4; i <= startTime && fields >> field; ++i)
        if (i == startTime)
            status.startTicks = std::strtoull(field.c_str(), nullptr, 10);
    return status;
}

/// Whether the process has the file in its memory and may write to it, as the one that records does: who reads it, perhaps
/// another process with the same number, has it in its memory as well. Nothing if the process does not say, as to other users.
std::optional<bool> hasMapped(std::int32_t pid, const std::string &name) {
    std::ifstream maps(placeOf(pid, "maps"));
    if (!maps)
        return std::nullopt;
    bool hasLines = false;
    for (std::string line; std::getline(maps, line); hasLines = true)
        if (const std::size_t at = line.rfind('/' + name); at != std::string::npos && at + name.size() + 1 == line.size())
            if (line.compare(line.find(' ') + 1, 2, "rw") == 0) // "7f…-7f… rw-s 0000 …", see proc(5)
                return true;
    return hasLines ? std::optional(false) : std::nullopt;
}

/// Nanoseconds since 1970.
std::uint64_t startUtcOf(const Status &status) {
    std::ifstream file("/proc/stat");
    std::uint64_t boot = 0; // seconds since 1970
    for (std::string word; boot == 0 && file >> word;)
        if (word == "btime")
            file >> boot;
    const auto perSecond = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    return (boot + status.startTicks / perSecond) * 1'000'000'000;
}

/// A file's header in memory that the recorder has as well.
class SharedHeader {
  public:
    explicit SharedHeader(const std::string &path) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor < 0)
            return;
        struct stat status {};
        if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
            status.st_size >= static_cast<off_t>(headerBytes))
            if (void *memory = ::mmap(nullptr, headerBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
                memory != MAP_FAILED)
                m_header = static_cast<FileHeader *>(memory);
        ::close(descriptor);
    }
    ~SharedHeader() {
        if (m_header != nullptr)
            ::munmap(m_header, headerBytes);
    }
    SharedHeader(SharedHeader &&other) noexcept : m_header(std::exchange(other.m_header, nullptr)), m_request(other.m_request) {}
    SharedHeader &operator=(SharedHeader &&other) noexcept {
        std::swap(m_header, other.m_header);
        m_request = other.m_request;
        return *this;
    }
    SharedHeader(const SharedHeader &) = delete;
    SharedHeader &operator=(const SharedHeader &) = delete;

    /// False if there is nobody to ask.
    bool ask() {
        if (!takesRequests())
            return false;
        m_request = __atomic_add_fetch(&m_header->captureRequest, 1U, __ATOMIC_ACQ_REL);
        wake();
        return true;
    }
    bool askToEnd(std::uint32_t status) {
        if (!takesRequests())
            return false;
        __atomic_store_n(&m_header->endRequest, status, __ATOMIC_RELEASE);
        wake();
        return true;
    }
    /// Or to a later one.
    [[nodiscard]] bool isAnswered() const {
        return static_cast<std::int32_t>(__atomic_load_n(&m_header->captureAnswer, __ATOMIC_ACQUIRE) - m_request) >= 0;
    }

  private:
    [[nodiscard]] bool takesRequests() const {
        return m_header != nullptr && std::memcmp(m_header->magic, fileMagic, sizeof fileMagic) == 0 &&
               m_header->version > uncheckedVersion && m_header->version <= formatVersion &&
               m_header->byteOrder == byteOrderMark && m_header->takesRequests == 1 &&
               m_header->endKind == static_cast<std::uint32_t>(EndKind::StillOpen);
    }
    void wake() const { syscall(SYS_futex, &m_header->captureRequest, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

    FileHeader *m_header = nullptr;
    std::uint32_t m_request = 0;
};

} // namespace

bool isThisHost(const FileHeader &header) {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && std::string(name, strnlen(name, sizeof header.host - 1)) == header.host;
}

LiveProcess liveProcess(const FileHeader &header, const std::string &path) {
    const std::optional<Status> status = statusOf(header.pid);
    if (!status) // the system may hide other users' processes
        return {header.pid > 0 && ::kill(header.pid, 0) != 0 && errno == EPERM, false};
    if (status->state == 'Z' || status->state == 'X')
        return {};
    constexpr std::uint64_t inexact = 2'000'000'000; // both clocks are of whole seconds or so
    const bool isSame =
        hasMapped(header.pid, fs::path(path).filename().string()).value_or(startUtcOf(*status) <= header.startUtc + inexact);
    return {isSame, isSame && (status->state == 'T' || status->state == 't')};
}

bool askForStacks(const std::vector<std::string> &paths, const Work &work) {
    using namespace std::chrono_literals;
    std::vector<SharedHeader> asked;
    for (const std::string &path : paths)
        if (SharedHeader header(path); header.ask())
            asked.push_back(std::move(header));
    const bool isAny = !asked.empty();
    for (const auto end = std::chrono::steady_clock::now() + 1s; !asked.empty() && std::chrono::steady_clock::now() < end;) {
        throwIfCancelled(work);
        std::this_thread::sleep_for(2ms);
        std::erase_if(asked, [](const SharedHeader &header) { return header.isAnswered(); });
    }
    return isAny;
}

bool askToEnd(const std::string &path, std::uint32_t status) { return SharedHeader(path).askToEnd(status); }

} // namespace laggard::recording
