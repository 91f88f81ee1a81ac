// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CoreFile.h"

#include "ingest/recording/DebugInformation.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <elf.h>
#include <map>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half ownMachine = EM_AARCH64;
#else
constexpr Elf64_Half ownMachine = EM_X86_64;
#endif
constexpr std::uint64_t mostSegments = 1U << 20U;              ///< the kernel's limit of mappings is 65,530 unless it is raised
constexpr std::uint64_t mostNotes = std::uint64_t{256} << 20U; ///< bytes in all: 100,000 threads take 250 MB
constexpr std::size_t mostStack = std::size_t{8} << 20U;       ///< bytes: the usual limit of Linux
constexpr std::size_t mostStrings = std::size_t{6} << 20U;     ///< bytes of arguments and environment (execve(2))

template <typename Value> Value valueAt(const unsigned char *content) {
    Value value{};
    std::memcpy(&value, content, sizeof value);
    return value;
}

void takeRegisters(const prstatus_t &status, ThreadSnapshot &thread) {
#if defined(__aarch64__)
    for (std::size_t i = 0; i < registerCount; ++i)
        thread.registers[i] = status.pr_reg[i];
    thread.counter = status.pr_reg[32];
#else
    // In the order of user_regs_struct (sys/user.h).
    const auto &raw = status.pr_reg;
    thread.registers = {raw[10], raw[12], raw[11], raw[5], raw[13], raw[14], raw[4], raw[19],
                        raw[9],  raw[8],  raw[7],  raw[6], raw[3],  raw[2],  raw[1], raw[0]};
    thread.counter = raw[16];
    thread.pthread = raw[21];
#endif
}

/// What else a file with this beginning may be.
std::string kindOf(const std::array<unsigned char, 8> &begin) {
    static constexpr std::array<unsigned char, 4> zstd = {0x28, 0xB5, 0x2F, 0xFD};
    static constexpr std::array<unsigned char, 4> lz4 = {0x04, 0x22, 0x4D, 0x18};
    const auto startsWith = [&](const auto &bytes) { return std::equal(bytes.begin(), bytes.end(), begin.begin()); };
    if (startsWith(zstd))
        return "is compressed (zstd): unpack it first, or let coredumpctl do that";
    if (startsWith(lz4))
        return "is compressed (lz4): unpack it first, or let coredumpctl do that";
    if (begin[0] == 0x1F && begin[1] == 0x8B)
        return "is compressed (gzip): unpack it first";
    return "is no core file";
}

/// Signals that a process gets for what it does itself (sigaction(2), si_code).
int faultOf(const siginfo_t &signal) {
    const bool isFault = signal.si_signo == SIGSEGV || signal.si_signo == SIGBUS || signal.si_signo == SIGFPE ||
                         signal.si_signo == SIGILL || signal.si_signo == SIGTRAP || signal.si_signo == SIGSYS;
    const bool isAbort = signal.si_signo == SIGABRT && signal.si_code == SI_TKILL;
    return (isFault && signal.si_code > 0) || isAbort ? signal.si_signo : 0;
}

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }

} // namespace

CoreFile::CoreFile(const std::string &path) : m_path(path) {
    struct stat status {};
    m_file = recording::openRegular(path, status);
    if (m_file < 0)
        throw BadCore("The core file \"" + path + "\" cannot be opened, or is no file.");
    m_size = static_cast<std::uint64_t>(status.st_size);
    try {
        readHeaders();
    } catch (...) {
        ::close(m_file);
        throw;
    }
}

CoreFile::~CoreFile() { ::close(m_file); }

std::size_t CoreFile::readFile(std::uint64_t offset, void *into, std::size_t size) const {
    std::size_t done = 0;
    while (done < size && offset + done < m_size) {
        const ssize_t got =
            ::pread(m_file, static_cast<unsigned char *>(into) + done, size - done, static_cast<off_t>(offset + done));
        if (got <= 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void CoreFile::readHeaders() {
    const auto fail = [&](const std::string &why) { throw BadCore("The file \"" + m_path + "\" " + why + '.'); };
    std::array<unsigned char, 8> begin{};
    Elf64_Ehdr header{};
    const bool hasBegin = readFile(0, begin.data(), begin.size()) == begin.size();
    if (!hasBegin || std::memcmp(begin.data(), ELFMAG, SELFMAG) != 0)
        fail(m_size == 0 ? "is empty" : kindOf(begin));
    if (begin[EI_CLASS] == ELFCLASS32)
        fail("is the core of a 32-bit program, which is not read");
    if (readFile(0, &header, sizeof header) != sizeof header || header.e_type != ET_CORE)
        fail("is a program or library, no core file");
    if (header.e_machine != ownMachine || begin[EI_DATA] != ELFDATA2LSB)
        fail("is the core of another kind of machine, which is not read here");
    std::uint64_t count = header.e_phnum;
    Elf64_Shdr first{};
    if (count == PN_XNUM && readFile(header.e_shoff, &first, sizeof first) == sizeof first)
        count = first.sh_info; // as elf(5) has it for more than 65,534
    if (header.e_phentsize != sizeof(Elf64_Phdr) || count > mostSegments || header.e_phoff > m_size)
        fail("is damaged: its table of segments cannot be");
    std::vector<Elf64_Phdr> table(static_cast<std::size_t>(std::min(count, (m_size - header.e_phoff) / sizeof(Elf64_Phdr))));
    table.resize(readFile(header.e_phoff, table.data(), table.size() * sizeof(Elf64_Phdr)) / sizeof(Elf64_Phdr));
    for (const Elf64_Phdr &each : table)
        if (each.p_type == PT_LOAD && each.p_memsz != 0 && each.p_vaddr + each.p_memsz > each.p_vaddr) {
            m_segments.push_back({each.p_vaddr, each.p_vaddr + each.p_memsz, each.p_offset, std::min(each.p_filesz, each.p_memsz),
                                  (each.p_flags & PF_W) != 0});
            if (each.p_filesz != 0 && each.p_offset + each.p_filesz > each.p_offset)
                m_needed = std::max(m_needed, each.p_offset + each.p_filesz);
        }
    std::ranges::sort(m_segments, {}, &Segment::begin);
    std::uint64_t notes = mostNotes;
    for (const Elf64_Phdr &each : table)
        if (each.p_type == PT_NOTE) {
            const std::uint64_t size = std::min(each.p_filesz, notes);
            readNotes(each.p_offset, size);
            notes -= size;
        }
    if (m_threads.empty())
        fail(m_needed > m_size ? "is cut off before the registers of a thread" : "has no thread");
}

void CoreFile::readNotes(std::uint64_t offset, std::uint64_t size) {
    if (offset >= m_size)
        return;
    std::vector<unsigned char> notes(static_cast<std::size_t>(std::min(size, m_size - offset)));
    notes.resize(readFile(offset, notes.data(), notes.size()));
    const auto aligned = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    for (std::size_t at = 0; notes.size() - at >= sizeof(Elf64_Nhdr);) {
        const auto header = valueAt<Elf64_Nhdr>(notes.data() + at);
        const std::size_t content = at + sizeof header + aligned(header.n_namesz);
        if (content > notes.size() || header.n_descsz > notes.size() - content)
            return;
        readNote(header.n_type, notes.data() + content, header.n_descsz);
        at = std::min(notes.size(), content + aligned(header.n_descsz));
    }
}

void CoreFile::readNote(std::uint32_t type, const unsigned char *content, std::size_t size) {
    if (type == NT_PRSTATUS && size >= sizeof(prstatus_t)) {
        const auto status = valueAt<prstatus_t>(content);
        ThreadSnapshot thread;
        thread.thread = status.pr_pid;
        takeRegisters(status, thread);
        m_threads.push_back(std::move(thread));
    } else if (type == NT_PRPSINFO && size >= sizeof(prpsinfo_t)) {
        const auto info = valueAt<prpsinfo_t>(content);
        m_process = info.pr_pid;
        m_command.assign(info.pr_fname, ::strnlen(info.pr_fname, sizeof info.pr_fname));
    } else if (type == NT_SIGINFO && size >= sizeof(siginfo_t))
        m_fault = m_fault != 0 ? m_fault : faultOf(valueAt<siginfo_t>(content));
    else if (type == NT_AUXV)
        readAuxiliary(content, size);
    else if (type == NT_FILE)
        readMappedFiles(content, size);
}

void CoreFile::readAuxiliary(const unsigned char *content, std::size_t size) {
    m_auxiliary.assign(content, content + size);
    for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= size; at += sizeof(Elf64_auxv_t)) {
        const auto entry = valueAt<Elf64_auxv_t>(content + at);
        if (entry.a_type == AT_ENTRY)
            m_entry = entry.a_un.a_val;
        else if (entry.a_type == AT_SYSINFO_EHDR)
            m_kernelsOwn = entry.a_un.a_val;
        else if (entry.a_type == AT_EXECFN)
            m_insideStrings = entry.a_un.a_val;
    }
}

/// count, page size; count times begin, end, offset in pages; count paths, each with a zero byte (core(5)).
void CoreFile::readMappedFiles(const unsigned char *content, std::size_t size) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (size < 2 * word)
        return;
    const auto count = valueAt<std::uint64_t>(content);
    const auto page = valueAt<std::uint64_t>(content + word);
    if (count > (size - 2 * word) / (3 * word))
        return;
    const char *path = reinterpret_cast<const char *>(content) + 2 * word + count * 3 * word;
    const char *end = reinterpret_cast<const char *>(content) + size;
    for (std::uint64_t i = 0; i < count && path < end; ++i) {
        const unsigned char *entry = content + 2 * word + i * 3 * word;
        const std::size_t length = ::strnlen(path, static_cast<std::size_t>(end - path));
        m_mapped.push_back({valueAt<std::uint64_t>(entry), valueAt<std::uint64_t>(entry + word),
                            valueAt<std::uint64_t>(entry + 2 * word) * page, std::string(path, length)});
        path += length + 1;
    }
}

const CoreFile::Segment *CoreFile::segmentOf(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(m_segments, address, {}, &Segment::begin);
    return after == m_segments.begin() || address >= std::prev(after)->end ? nullptr : &*std::prev(after);
}

std::size_t CoreFile::read(std::uint64_t address, void *into, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const Segment *segment = segmentOf(address + done);
        if (segment == nullptr || address + done - segment->begin >= segment->inFile)
            break;
        const std::uint64_t inside = address + done - segment->begin;
        const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, segment->inFile - inside));
        const std::size_t got = readFile(segment->offset + inside, static_cast<unsigned char *>(into) + done, wanted);
        done += got;
        if (got < wanted)
            break;
    }
    return done;
}

std::string CoreFile::maps() const {
    std::map<std::uint64_t, std::string> lines; // by where they begin, as the kernel has them
    std::array<char, 96> line{};
    const auto add = [&](std::uint64_t begin, std::uint64_t end, const char *rights, std::uint64_t offset,
                         const std::string &path) {
        std::snprintf(line.data(), line.size(), "%llx-%llx %s %llx 00:00 0 ", static_cast<unsigned long long>(begin),
                      static_cast<unsigned long long>(end), rights, static_cast<unsigned long long>(offset));
        lines[begin] = line.data() + path + '\n';
    };
    for (const Segment &each : m_segments) // without a file behind them, unless one is told below
        if (each.isWritable)
            add(each.begin, each.end, "rw-p", 0, {});
    for (const MappedFile &each : m_mapped) {
        const Segment *segment = segmentOf(each.begin);
        constexpr std::string_view gone = " (deleted)";
        add(each.begin, each.end, segment != nullptr && segment->isWritable ? "rw-p" : "r-xp", each.offset,
            each.path.ends_with(gone) ? each.path.substr(0, each.path.size() - gone.size()) : each.path);
    }
    if (const Segment *own = segmentOf(m_kernelsOwn); own != nullptr)
        add(own->begin, own->end, "r-xp", 0, "[vdso]");
    std::string text;
    for (const auto &[begin, each] : lines)
        text += each;
    return text;
}

ProcessSnapshot CoreFile::snapshot(std::uint64_t mostStacks) const {
    ProcessSnapshot snapshot;
    snapshot.maps = maps();
    snapshot.threads = m_threads;
    std::size_t withoutStack = 0;
    std::uint64_t room = mostStacks;
    for (ThreadSnapshot &thread : snapshot.threads) {
        const std::uint64_t pointer = thread.registers[stackRegister];
        const Segment *segment = segmentOf(pointer);
        thread.stackAddress = segment == nullptr ? pointer : std::max(segment->begin, pointer - redZone);
        const std::uint64_t size =
            segment == nullptr ? 0 : std::min<std::uint64_t>({segment->end - thread.stackAddress, mostStack, room});
        thread.stack.resize(static_cast<std::size_t>(size));
        thread.stack.resize(read(thread.stackAddress, thread.stack.data(), thread.stack.size()));
        thread.stack.shrink_to_fit();
        room -= thread.stack.size();
        withoutStack += thread.stack.empty() ? 1 : 0;
    }
    std::stable_partition(snapshot.threads.begin(), snapshot.threads.end(),
                          [&](const ThreadSnapshot &each) { return each.thread == m_process; });
    const std::string which = "The core file \"" + m_path + "\" ";
    if (m_needed > m_size)
        snapshot.complaint =
            which + "is cut off: of " + megabytes(m_needed) + " there are " + megabytes(m_size) +
            (withoutStack != 0 ? ", and stacks are missing (ulimit -c, or a full disk)." : "; the stacks are there.");
    else if (room == 0)
        snapshot.complaint = which + "has stacks of more than " + megabytes(mostStacks) + ": not all of them are read.";
    else if (withoutStack != 0)
        snapshot.complaint = which + "has no stack of some threads (coredump_filter in core(5)).";
    if (m_mapped.empty())
        snapshot.complaint +=
            (snapshot.complaint.empty() ? "" : " ") + which + "does not tell which files were mapped: functions are not known.";
    return snapshot;
}

std::string CoreFile::environment() const {
    // On the first stack, from low addresses: the arguments, 0, the environment, 0, the auxiliary vector (System V ABI §3.4.1).
    const Segment *segment = m_insideStrings == 0 ? nullptr : segmentOf(m_insideStrings);
    constexpr std::size_t word = sizeof(std::uint64_t);
    const std::size_t pattern = std::min<std::size_t>(m_auxiliary.size(), 4 * sizeof(Elf64_auxv_t));
    if (segment == nullptr || pattern < 2 * sizeof(Elf64_auxv_t))
        return {};
    const std::uint64_t begin = segment->end - segment->begin > mostStrings ? segment->end - mostStrings : segment->begin;
    std::vector<unsigned char> top(static_cast<std::size_t>(segment->end - begin));
    top.resize(read(begin, top.data(), top.size()));
    const auto found =
        std::search(top.begin(), top.end(), m_auxiliary.begin(), m_auxiliary.begin() + static_cast<std::ptrdiff_t>(pattern));
    if (found == top.end())
        return {};
    std::vector<std::uint64_t> pointers;
    for (auto at = static_cast<std::size_t>(found - top.begin()); at >= 2 * word; at -= word) {
        const auto pointer = valueAt<std::uint64_t>(top.data() + at - 2 * word); // the word before the vector is 0
        if (pointer < begin || pointer >= segment->end)
            break;
        pointers.push_back(pointer);
    }
    std::string environment;
    for (auto pointer = pointers.rbegin(); pointer != pointers.rend(); ++pointer) {
        const auto *text = reinterpret_cast<const char *>(top.data()) + (*pointer - begin);
        const std::size_t rest = *pointer - begin < top.size() ? top.size() - static_cast<std::size_t>(*pointer - begin) : 0;
        environment.append(text, ::strnlen(text, rest)) += '\0';
    }
    return environment;
}

} // namespace laggard::attach
