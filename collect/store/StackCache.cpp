// SPDX-License-Identifier: GPL-3.0-or-later
#define UNW_LOCAL_ONLY
#include "collect/store/StackCache.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <libunwind.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace laggard::collect {

using recording::nothing;

namespace {

#define LAGGARD_TEXT_OF(name) #name
#define LAGGARD_NAME_OF(name) LAGGARD_TEXT_OF(name)

using InitLocal = int (*)(unw_cursor_t *, unw_context_t *);
using Step = int (*)(unw_cursor_t *);
using GetRegister = int (*)(unw_cursor_t *, unw_regnum_t, unw_word_t *);
using IsSignalFrame = int (*)(unw_cursor_t *);
using GetSaveLocation = int (*)(unw_cursor_t *, int, unw_save_loc_t *);
using Flush = void (*)(unw_addr_space_t, unw_word_t, unw_word_t);
using GetAccessors = unw_accessors_t *(*)(unw_addr_space_t);

/// The system looks at the signals that it is given before it refuses what to do with them.
bool isReadable(std::uintptr_t address) {
    constexpr int nothingToDo = ~0;
    const int error = errno;
    const bool isRefused = syscall(SYS_rt_sigprocmask, nothingToDo, address, nullptr, 8) != 0 && errno == EINVAL;
    errno = error;
    return isRefused;
}

/// The page that the thread has read last, while it unwinds.
constinit thread_local std::uintptr_t t_readable __attribute__((tls_model("initial-exec"))) = 0;

/// In the place of libunwind's own, which asks whether memory can be read with a pipe that it keeps open: a program that closes
/// descriptors which are not its own would find a byte of the stack in a file that got the number.
int accessMemory(unw_addr_space_t, unw_word_t address, unw_word_t *value, int writes, void *) {
    constexpr std::uintptr_t page = 4096;
    const auto own = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const std::uintptr_t first = address / page;
    const std::uintptr_t last = (address + sizeof *value - 1) / page;
    if (writes != 0) {
        *reinterpret_cast<unw_word_t *>(address) = *value;
        return 0;
    }
    if (last != t_readable && last != own / page && !isReadable(last * page))
        return -UNW_EINVAL;
    if (first != last && first != t_readable && !isReadable(first * page))
        return -UNW_EINVAL;
    t_readable = last;
    *value = *reinterpret_cast<const unw_word_t *>(address);
    return 0;
}

} // namespace

bool Unwinder::load() {
    void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return false;
    m_initLocal = dlsym(library, LAGGARD_NAME_OF(unw_init_local));
    m_step = dlsym(library, LAGGARD_NAME_OF(unw_step));
    m_register = dlsym(library, LAGGARD_NAME_OF(unw_get_reg));
    m_isSignalFrame = dlsym(library, LAGGARD_NAME_OF(unw_is_signal_frame));
    m_saveLocation = dlsym(library, LAGGARD_NAME_OF(unw_get_save_loc));
    m_flush = dlsym(library, LAGGARD_NAME_OF(unw_flush_cache));
    m_addressSpace = dlsym(library, LAGGARD_NAME_OF(unw_local_addr_space));
    // Where it reads in another way, it is left alone.
    void *getAccessors = dlsym(library, LAGGARD_NAME_OF(unw_get_accessors));
    if (getAccessors != nullptr && m_addressSpace != nullptr)
        if (auto *accessors = reinterpret_cast<GetAccessors>(getAccessors)(*static_cast<unw_addr_space_t *>(m_addressSpace)))
            accessors->access_mem = accessMemory;
    return m_initLocal != nullptr && m_step != nullptr && m_register != nullptr && m_isSignalFrame != nullptr;
}

void Unwinder::takeFrom(const Unwinder &parent) {
    m_initLocal = parent.m_initLocal;
    m_step = parent.m_step;
    m_register = parent.m_register;
    m_isSignalFrame = parent.m_isSignalFrame;
    m_saveLocation = parent.m_saveLocation;
    m_flush = parent.m_flush;
    m_addressSpace = parent.m_addressSpace;
}

void Unwinder::forget() const {
    const std::lock_guard lock(m_mutex);
    if (m_flush != nullptr && m_addressSpace != nullptr)
        reinterpret_cast<Flush>(m_flush)(*static_cast<unw_addr_space_t *>(m_addressSpace), 0, 0);
}

void Unwinder::unwind(void *context, StackFrames &frames, const std::uintptr_t **places) const {
    const std::lock_guard lock(m_mutex);
    frames.count = 0;
    t_readable = 0;
    unw_cursor_t cursor;
    if (reinterpret_cast<InitLocal>(m_initLocal)(&cursor, static_cast<unw_context_t *>(context)) != 0)
        return;
    while (frames.count<StackFrames::most &&reinterpret_cast<Step>(m_step)(&cursor)> 0) {
        unw_word_t address = 0;
        unw_word_t stack = 0;
        if (reinterpret_cast<GetRegister>(m_register)(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            break;
        reinterpret_cast<GetRegister>(m_register)(&cursor, UNW_REG_SP, &stack);
        // A frame that a signal has interrupted was not called: where it was is among the registers that the system has put onto
        // the stack.
        const bool isInterrupted = reinterpret_cast<IsSignalFrame>(m_isSignalFrame)(&cursor) > 0;
        frames.isHandlers[frames.count] = false;
        if (isInterrupted && frames.count > 0) // what the handler returns to is the system's
            frames.isHandlers[frames.count - 1] = true;
        const std::uintptr_t *place = nullptr;
#if defined(__x86_64__)
        // The caller's stack pointer is just above the return address.
        if (!isInterrupted)
            place = reinterpret_cast<const std::uintptr_t *>(stack) - 1;
        else if (unw_save_loc_t saved; m_saveLocation != nullptr &&
                                       reinterpret_cast<GetSaveLocation>(m_saveLocation)(&cursor, UNW_X86_64_RIP, &saved) == 0 &&
                                       saved.type == UNW_SLT_MEMORY)
            place = reinterpret_cast<const std::uintptr_t *>(saved.u.addr);
#endif
        places[frames.count] = place;
        frames.addresses[frames.count++] = address;
    }
}

struct StackCache::Entry {
    Entry *next;
    const std::uintptr_t *base; ///< base of the innermost frame
    std::uint32_t operation;
    std::uint32_t datatype;
    std::uint32_t path;
    std::uint32_t count;
    /// Place on the stack, as words above `base`, and what is there.
    struct Place {
        std::uint64_t above;
        std::uintptr_t address;
    };
    Place places[];
};

void StackCache::begin(Definitions &definitions, const Unwinder &unwinder) {
    m_definitions = &definitions;
    m_unwinder = &unwinder;
    m_buckets = static_cast<Entry **>(newPages(bucketCount * sizeof(Entry *)));
    m_pool = static_cast<char *>(newPages(poolBytes));
    m_generation = definitions.generation();
}

void StackCache::clear() {
    std::memset(static_cast<void *>(m_buckets), 0, bucketCount * sizeof(Entry *));
    m_used = 0;
}

__attribute__((noinline)) std::uint32_t StackCache::find(std::uint32_t operation, std::uint32_t datatype) {
    if (m_buckets == nullptr || m_pool == nullptr)
        return nothing;
    if (m_generation != m_definitions->generation()) {
        clear();
        m_unwinder->forget();
        m_generation = m_definitions->generation();
    }
    const auto *base = static_cast<const std::uintptr_t *>(__builtin_frame_address(0));
    const IndexKey key{reinterpret_cast<std::uintptr_t>(base), reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                       recording::pair(operation, datatype)};
    const std::size_t bucket = key.hash() % bucketCount;
    for (Entry **link = &m_buckets[bucket]; *link != nullptr; link = &(*link)->next) {
        Entry *entry = *link;
        if (entry->base != base || entry->operation != operation || entry->datatype != datatype)
            continue;
        std::uint32_t i = 0;
        while (i < entry->count && base[entry->places[i].above] == entry->places[i].address)
            ++i;
        if (i < entry->count)
            continue;
        // The last one found is looked at first.
        *link = entry->next;
        entry->next = m_buckets[bucket];
        m_buckets[bucket] = entry;
        return entry->path;
    }
    ucontext_t context;
    if (getcontext(&context) != 0)
        return nothing;
    return unwind(operation, datatype, base, bucket, &context);
}

__attribute__((noinline)) std::uint32_t StackCache::unwind(std::uint32_t operation, std::uint32_t datatype,
                                                           const std::uintptr_t *base, std::size_t bucket, void *context) {
    const Undisturbed undisturbed;
    StackFrames frames;
    const std::uintptr_t *places[StackFrames::most];
    m_unwinder->unwind(context, frames, places);
    const std::uint32_t path = m_definitions->callPath(m_definitions->stackPath(frames), operation, datatype);
    // Only what can be checked is remembered: all places known, rising from the innermost frame.
    const std::uintptr_t *last = base;
    for (std::size_t i = 0; i < frames.count; ++i) {
        if (places[i] == nullptr || places[i] <= last || *places[i] != frames.addresses[i])
            return path;
        last = places[i];
    }
    const std::size_t bytes = sizeof(Entry) + frames.count * sizeof(Entry::Place);
    if (path == nothing || frames.count == 0 || bytes > poolBytes)
        return path;
    if (m_used + bytes > poolBytes)
        clear();
    auto *entry = reinterpret_cast<Entry *>(m_pool + m_used);
    m_used += bytes;
    entry->next = m_buckets[bucket];
    entry->base = base;
    entry->operation = operation;
    entry->datatype = datatype;
    entry->path = path;
    entry->count = static_cast<std::uint32_t>(frames.count);
    for (std::size_t i = 0; i < frames.count; ++i)
        entry->places[i] = {static_cast<std::uint64_t>(places[i] - base), frames.addresses[i]};
    m_buckets[bucket] = entry;
    return path;
}

} // namespace laggard::collect
