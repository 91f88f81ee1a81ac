// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/DefinitionRecords.h"

#include <cstring>
#include <optional>

namespace laggard::recording {
namespace {

constexpr std::size_t mostHangs = 1000;
constexpr std::size_t mostOffsets = 1000; // a recorder measures twice

const std::string tooShort = "a definition is shorter than it says; it is left out.";
const std::string madeUp = "a definition has an impossible number; it is left out.";

/// `bytes` of text from word `first` of the payload on.
std::optional<std::string> textAt(const Record &record, std::size_t first, std::uint64_t bytes) {
    if (first > record.words || bytes > (record.words - first) * 8)
        return std::nullopt;
    return std::string(reinterpret_cast<const char *>(record.payload + first), static_cast<std::size_t>(bytes));
}

} // namespace

template <typename T> T *DefinitionRecords::place(std::vector<T> &table, std::uint32_t number) {
    if (number >= table.size()) {
        const std::size_t missing = number - table.size();
        if (missing > m_mayMiss || number == nothing)
            return nullptr;
        m_mayMiss -= missing;
        table.resize(number + std::size_t{1});
    }
    return &table[number];
}

std::string DefinitionRecords::addModule(const Record &record) {
    if (record.words < 2)
        return tooShort;
    const auto buildId = textAt(record, 2, low(record.payload[1]));
    const auto path = textAt(record, 2 + (std::uint64_t{low(record.payload[1])} + 7) / 8, high(record.payload[1]));
    if (!buildId || !path)
        return tooShort;
    auto *module = place(m_definitions.modules, record.argument);
    if (module == nullptr)
        return madeUp;
    // So the kernel calls a program that was replaced while it ran. What lies there now may be the same; its build-id tells.
    constexpr std::string_view replaced = " (deleted)";
    const std::string file = path->ends_with(replaced) ? path->substr(0, path->size() - replaced.size()) : *path;
    *module = {record.payload[0], *buildId, file, true};
    return {};
}

std::string DefinitionRecords::addAddress(const Record &record) {
    if (record.words < 2)
        return tooShort;
    auto *address = place(m_definitions.addresses, record.argument);
    if (address == nullptr)
        return madeUp;
    const auto kind = static_cast<AddressKind>(high(record.payload[0]));
    if (kind > AddressKind::Handler)
        return "an address is of an unknown kind; it is left out.";
    if (kind == AddressKind::Operation)
        *address = {nothing, kind, low(record.payload[1]), high(record.payload[1]), true};
    else
        *address = {low(record.payload[0]), kind, record.payload[1], nothing, true};
    return {};
}

std::string DefinitionRecords::addPath(const Record &record) {
    if (record.words < 1)
        return tooShort;
    const std::uint32_t parent = low(record.payload[0]);
    if (parent != nothing && parent >= record.argument)
        return "a call path stands before its caller; it is left out.";
    auto *path = place(m_definitions.paths, record.argument);
    if (path == nullptr)
        return madeUp;
    *path = {parent, high(record.payload[0])};
    return {};
}

std::string DefinitionRecords::addCommunicator(const Record &record) {
    if (record.words < 3)
        return tooShort;
    auto *communicator = place(m_definitions.communicators, record.argument);
    if (communicator == nullptr)
        return madeUp;
    communicator->key = record.payload[0];
    communicator->parent = low(record.payload[1]);
    communicator->size = high(record.payload[1]);
    communicator->flags = low(record.payload[2]);
    communicator->ownRank = high(record.payload[2]);
    communicator->members.clear();
    communicator->known = 0;
    communicator->isDefined = true;
    return {};
}

std::string DefinitionRecords::addMembers(const Record &record) {
    if (record.words < 1 || high(record.payload[0]) > record.words - 1)
        return tooShort;
    auto *communicator = place(m_definitions.communicators, record.argument);
    if (communicator == nullptr)
        return madeUp;
    if (communicator->known != low(record.payload[0]))
        return "members of a communicator are missing before these.";
    for (std::uint32_t i = 0; i < high(record.payload[0]); ++i) {
        const FileDefinitions::Run run{low(record.payload[1 + i]), high(record.payload[1 + i])};
        if (run.length == 0 || run.length > communicator->size - communicator->known)
            return "a communicator has more members than it says; the further ones are left out.";
        communicator->known += run.length;
        communicator->members.push_back(run);
    }
    return {};
}

std::string DefinitionRecords::addWindow(const Record &record) {
    if (record.words < 2)
        return tooShort;
    auto *window = place(m_definitions.windows, record.argument);
    if (window == nullptr)
        return madeUp;
    *window = {record.payload[0], low(record.payload[1]), true};
    return {};
}

std::string DefinitionRecords::addGroup(const Record &record) {
    if (record.words < 1 || high(record.payload[0]) > record.words - 1)
        return tooShort;
    auto *group = place(m_definitions.groups, record.argument);
    if (group == nullptr)
        return madeUp;
    for (std::uint32_t i = 0; i < high(record.payload[0]); ++i)
        group->push_back({low(record.payload[1 + i]), high(record.payload[1 + i])});
    return {};
}

/// One piece after the other; half of a command would be another one.
std::string DefinitionRecords::addCommandLine(const Record &record) {
    if (record.words < 1)
        return tooShort;
    const auto text = textAt(record, 1, low(record.payload[0]));
    if (!text)
        return tooShort;
    m_commandBytes = high(record.payload[0]);
    if (record.argument != m_commandPieces || m_commandPieces == nothing) {
        m_commandPieces = nothing;
        return {};
    }
    ++m_commandPieces;
    m_definitions.commandLine += *text;
    return {};
}

FileDefinitions DefinitionRecords::take() {
    if (m_commandPieces == nothing || m_definitions.commandLine.size() != m_commandBytes ||
        !m_definitions.commandLine.ends_with('\0'))
        m_definitions.commandLine.clear();
    return std::move(m_definitions);
}

std::string DefinitionRecords::addScript(const Record &record) {
    if (record.words < 2)
        return tooShort;
    const std::uint64_t nameWords = (std::uint64_t{high(record.payload[0])} + 7) / 8;
    const auto name = textAt(record, 2, high(record.payload[0]));
    const auto file = textAt(record, 2 + nameWords, record.payload[1]);
    if (!name || !file)
        return tooShort;
    auto *script = place(m_definitions.scripts, record.argument);
    if (script == nullptr)
        return madeUp;
    *script = {*name, *file, low(record.payload[0])};
    return {};
}

std::string DefinitionRecords::add(const Record &record) {
    const auto named = [&](auto &table, std::size_t bytesAt, auto store) -> std::string {
        if (record.words <= bytesAt)
            return tooShort;
        const auto text = textAt(record, bytesAt + 1, record.payload[bytesAt]);
        if (!text)
            return tooShort;
        auto *entry = place(table, record.argument);
        if (entry == nullptr)
            return madeUp;
        store(*entry, *text);
        return {};
    };
    switch (record.kind) {
    case RecordKind::Module:
        return addModule(record);
    case RecordKind::Address:
        return addAddress(record);
    case RecordKind::Path:
        return addPath(record);
    case RecordKind::Operation:
        return named(m_definitions.operations, 0, [](std::string &operation, const std::string &text) { operation = text; });
    case RecordKind::Communicator:
        return addCommunicator(record);
    case RecordKind::Members:
        return addMembers(record);
    case RecordKind::Name:
        return named(m_definitions.communicators, 0,
                     [](FileDefinitions::Communicator &c, const std::string &text) { c.name = text; });
    case RecordKind::Datatype:
        return named(m_definitions.datatypes, 1, [&](FileDefinitions::Datatype &datatype, const std::string &text) {
            const std::size_t last = 2 + (text.size() + 7) / 8;
            datatype = {record.payload[0], text, record.words > last ? low(record.payload[last]) : nothing};
        });
    case RecordKind::Window:
        return addWindow(record);
    case RecordKind::Group:
        return addGroup(record);
    case RecordKind::Script:
        return addScript(record);
    case RecordKind::Hang:
        if (record.words >= 2 && m_definitions.hangs.size() < mostHangs)
            m_definitions.hangs.push_back({record.argument, record.payload[0], record.payload[1]});
        return {};
    case RecordKind::CommandLine:
        return addCommandLine(record);
    case RecordKind::ClockOffset:
        if (record.words >= 3 && m_definitions.clockOffsets.size() < mostOffsets)
            m_definitions.clockOffsets.push_back(
                {record.payload[0], static_cast<std::int64_t>(record.payload[1]), record.payload[2]});
        return {};
    case RecordKind::Neighbour:
        if (record.words >= 2 && m_definitions.neighbours.size() < mostHangs &&
            record.payload[1] <= static_cast<std::uint64_t>(NeighbourState::HasLock))
            m_definitions.neighbours.push_back(
                {static_cast<std::int32_t>(record.argument), record.payload[0], static_cast<NeighbourState>(record.payload[1])});
        return {};
    default:
        return {};
    }
}

} // namespace laggard::recording
