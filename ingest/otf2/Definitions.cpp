// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Definitions.h"

#include "ingest/otf2/RecordFile.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <filesystem>

namespace laggard::otf2 {
namespace {

constexpr std::uint64_t definitionBatch = 10'000; // definitions between two looks at the request to stop

Definitions &definitions(void *userData) { return *static_cast<Definitions *>(userData); }

OTF2_CallbackCode onClock(void *data, std::uint64_t resolution, std::uint64_t offset, std::uint64_t length,
                          std::uint64_t startUtc) {
    Definitions &d = definitions(data);
    d.hasClock = true;
    d.ticksPerSecond = resolution;
    d.clockOffset = offset;
    d.clockLength = length;
    d.startUtc = startUtc;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onString(void *data, OTF2_StringRef self, const char *text) {
    Definitions &d = definitions(data);
    if (d.stringOf.insert(self, static_cast<std::uint32_t>(d.strings.size())))
        d.strings.emplace_back(text != nullptr ? text : "");
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onSystemNode(void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef className,
                               OTF2_SystemTreeNodeRef parent) {
    definitions(data).systemNodes.push_back({self, name, className, parent});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLocationGroup(void *data, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
                                  OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator) {
    definitions(data).locationGroups.push_back({self, name, type, node, creator});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLocation(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, std::uint64_t,
                             OTF2_LocationGroupRef group) {
    definitions(data).locations.push_back({self, name, type, group});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onRegion(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonicalName, OTF2_StringRef,
                           OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef file, std::uint32_t line,
                           std::uint32_t) {
    definitions(data).regions.push_back({self, name, canonicalName, role, paradigm, file, line});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onGroup(void *data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                          OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t *members) {
    if (members != nullptr || count == 0)
        definitions(data).groups.push_back({self, type, paradigm, flags, {members, members + count}});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onCommunicator(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
                                 OTF2_CommFlag) {
    definitions(data).communicators.push_back({self, name, group, parent});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onInterCommunicator(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef groupA,
                                      OTF2_GroupRef groupB, OTF2_CommRef common, OTF2_CommFlag) {
    definitions(data).communicators.push_back({self, name, groupA, common, groupB, true});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onCallingContext(void *data, OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_SourceCodeLocationRef,
                                   OTF2_CallingContextRef) {
    definitions(data).callingContexts.push_back({self, region});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onAttribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_Type) {
    definitions(data).attributes.push_back({self, name});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onSourceLocation(void *data, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, std::uint32_t line) {
    definitions(data).sourceLocations.push_back({self, file, line});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onGroupProperty(void *data, OTF2_LocationGroupRef owner, OTF2_StringRef name, OTF2_Type type,
                                  OTF2_AttributeValue value) {
    if (type == OTF2_TYPE_STRING)
        definitions(data).groupProperties.push_back({owner, name, value.stringRef});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLocationProperty(void *data, OTF2_LocationRef owner, OTF2_StringRef name, OTF2_Type type,
                                     OTF2_AttributeValue value) {
    if (type == OTF2_TYPE_STRING)
        definitions(data).locationProperties.push_back({owner, name, value.stringRef});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onParadigm(void *data, OTF2_Paradigm paradigm, OTF2_StringRef, OTF2_ParadigmClass paradigmClass) {
    if (paradigmClass != OTF2_PARADIGM_CLASS_PROCESS)
        definitions(data).threadParadigms.push_back(paradigm);
    return OTF2_CALLBACK_SUCCESS;
}

struct DefinitionCallbacksDeleter {
    void operator()(OTF2_GlobalDefReaderCallbacks *callbacks) const { OTF2_GlobalDefReaderCallbacks_Delete(callbacks); }
};

void registerCallbacks(OTF2_Reader *reader, OTF2_GlobalDefReader *definitionReader, Definitions &result) {
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DefinitionCallbacksDeleter> callbacks(
        OTF2_GlobalDefReaderCallbacks_New());
    OTF2_GlobalDefReaderCallbacks *c = callbacks.get();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, onClock);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(c, onParadigm);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, onString);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, onSystemNode);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, onLocationGroup);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, onLocation);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, onRegion);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, onGroup);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, onCommunicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, onInterCommunicator);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, onCallingContext);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, onAttribute);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(c, onSourceLocation);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(c, onGroupProperty);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, onLocationProperty);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitionReader, c, &result);
}

/// The number of definitions that may be read, and a warning if the file has more.
std::uint64_t checkFile(const ArchiveFiles &files, OTF2_Reader *reader, std::vector<Warning> &warnings) {
    if (const std::string problem = whyUnreadable(files.globalDefinitions); problem == "is missing" || problem == "is empty")
        throw ReadError("The trace \"" + files.anchor + "\" has no global definitions (\"" + files.globalDefinitions + "\" " +
                        problem +
                        "), so nothing in it can be named. A job that was killed under Score-P often leaves such a trace.");
    else if (!problem.empty())
        throw ReadError("The global definitions \"" + files.globalDefinitions +
                        "\", without which nothing in the trace can be named, " + problem + '.');
    std::uint64_t eventChunk = 0;
    std::uint64_t definitionChunk = 0;
    OTF2_Reader_GetChunkSize(reader, &eventChunk, &definitionChunk);
    const RecordScan scan = scanRecords(files.globalDefinitions, RecordKind::Definitions, definitionChunk);
    if (scan.complete)
        return scan.records;
    warnings.push_back({WarningId::DamagedDefinitions,
                        Warning::Severity::DataLoss,
                        std::nullopt,
                        files.globalDefinitions,
                        "The global definitions are damaged: " + scan.reason + "; " + describeCount(scan.records) +
                            (scan.records == 1 ? " of them was kept." : " of them were kept."),
                        {{"records", scan.records}}});
    return scan.records;
}

} // namespace

const std::string &Definitions::text(std::uint32_t reference) const {
    static const std::string empty;
    const std::uint32_t position = stringOf.find(reference);
    return position == none ? empty : strings[position];
}

Definitions readDefinitions(const ArchiveFiles &files, OTF2_Reader *reader, const Work &work, std::vector<Warning> &warnings) {
    ErrorLog log;
    const std::uint64_t limit = checkFile(files, reader, warnings);
    Definitions result;
    OTF2_GlobalDefReader *definitionReader = OTF2_Reader_GetGlobalDefReader(reader);
    if (definitionReader == nullptr)
        throw ReadError("The global definitions \"" + files.globalDefinitions +
                        "\" cannot be read: " + log.takeFirst("unknown reason") + '.');
    registerCallbacks(reader, definitionReader, result);
    OTF2_ErrorCode status = OTF2_SUCCESS;
    bool isEnd = false;
    for (std::uint64_t done = 0; !isEnd && status == OTF2_SUCCESS && done < limit;) {
        throwIfCancelled(work);
        const std::uint64_t wanted = std::min(definitionBatch, limit - done);
        std::uint64_t read = 0;
        status = OTF2_Reader_ReadGlobalDefinitions(reader, definitionReader, wanted, &read);
        done += read;
        isEnd = read < wanted; // to ask again would be an error
    }
    const std::string reason = log.takeFirst("libotf2 gives no reason");
    if (result.locations.empty())
        throw ReadError("The global definitions \"" + files.globalDefinitions + "\" name no location" +
                        (status != OTF2_SUCCESS || !warnings.empty() ? " before they are damaged" : "") +
                        ". A job that was killed under Score-P often leaves such a trace.");
    if (status != OTF2_SUCCESS && warnings.empty())
        warnings.push_back({WarningId::DamagedDefinitions, Warning::Severity::DataLoss, std::nullopt, files.globalDefinitions,
                            "The global definitions are damaged (" + reason + "); those before the damage were kept."});
    return result;
}

} // namespace laggard::otf2
