// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/CoreBytes.h"

#include <csignal>
#include <cstring>
#include <elf.h>
#include <sys/procfs.h>

namespace laggard::test {

namespace {

void append(std::string &to, const void *bytes, std::size_t size) { to.append(static_cast<const char *>(bytes), size); }

void appendNote(std::string &notes, std::uint32_t type, const std::string &content) {
    const Elf64_Nhdr header = {5, static_cast<Elf64_Word>(content.size()), type};
    append(notes, &header, sizeof header);
    notes.append("CORE\0\0\0\0", 8);
    notes += content;
    notes.resize((notes.size() + 3) / 4 * 4);
}

} // namespace

std::string coreOf(const CoreSample &sample) {
    // The stack: room, argument, 0, environment, 0, auxiliary vector, strings.
    std::string stack(5000, 'x');
    stack.resize((stack.size() + 7) / 8 * 8);
    std::string strings;
    const std::size_t words = 2 + sample.environment.size() + 1;
    const std::uint64_t auxiliaryAt = stackBegin + stack.size() + words * 8;
    const std::uint64_t stringsAt = auxiliaryAt + 4 * sizeof(Elf64_auxv_t);
    std::vector<std::uint64_t> vector = {stringsAt, 0};
    strings = std::string("program") + '\0';
    for (const std::string &each : sample.environment) {
        vector.push_back(stringsAt + strings.size());
        strings += each + '\0';
    }
    vector.push_back(0);
    append(stack, vector.data(), vector.size() * 8);
    const Elf64_auxv_t auxiliary[4] = {{AT_ENTRY, {0x401000}}, {AT_PAGESZ, {4096}}, {AT_EXECFN, {stringsAt}}, {AT_NULL, {0}}};
    append(stack, auxiliary, sizeof auxiliary);
    stack += strings;
    stack.resize(stackSize);

    std::string notes;
    prstatus_t status{};
    status.pr_pid = 4711;
#if defined(__aarch64__)
    status.pr_reg[31] = stackPointer;
    status.pr_reg[32] = 0x401234;
#else
    status.pr_reg[19] = stackPointer;
    status.pr_reg[16] = 0x401234;
#endif
    for (int i = 0; i < sample.threads; ++i)
        appendNote(notes, NT_PRSTATUS, std::string(reinterpret_cast<const char *>(&status), sizeof status));
    prpsinfo_t info{};
    info.pr_pid = 4711;
    std::strcpy(info.pr_fname, "solver");
    appendNote(notes, NT_PRPSINFO, std::string(reinterpret_cast<const char *>(&info), sizeof info));
    siginfo_t signal{};
    signal.si_signo = sample.signal;
    signal.si_code = sample.code;
    appendNote(notes, NT_SIGINFO, std::string(reinterpret_cast<const char *>(&signal), sizeof signal));
    appendNote(notes, NT_AUXV, std::string(reinterpret_cast<const char *>(auxiliary), sizeof auxiliary));
    if (sample.hasMappedFiles) {
        const std::uint64_t files[5] = {1, 4096, 0x400000, 0x402000, 0};
        std::string mapped(reinterpret_cast<const char *>(files), sizeof files);
        mapped.append("/opt/solver (deleted)").push_back('\0');
        appendNote(notes, NT_FILE, mapped);
    }
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_CORE;
#if defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#else
    header.e_machine = EM_X86_64;
#endif
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    const std::uint64_t notesAt = sizeof header + 2 * sizeof(Elf64_Phdr);
    const Elf64_Phdr segments[2] = {{PT_NOTE, 0, notesAt, 0, 0, notes.size(), 0, 4},
                                    {PT_LOAD, PF_R | PF_W, notesAt + notes.size(), stackBegin, 0, stackSize, stackSize, 4096}};
    std::string core;
    append(core, &header, sizeof header);
    append(core, segments, sizeof segments);
    return core + notes + stack;
}

} // namespace laggard::test
