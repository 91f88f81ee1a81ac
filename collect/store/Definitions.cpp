// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Definitions.h"

#include "collect/store/ThreadLog.h"

#include <algorithm>
#include <cstring>
#include <sys/auxv.h>

namespace laggard::collect {

using namespace recording;

namespace {

/// Payload of a definition with texts: words, then bytes padded with zeros to whole words.
class Payload {
  public:
    void word(std::uint64_t value) {
        if (m_count < std::size(m_words))
            m_words[m_count++] = value;
    }
    void bytes(const void *from, std::size_t length) {
        const std::size_t words = (length + 7) / 8;
        if (m_count + words > std::size(m_words))
            return;
        m_words[m_count + (words == 0 ? 0 : words - 1)] = 0;
        std::memcpy(m_words + m_count, from, length);
        m_count += words;
    }
    /// How much of a text of `length` fits when `before` bytes of another follow the words so far.
    [[nodiscard]] std::size_t fitting(std::size_t length, std::size_t reservedWords) const {
        return std::min(length, (std::size(m_words) - m_count - reservedWords) * 8);
    }
    [[nodiscard]] std::span<const std::uint64_t> get() const { return {m_words, m_count}; }

  private:
    std::uint64_t m_words[maxRecordWords - 1];
    std::size_t m_count = 0;
};

std::uint64_t hashOf(const void *bytes, std::size_t length) {
    std::uint64_t state = length;
    const auto *at = static_cast<const unsigned char *>(bytes);
    for (std::size_t i = 0; i < length; ++i)
        state = mixCheck(state, at[i]);
    return state;
}

/// Calls that start MPI, or make or name communicators (DESIGN §6: what explains the others when the ring has turned).
std::uint8_t traitsOfName(const char *name) {
    std::uint8_t traits = 0;
    if (std::strncmp(name, "MPI_", 4) != 0)
        return traits;
    const char *rest = name + 4;
    const auto contains = [&](const char *part) { return std::strstr(rest, part) != nullptr; };
    const bool isCommunicator = std::strncmp(rest, "Comm_", 5) == 0;
    if (std::strncmp(rest, "Init", 4) == 0 ||
        (isCommunicator && (contains("dup") || contains("create") || contains("split") || contains("connect") ||
                            contains("accept") || contains("join") || contains("spawn"))) ||
        contains("Cart_create") || contains("Cart_sub") || contains("raph_create") || std::strncmp(rest, "Intercomm_", 10) == 0)
        traits |= isKept;
    const std::size_t length = std::strlen(rest);
    if (length > 5 && std::strcmp(rest + length - 5, "_init") == 0)
        traits |= initialisesOnly;
    return traits;
}

} // namespace

bool Definitions::reserve(std::size_t words) {
    if (m_open.hasRoom(words))
        return true;
    const std::uint32_t units = m_sequence == 0 ? 1 : 4;
    ChunkHeader *chunk = m_file.addChunk(ChunkKind::Definitions, nothing, units, m_sequence + 1);
    if (chunk == nullptr) {
        m_file.countDropped();
        return false;
    }
    m_open.begin(chunk, ++m_sequence);
    return true;
}

bool Definitions::write(RecordKind kind, std::uint32_t argument, std::span<const std::uint64_t> payload) {
    if (!reserve(payload.size() + 1))
        return false;
    RecordGroup group = m_open.group();
    group.add(kind, argument, payload.data(), payload.size());
    m_open.commit(group);
    return true;
}

void Definitions::forgetIfUnloaded() {
    const std::uint32_t current = generation();
    if (current == m_seenGeneration)
        return;
    m_seenGeneration = current;
    m_modules.forget();
    m_codeIndex.clear();
}

std::uint32_t Definitions::defineModule(Module &module) {
    if (module.number != nothing)
        return module.number;
    const std::size_t pathBytes = std::strlen(module.path);
    const IndexKey key{module.bias, hashOf(module.path, pathBytes), hashOf(module.buildId, module.buildIdBytes)};
    if (const std::uint32_t *known = m_moduleIndex.find(key))
        return module.number = *known;
    Payload payload;
    payload.word(module.bias);
    payload.word(pair(module.buildIdBytes, static_cast<std::uint32_t>(pathBytes)));
    payload.bytes(module.buildId, module.buildIdBytes);
    payload.bytes(module.path, pathBytes);
    if (!write(RecordKind::Module, m_moduleCount, payload.get()))
        return nothing;
    m_moduleIndex.insert(key, m_moduleCount);
    return module.number = m_moduleCount++;
}

void Definitions::defineLoadedModules() {
    const std::lock_guard lock(m_mutex);
    forgetIfUnloaded();
    for (Module &module : m_modules.all())
        static_cast<void>(defineModule(module)); // what does not fit is counted as dropped
}

std::uint32_t Definitions::define(AddressKind kind, std::uint32_t module, std::uint64_t offset) {
    const IndexKey key{offset, module, static_cast<std::uint64_t>(kind)};
    if (const std::uint32_t *known = m_addressIndex.find(key))
        return *known;
    const std::uint64_t payload[] = {pair(module, static_cast<std::uint32_t>(kind)), offset};
    if (!write(RecordKind::Address, m_addressCount, payload))
        return nothing;
    m_addressIndex.insert(key, m_addressCount);
    return m_addressCount++;
}

std::uint32_t Definitions::address(AddressKind kind, std::uintptr_t code) {
    const IndexKey key{code, static_cast<std::uint64_t>(kind), 0};
    if (const std::uint32_t *known = m_codeIndex.find(key))
        return *known;
    // A return address can lie behind the last instruction of its module.
    Module *module = m_modules.find(kind == AddressKind::ReturnSite ? code - 1 : code);
    const std::uint32_t number =
        module == nullptr ? define(kind, nothing, code) : define(kind, defineModule(*module), code - module->bias);
    if (number != nothing)
        m_codeIndex.insert(key, number);
    return number;
}

std::uint32_t Definitions::function(const void *address) {
    const std::lock_guard lock(m_mutex);
    forgetIfUnloaded();
    return this->address(AddressKind::Function, reinterpret_cast<std::uintptr_t>(address));
}

bool Definitions::isOutsideMain(std::uintptr_t address) {
    const std::uintptr_t entry = getauxval(AT_ENTRY);
    if (address >= entry && address < entry + 64)
        return true;
    const Module *module = m_modules.find(address - 1);
    return module != nullptr && module->isSystem;
}

std::uint32_t Definitions::stackPath(const StackFrames &frames) {
    const std::lock_guard lock(m_mutex);
    forgetIfUnloaded();
    std::size_t outermost = frames.count;
    while (outermost > 0 && isOutsideMain(frames.addresses[outermost - 1]))
        --outermost;
    std::uint32_t path = nothing;
    for (std::size_t i = outermost; i-- > 0;) {
        const Module *module = m_modules.find(frames.addresses[i] - 1);
        if (module != nullptr && module->isHidden)
            continue;
        const std::uint32_t frame = frames.isHandlers[i] ? define(AddressKind::Handler, nothing, 0)
                                                         : address(AddressKind::ReturnSite, frames.addresses[i]);
        if (frame != nothing)
            path = childPathLocked(path, frame, nothing);
    }
    return path;
}

std::uint32_t Definitions::childPathLocked(std::uint32_t parent, std::uint32_t address, std::uint32_t operation) {
    const IndexKey key{pair(parent, address), 0, 0};
    if (const std::uint32_t *known = m_pathIndex.find(key))
        return *known;
    const std::size_t block = m_pathCount / pathBlock;
    if (block >= maxPathBlocks) {
        m_file.countDropped();
        return nothing;
    }
    std::uint32_t *operations = m_pathOperations[block].load(std::memory_order_relaxed);
    if (operations == nullptr) {
        operations = static_cast<std::uint32_t *>(newPages(pathBlock * sizeof(std::uint32_t)));
        if (operations == nullptr)
            return nothing;
        m_pathOperations[block].store(operations, std::memory_order_release);
    }
    const std::uint64_t payload[] = {pair(parent, address)};
    if (!write(RecordKind::Path, m_pathCount, payload))
        return nothing;
    operations[m_pathCount % pathBlock] = operation;
    m_pathIndex.insert(key, m_pathCount);
    return m_pathCount++;
}

std::uint32_t Definitions::childPath(std::uint32_t parent, std::uint32_t address) {
    const std::lock_guard lock(m_mutex);
    return address == nothing ? parent : childPathLocked(parent, address, nothing);
}

std::uint32_t Definitions::callPath(std::uint32_t parent, std::uint32_t operation, std::uint32_t datatype) {
    const std::lock_guard lock(m_mutex);
    const std::uint32_t last = define(AddressKind::Operation, nothing, pair(operation, datatype));
    return last == nothing ? nothing : childPathLocked(parent, last, operation);
}

std::uint32_t Definitions::operationOf(std::uint32_t path) const {
    const std::size_t block = path / pathBlock;
    const std::uint32_t *operations = block < maxPathBlocks ? m_pathOperations[block].load(std::memory_order_acquire) : nullptr;
    return operations == nullptr ? nothing : operations[path % pathBlock];
}

std::uint32_t Definitions::operation(const char *name) {
    const std::lock_guard lock(m_mutex);
    Payload payload;
    const std::size_t length = payload.fitting(std::strlen(name), 1);
    payload.word(length);
    payload.bytes(name, length);
    if (m_operationCount == maxOperations || !write(RecordKind::Operation, m_operationCount, payload.get()))
        return nothing;
    m_traits[m_operationCount] = traitsOfName(name);
    return m_operationCount++;
}

std::uint32_t Definitions::datatype(std::uint64_t bytes, const char *name, std::uint32_t basic) {
    const std::lock_guard lock(m_mutex);
    Payload payload;
    payload.word(bytes);
    const std::size_t length = payload.fitting(std::strlen(name), 2);
    payload.word(length);
    payload.bytes(name, length);
    payload.word(basic == ProcessLog::itself ? m_datatypeCount : basic);
    return write(RecordKind::Datatype, m_datatypeCount, payload.get()) ? m_datatypeCount++ : nothing;
}

std::uint32_t Definitions::window(std::uint64_t key, std::uint32_t communicator) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t payload[] = {key, communicator};
    return write(RecordKind::Window, m_windowCount, payload) ? m_windowCount++ : nothing;
}

std::uint32_t Definitions::group(std::span<const std::uint32_t> members) {
    const std::lock_guard lock(m_mutex);
    return writeRanks(RecordKind::Group, m_groupCount, members) ? m_groupCount++ : nothing;
}

std::uint32_t Definitions::communicator(std::uint64_t key, std::uint32_t parent, std::uint32_t flags, std::uint32_t ownRank,
                                        std::span<const std::uint32_t> members) {
    const std::lock_guard lock(m_mutex);
    const std::uint32_t number = m_communicatorCount;
    const std::uint64_t payload[] = {key, pair(parent, static_cast<std::uint32_t>(members.size())), pair(flags, ownRank)};
    if (!write(RecordKind::Communicator, number, payload))
        return nothing;
    ++m_communicatorCount;
    static_cast<void>(writeRanks(RecordKind::Members, number, members));
    return number;
}

/// In as many records as it takes, at least one.
bool Definitions::writeRanks(RecordKind kind, std::uint32_t number, std::span<const std::uint32_t> members) {
    std::size_t at = 0;
    do {
        Payload runs;
        const std::size_t first = at;
        std::uint64_t words[maxRecordWords - 2];
        std::size_t count = 0;
        while (at < members.size() && count < std::size(words)) {
            const std::size_t begin = at;
            while (++at < members.size() && members[at] == members[at - 1] + 1) {
            }
            words[count++] = pair(members[begin], static_cast<std::uint32_t>(at - begin));
        }
        runs.word(pair(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)));
        for (std::size_t i = 0; i < count; ++i)
            runs.word(words[i]);
        if (!write(kind, number, runs.get()))
            return false;
    } while (at < members.size());
    return true;
}

void Definitions::nameCommunicator(std::uint32_t communicator, const char *name) {
    const std::lock_guard lock(m_mutex);
    Payload payload;
    const std::size_t length = payload.fitting(std::strlen(name), 1);
    payload.word(length);
    payload.bytes(name, length);
    write(RecordKind::Name, communicator, payload.get());
}

std::uint32_t Definitions::script(const char *name, const char *file, std::uint32_t line) {
    const std::lock_guard lock(m_mutex);
    Payload payload;
    // The end of a long name or path tells more.
    constexpr std::size_t most = 800;
    const auto lastOf = [](const char *text) {
        const std::size_t length = std::strlen(text);
        return length > most ? text + (length - most) : text;
    };
    name = lastOf(name);
    file = lastOf(file);
    payload.word(pair(line, static_cast<std::uint32_t>(std::strlen(name))));
    payload.word(std::strlen(file));
    payload.bytes(name, std::strlen(name));
    payload.bytes(file, std::strlen(file));
    if (!write(RecordKind::Script, m_scriptCount, payload.get()))
        return nothing;
    return define(AddressKind::Script, nothing, m_scriptCount++);
}

void Definitions::hideInterpreter(const void *code, const char *part) {
    const std::lock_guard lock(m_mutex);
    m_modules.hide(reinterpret_cast<std::uintptr_t>(code), part);
    codeUnloaded(); // what was remembered of stacks holds no longer
}

void Definitions::hang(std::uint32_t path, std::uint64_t time, std::uint64_t ticks) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t payload[] = {time, ticks};
    write(RecordKind::Hang, path, payload);
}

void Definitions::commandLine(std::span<const char> text) {
    const std::lock_guard lock(m_mutex);
    std::size_t at = 0;
    for (std::uint32_t piece = 0; at < text.size(); ++piece) {
        Payload payload;
        const std::size_t length = payload.fitting(text.size() - at, 1);
        payload.word(pair(static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(text.size())));
        payload.bytes(text.data() + at, length);
        if (!write(RecordKind::CommandLine, piece, payload.get()))
            return;
        at += length;
    }
}

void Definitions::clockOffset(std::uint64_t time, std::int64_t offset, std::uint64_t roundTrip) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t payload[] = {time, static_cast<std::uint64_t>(offset), roundTrip};
    write(RecordKind::ClockOffset, 0, payload);
}

void Definitions::neighbour(std::int32_t pid, std::uint64_t time, recording::NeighbourState state) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t payload[] = {time, static_cast<std::uint64_t>(state)};
    write(RecordKind::Neighbour, static_cast<std::uint32_t>(pid), payload);
}

} // namespace laggard::collect
