// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Attendance.h"

#include "collect/store/SystemCalls.h"
#include "collect/store/ThreadLog.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::collect::mpi {
namespace {

constexpr Ticks second = 1'000'000'000;
/// Ranks come out of MPI_Init at about the same time; a file is seen elsewhere within a second where the file system is quick.
constexpr Ticks patience = 2 * second;
/// Rank 0 has taken this rank at its word, and says at once what it has decided. File systems that keep what they know of names
/// for a while (NFS: 60 s by default) show it late.
constexpr Ticks patienceOnceSeen = 120 * second;
/// What an earlier job left in the same folder is not this job's.
constexpr std::int64_t longestApart = 60;

constexpr char seen[] = ".seen";
constexpr char together[] = ".yes";
constexpr char alone[] = ".no";

void pauseFor(Ticks ticks) {
    const timespec time{static_cast<time_t>(ticks / second), static_cast<long>(ticks % second)};
    nanosleep(&time, nullptr);
}

/// Longer and longer pauses: thousands of ranks ask one file system.
class Pauses {
  public:
    explicit Pauses(Ticks longest) : m_until(now() + longest) {}
    [[nodiscard]] bool another() {
        if (now() >= m_until)
            return false;
        pauseFor(m_length);
        m_length = std::min<Ticks>(2 * m_length, second / 5);
        return true;
    }

  private:
    Ticks m_until;
    Ticks m_length = second / 1000;
};

bool exists(const std::string &path) { return ::access(path.c_str(), F_OK) == 0; }

std::string contentsOf(const std::string &path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    char text[256];
    const long length = readFrom(file, text, sizeof text);
    ::close(file);
    return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : std::string();
}

/// When it was made, by the clock of the file system; negative if it is not there.
std::int64_t madeAt(const std::string &path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<std::int64_t>(status.st_mtime) : -1;
}

} // namespace

Attendance::Attendance(std::string folder, std::uint32_t rank, std::uint32_t size)
    : m_folder(std::move(folder) + "/.attendance"), m_rank(rank), m_size(size) {
    std::uint64_t unique = 0;
    if (getrandom(&unique, sizeof unique, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof unique))
        unique = now() ^ static_cast<std::uint64_t>(getpid()) << 40U;
    char name[64];
    std::snprintf(name, sizeof name, "%u-%016llx", rank, static_cast<unsigned long long>(unique));
    m_name = name;
}

bool Attendance::agree(const std::string &machine, bool evenOnOneMachine) {
    if (!say(machine))
        return false;
    const bool isAgreed = m_rank == 0 ? decide(evenOnOneMachine) : waitForDecision();
    ::rmdir(m_folder.c_str()); // the last one succeeds
    return isAgreed;
}

bool Attendance::say(const std::string &machine) {
    ::mkdir(m_folder.c_str(), 0700);
    // Made under another name, so that nobody sees half of it.
    const std::string half = place("." + m_name);
    const int file = ::open(half.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    const bool isWritten = ::write(file, machine.data(), machine.size()) == static_cast<ssize_t>(machine.size());
    ::close(file);
    if (isWritten && ::rename(half.c_str(), place(m_name).c_str()) == 0)
        return true;
    ::unlink(half.c_str());
    return false;
}

/// False where some rank is not there, or is there twice.
bool Attendance::findAll() {
    m_found.assign(m_size, {});
    m_found[0] = m_name;
    const std::int64_t own = madeAt(place(m_name));
    DIR *folder = ::opendir(m_folder.c_str());
    if (folder == nullptr)
        return false;
    bool isClear = true;
    while (const dirent *entry = ::readdir(folder)) {
        const std::string name = entry->d_name;
        char *end = nullptr;
        const unsigned long rank = std::strtoul(name.c_str(), &end, 10);
        if (*end != '-' || name.find('.') != std::string::npos || rank == 0 || rank >= m_size)
            continue;
        const std::int64_t made = madeAt(place(name));
        if (made < 0 || std::max(made, own) - std::min(made, own) > longestApart)
            continue;
        isClear = isClear && m_found[rank].empty();
        m_found[rank] = name;
    }
    ::closedir(folder);
    return isClear && std::none_of(m_found.begin(), m_found.end(), [](const std::string &name) { return name.empty(); });
}

bool Attendance::decide(bool evenOnOneMachine) {
    Pauses pauses(patience);
    bool isAgreed = findAll();
    while (!isAgreed && pauses.another())
        isAgreed = findAll();
    if (isAgreed) {
        for (const std::string &name : m_found)
            m_machines.push_back(contentsOf(place(name)));
        std::uint32_t asked = 1;
        while (asked < m_size && ::rename(place(m_found[asked]).c_str(), place(m_found[asked] + seen).c_str()) == 0)
            ++asked;
        const bool isOneMachine = std::all_of(m_machines.begin(), m_machines.end(),
                                              [this](const std::string &machine) { return machine == m_machines.front(); });
        isAgreed = asked == m_size && (evenOnOneMachine || !isOneMachine);
        for (std::uint32_t rank = 1; rank < asked; ++rank)
            ::rename(place(m_found[rank] + seen).c_str(), place(m_found[rank] + (isAgreed ? together : alone)).c_str());
    }
    ::unlink(place(m_name).c_str());
    return isAgreed;
}

bool Attendance::waitForDecision() {
    const std::string yes = place(m_name + together);
    const std::string no = place(m_name + alone);
    const auto isDecided = [&] { return exists(yes) || exists(no); };
    Pauses pauses(patience);
    while (!isDecided() && pauses.another()) {
    }
    if (!isDecided()) {
        // Rank 0 has not asked so far: if it has not even now, it cannot any more.
        if (const std::string late = place("." + m_name + ".late"); ::rename(place(m_name).c_str(), late.c_str()) == 0) {
            ::unlink(late.c_str());
            return false;
        }
        Pauses more(patienceOnceSeen);
        while (!isDecided() && more.another()) {
        }
    }
    const bool isAgreed = exists(yes);
    ::unlink(isAgreed ? yes.c_str() : no.c_str());
    return isAgreed;
}

} // namespace laggard::collect::mpi
