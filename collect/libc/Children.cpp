// SPDX-License-Identifier: GPL-3.0-or-later
// Children: made, and waited for. Those made by fork() have a recording of their own from here on, and those that become another
// program from its start.
#include "collect/libc/Wrapper.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard::collect;

LAGGARD_WRAPPER pid_t fork() noexcept {
    LAGGARD_REAL(fork)
    LAGGARD_CALL(fork, -1);
    const pid_t child = real();
    if (child != 0)
        return call.returns(child);
    call.returnsInChild(__builtin_return_address(0));
    return 0;
}

/// What comes before the C library's vfork(): returns that function. The child comes back first, on this very stack, so that the
/// wrapper must not be there any more; the call is recorded as if it returned at once, without the child's number.
extern "C" __attribute__((visibility("hidden"), used)) void *laggardBeforeVfork(const void *caller) { // NOLINT: called below
    const void *real = originalOf(LibcFunction::vfork);
    LibraryCall call(LibcFunction::vfork, caller, -1);
    call.returnsUnknown();
    vforkBegins();
    return const_cast<void *>(real);
}

// As it is called, with the program's own return address on top of the stack, the library's function is gone to.
#if defined(__x86_64__)
asm(R"(
    .text
    .globl vfork
    .type vfork, @function
vfork:
    .cfi_startproc
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq 8(%rsp), %rdi
    call laggardBeforeVfork
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size vfork, . - vfork
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl vfork
    .type vfork, %function
vfork:
    .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x0, x30
    bl laggardBeforeVfork
    ldp x29, x30, [sp], 16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    br x0
    .cfi_endproc
    .size vfork, . - vfork
)");
#endif

LAGGARD_WRAPPER int posix_spawn(pid_t *__restrict pid, const char *__restrict path,
                                const posix_spawn_file_actions_t *__restrict actions,
                                const posix_spawnattr_t *__restrict attributes, char *const arguments[__restrict_arr],
                                char *const environment[__restrict_arr]) {
    const auto real = LAGGARD_ORIGINAL(posix_spawn);
    if (real == nullptr)
        return ENOSYS;
    LAGGARD_CALL(posix_spawn, -1);
    pid_t child = 0;
    const int error = real(&child, path, actions, attributes, arguments, environment);
    if (error == 0 && pid != nullptr)
        *pid = child;
    return call.returnsError(error, child);
}
LAGGARD_WRAPPER int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    const auto real = LAGGARD_ORIGINAL(posix_spawnp);
    if (real == nullptr)
        return ENOSYS;
    LAGGARD_CALL(posix_spawnp, -1);
    pid_t child = 0;
    const int error = real(&child, file, actions, attributes, arguments, environment);
    if (error == 0 && pid != nullptr)
        *pid = child;
    return call.returnsError(error, child);
}

LAGGARD_WRAPPER pid_t wait(int *status) {
    LAGGARD_REAL(wait)
    LAGGARD_CALL(wait, -1, -1);
    return call.returns(real(status));
}
LAGGARD_WRAPPER pid_t waitpid(pid_t pid, int *status, int options) {
    LAGGARD_REAL(waitpid)
    LAGGARD_CALL(waitpid, -1, pid);
    return call.returns(real(pid, status, options));
}
LAGGARD_WRAPPER pid_t wait3(int *status, int options, rusage *usage) noexcept {
    LAGGARD_REAL(wait3)
    LAGGARD_CALL(wait3, -1, -1);
    return call.returns(real(status, options, usage));
}
LAGGARD_WRAPPER pid_t wait4(pid_t pid, int *status, int options, rusage *usage) noexcept {
    LAGGARD_REAL(wait4)
    LAGGARD_CALL(wait4, -1, pid);
    return call.returns(real(pid, status, options, usage));
}
LAGGARD_WRAPPER int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
    LAGGARD_REAL(waitid)
    LAGGARD_CALL(waitid, -1, static_cast<std::int64_t>(id));
    return call.returns(real(type, id, info, options));
}
