// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/CodeTables.h"

#include "ingest/recording/Operations.h"

#include <algorithm>

namespace laggard::recording {
namespace {

constexpr std::size_t deepestPath = 256; ///< frames; a deeper stack keeps its innermost

/// Python calls all of a kind "<module>" or "<lambda>": the name with the module, or the line, tells them apart.
std::string nameOf(const FileDefinitions::Script &script) {
    if (!script.name.ends_with('>') || script.name.empty())
        return script.name;
    std::string which = std::to_string(script.line);
    if (script.name == "<module>") {
        which = script.file.substr(script.file.rfind('/') + 1);
        which = which.substr(0, which.rfind(".py"));
    }
    return script.name.substr(0, script.name.size() - 1) + ' ' + which + '>';
}

} // namespace

RegionId CodeTables::region(const CodeFrame &frame) {
    const std::lock_guard lock(m_mutex);
    const auto [entry, isNew] =
        m_regionOf.try_emplace({false, frame.function, frame.file, frame.line}, static_cast<RegionId>(m_regions.size()));
    if (isNew) {
        Region region;
        region.name = frame.function;
        region.canonicalName = frame.linkage;
        region.file = frame.file;
        region.line = frame.line;
        region.role = RegionRole::Function;
        region.paradigm = Paradigm::Compiler;
        m_regions.push_back(std::move(region));
    }
    return entry->second;
}

RegionId CodeTables::operation(const std::string &name) {
    const std::lock_guard lock(m_mutex);
    const auto [entry, isNew] = m_regionOf.try_emplace({true, name, {}, 0}, static_cast<RegionId>(m_regions.size()));
    if (isNew)
        m_regions.push_back(regionOfOperation(name));
    return entry->second;
}

CallSiteId CodeTables::site(const std::string &file, std::uint32_t line, const std::string &datatype) {
    const bool hasLine = !file.empty() && line != 0;
    if (!hasLine && datatype.empty())
        return none;
    const std::lock_guard lock(m_mutex);
    const auto [entry, isNew] =
        m_siteOf.try_emplace({hasLine ? file : "", hasLine ? line : 0, datatype}, static_cast<CallSiteId>(m_siteOf.size()));
    if (isNew)
        m_sites.push_back(&entry->first);
    return entry->second;
}

CallSiteId CodeTables::withDatatype(CallSiteId place, const std::string &datatype) {
    std::string file;
    std::uint32_t line = 0;
    if (place != none) {
        const std::lock_guard lock(m_mutex);
        file = std::get<0>(*m_sites[place]);
        line = std::get<1>(*m_sites[place]);
    }
    return site(file, line, datatype);
}

CallSiteId CodeTables::lineIn(RegionId function, std::uint32_t line, CallSiteId like) {
    std::string file;
    std::string datatype;
    {
        const std::lock_guard lock(m_mutex);
        file = m_regions[function].file;
        if (like != none)
            datatype = std::get<2>(*m_sites[like]);
    }
    return site(file, line, datatype);
}

Frame CodeTables::frameOf(RegionId function, CallSiteId place) {
    const std::lock_guard lock(m_mutex);
    const Region &region = m_regions[function];
    if (place == none)
        return {region.name, region.file, region.line};
    return {region.name, std::get<0>(*m_sites[place]), std::get<1>(*m_sites[place])};
}

std::uint32_t CodeTables::name(const std::string &text) {
    if (text.empty())
        return none;
    const std::lock_guard lock(m_mutex);
    return m_names.try_emplace(text, static_cast<std::uint32_t>(m_names.size())).first->second;
}

void CodeTables::settleNames(Trace &trace) {
    std::vector<std::uint32_t> numbers(m_names.size());
    for (const auto &[name, number] : m_names) {
        numbers[number] = static_cast<std::uint32_t>(trace.names.size());
        trace.names.push_back(name);
    }
    const auto renumber = [&](CollectiveKind &kind) {
        for (std::uint32_t *name : {&kind.reduction, &kind.basicType, &kind.call})
            *name = *name == none ? none : numbers[*name];
    };
    for (Location &location : trace.locations) {
        std::ranges::for_each(location.events.collectiveKinds, renumber);
        if (location.events.openParts)
            renumber(location.events.openParts->collective);
    }
}

void CodeTables::settle(Trace &trace, std::vector<CallPathTable> &tables) {
    std::vector<RegionId> regionNumber(m_regions.size());
    for (const auto &[key, number] : m_regionOf) {
        regionNumber[number] = static_cast<RegionId>(trace.regions.size());
        trace.regions.push_back(m_regions[number]);
    }
    std::vector<CallSiteId> siteNumber(m_siteOf.size());
    for (const auto &[place, number] : m_siteOf) {
        siteNumber[number] = static_cast<CallSiteId>(trace.callSites.size());
        trace.callSites.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place)});
    }
    for (CallPathTable &table : tables) {
        CallPathTable settled; // numbers are exchanged one for one, so the call paths keep theirs
        for (CallPathId id = 0; id < table.size(); ++id)
            settled.intern(table[id].parent, regionNumber[table[id].region],
                           table[id].site == none ? none : siteNumber[table[id].site]);
        table = std::move(settled);
    }
    settleNames(trace);
    for (Location &location : trace.locations)
        if (CallSiteId &site = location.events.stoppedAt; site != none)
            site = siteNumber[site];
}

FileCode::FileCode(const FileDefinitions &definitions, CodeTables &tables)
    : m_definitions(definitions),
      m_tables(tables),
      m_addresses(definitions.addresses.size()),
      m_paths(definitions.paths.size()) {}

const std::string &FileCode::operationName(std::uint32_t number) const {
    static const std::string unknown;
    return number < m_definitions.operations.size() ? m_definitions.operations[number] : unknown;
}

CollectiveKind FileCode::collective(std::uint32_t operation, const CollectiveKind &known, std::uint32_t datatype,
                                    Reduction reduction) {
    const auto [entry, isNew] = m_collectives.try_emplace(operation);
    if (isNew) {
        const CollectiveTraits traits = traitsOfCollective(operationName(operation));
        entry->second.operation = traits.operation;
        entry->second.nonBlocking = traits.nonBlocking;
        entry->second.call = m_tables.name(traits.call);
    }
    const auto [type, isNewType] = m_basicTypes.try_emplace(datatype, none);
    if (isNewType && datatype < m_definitions.datatypes.size())
        if (const std::uint32_t basic = m_definitions.datatypes[datatype].basic; basic < m_definitions.datatypes.size())
            type->second = m_tables.name(m_definitions.datatypes[basic].name);
    const auto [operatorName, isNewOperator] = m_reductions.try_emplace(reduction, none);
    if (isNewOperator)
        operatorName->second = m_tables.name(nameOf(reduction));
    CollectiveKind kind = known;
    kind.operation = entry->second.operation;
    kind.nonBlocking = entry->second.nonBlocking;
    kind.call = entry->second.call;
    kind.basicType = type->second;
    kind.reduction = operatorName->second;
    return kind;
}

void FileCode::addFunctions(const CodeFrames &place, bool hasLines, Address &address) {
    for (auto frame = place.rbegin(); frame != place.rend(); ++frame)
        address.functions.push_back(
            {m_tables.region(*frame), hasLines ? m_tables.site(frame->atFile, frame->atLine) : CallSiteId{none}});
    address.isHidden = isRecorder(place.back().module);
    address.isRuntime = isRuntimeStart(place.back().function);
}

FileCode::Address &FileCode::address(std::uint32_t number) {
    static Address hidden{true, true, false, {}};
    if (number >= m_addresses.size() || !m_definitions.addresses[number].isDefined)
        return hidden;
    Address &address = m_addresses[number];
    if (std::exchange(address.isKnown, true))
        return address;
    const FileDefinitions::Address &definition = m_definitions.addresses[number];
    if (definition.kind == AddressKind::Script) {
        CodeFrame frame;
        if (definition.offset < m_definitions.scripts.size()) {
            const FileDefinitions::Script &script = m_definitions.scripts[definition.offset];
            frame.function = nameOf(script);
            frame.file = script.file;
            frame.line = script.line;
        }
        if (frame.function.empty())
            frame.function = "a function of an interpreter";
        frame.linkage = frame.function;
        address.functions.push_back({m_tables.region(frame), none});
        return address;
    }
    ModuleKey module;
    if (definition.module < m_definitions.modules.size())
        module = {m_definitions.modules[definition.module].path, m_definitions.modules[definition.module].buildId};
    const PlaceKind kind = definition.kind == AddressKind::Function     ? PlaceKind::Entry
                           : definition.kind == AddressKind::ReturnSite ? PlaceKind::ReturnAddress
                                                                        : PlaceKind::Instruction;
    addFunctions(*m_tables.symbols.find(module, definition.offset, kind), kind != PlaceKind::Entry, address);
    return address;
}

void FileCode::append(const Address &address, CodePath &path, bool isOutermost) {
    if (address.isHidden || (isOutermost && address.isRuntime))
        return;
    for (const Function &function : address.functions) {
        path.frames.push_back({function.region, path.place});
        path.place = function.at;
    }
}

const CodePath *FileCode::path(std::uint32_t number) {
    if (number >= m_paths.size())
        return nullptr;
    std::unique_ptr<CodePath> &known = m_paths[number];
    if (known)
        return known.get();
    CodePath path;
    std::vector<std::uint32_t> chain; // innermost first
    for (std::uint32_t at = number; at < m_paths.size() && chain.size() < deepestPath; at = m_definitions.paths[at].parent)
        chain.push_back(m_definitions.paths[at].address);
    if (chain.front() >= m_addresses.size() || !m_definitions.addresses[chain.front()].isDefined)
        return nullptr;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        if (*at < m_addresses.size() && m_definitions.addresses[*at].isDefined &&
            m_definitions.addresses[*at].kind == AddressKind::Operation) {
            const FileDefinitions::Address &definition = m_definitions.addresses[*at];
            path.operationName = static_cast<std::uint32_t>(definition.offset);
            path.datatype = definition.datatype;
            const std::string &name = operationName(path.operationName);
            path.operation = m_tables.operation(name.empty() ? "MPI (unknown operation)" : name);
            path.isOfLibrary = !name.empty() && !isMpiOperation(name);
        } else if (*at < m_addresses.size() && m_definitions.addresses[*at].isDefined &&
                   m_definitions.addresses[*at].kind == AddressKind::Handler) {
            path.handlerFrom = static_cast<std::uint32_t>(path.frames.size());
        } else {
            append(address(*at), path, path.frames.empty());
        }
    }
    if (path.datatype < m_definitions.datatypes.size() && !m_definitions.datatypes[path.datatype].name.empty())
        path.place = m_tables.withDatatype(path.place, m_definitions.datatypes[path.datatype].name);
    known = std::make_unique<CodePath>(std::move(path));
    return known.get();
}

CallPathId FileCode::intern(std::uint32_t number, CallPathTable &callPaths) {
    const CodePath *code = path(number);
    if (code == nullptr || code->operation == none)
        return none;
    if (!m_instrumented) {
        m_instrumented.emplace();
        for (std::uint32_t i = 0; i < m_addresses.size(); ++i)
            if (const RegionId region = function(i); region != none)
                m_instrumented->insert(region);
    }
    std::size_t above = code->frames.size(); // the innermost instrumented function, counted from 1
    while (above != 0 && !m_instrumented->contains(code->frames[above - 1].region))
        --above;
    CallPathId at = none;
    for (std::size_t i = 0; i < code->frames.size(); ++i) {
        const StackFrame &frame = code->frames[i];
        if (i >= above)
            at = callPaths.intern(at, frame.region, frame.site);
        else if (m_instrumented->contains(frame.region))
            at = callPaths.intern(at, frame.region);
    }
    return callPaths.intern(at, code->operation, code->place);
}

RegionId FileCode::function(std::uint32_t number) {
    if (number >= m_addresses.size() || !m_definitions.addresses[number].isDefined ||
        (m_definitions.addresses[number].kind != AddressKind::Function &&
         m_definitions.addresses[number].kind != AddressKind::Script))
        return none;
    return address(number).functions.front().region;
}

CodePath FileCode::unwound(std::span<const CodeFrames> frames) {
    CodePath path;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        Address found;
        addFunctions(*frame, true, found);
        append(found, path, path.frames.empty());
    }
    return path;
}

} // namespace laggard::recording
