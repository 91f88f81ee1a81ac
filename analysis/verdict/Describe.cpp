// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Describe.h"

#include "trace/SourceFile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

namespace laggard {
namespace {

std::string plainName(const Region &region) { return region.file.empty() ? plainFunctionName(region.name) : region.name; }

/// `at`: a line of it, if one is known; else its beginning is shown.
std::string withPlace(const Trace &trace, const Region &region, CallSiteId at) {
    const bool hasLine = at != none && trace.callSites[at].hasLine();
    const std::string place = hasLine ? sourcePlace(trace.callSites[at].file, trace.callSites[at].line) : sourcePlace(region);
    return place.empty() ? plainName(region) : plainName(region) + " (" + place + ")";
}

/// A call in words, and the function whose line they tell.
struct Told {
    std::string text;
    CallPathId function = none;
};

Told calledFrom(const Trace &trace, const std::string &what, CallPathId caller, CallSiteId site) {
    return {what + ", called from " + withPlace(trace, trace.region(caller), site), caller};
}

/// Of a call that the program made by way of functions in the system's headers (std::lock_guard), or of such a function, where
/// the program's own code made it; nothing for other calls.
std::optional<Told> tellByOwnCode(const Trace &trace, CallPathId path, CallSiteId stoppedAt) {
    const auto isHeaders = [&](CallPathId call) { return isSystemHeader(trace.region(call).file); };
    const bool isInHeader = stoppedAt != none ? isSystemHeader(trace.callSites[stoppedAt].file) : isHeaders(path);
    const CallPathId caller = trace.callPaths[path].parent;
    if (caller == none || !(isInHeader || isHeaders(caller)) || (stoppedAt != none && !isInHeader))
        return std::nullopt;
    CallPathId called = path;
    CallPathId own = caller;
    while (own != none && (trace.region(own).file.empty() || isHeaders(own))) {
        called = own;
        own = trace.callPaths[own].parent;
    }
    if (own == none || trace.region(own).isMpi())
        return std::nullopt;
    return calledFrom(trace, plainName(trace.region(path)), own, trace.callPaths[called].site);
}

Told tell(const Trace &trace, CallPathId path, CallSiteId stoppedAt) {
    if (path == none)
        return {"code outside all recorded calls"};
    const Region &region = trace.region(path);
    CallPathId caller = trace.callPaths[path].parent;
    CallSiteId site = trace.callPaths[path].site;
    if (const std::optional<Told> told = tellByOwnCode(trace, path, stoppedAt))
        return *told;
    if (!region.isMpi()) {
        // A library's function (sin, write) says little without the line that calls it.
        const bool isLibrary = region.file.empty() && stoppedAt == none && caller != none && !trace.region(caller).isMpi() &&
                               (site != none || !trace.region(caller).file.empty());
        return isLibrary ? calledFrom(trace, plainName(region), caller, site) : Told{withPlace(trace, region, stoppedAt), path};
    }
    while (caller != none && trace.region(caller).isMpi()) {
        site = trace.callPaths[caller].site;
        caller = trace.callPaths[caller].parent;
    }
    return caller == none ? Told{region.name} : calledFrom(trace, region.name, caller, site);
}

} // namespace

std::string describeCall(const Trace &trace, CallPathId path, CallSiteId stoppedAt) { return tell(trace, path, stoppedAt).text; }

std::string describeWithCaller(const Trace &trace, CallPathId path, CallSiteId stoppedAt) {
    const Told told = tell(trace, path, stoppedAt);
    if (told.function == none)
        return told.text;
    const CallPathId caller = trace.callPaths[told.function].parent;
    const CallSite *site = trace.siteOf(told.function);
    if (caller == none || site == nullptr || !site->hasLine() || isSystemHeader(site->file) || trace.region(caller).isMpi() ||
        (trace.region(caller).name == "main" && isFortranFile(site->file)))
        return told.text;
    return told.text + (told.function == path ? ", called from " : ", from ") +
           withPlace(trace, trace.region(caller), trace.callPaths[told.function].site);
}

Frame placeOf(const Trace &trace, CallPathId path, CallSiteId stoppedAt) {
    const auto nameOf = [&](CallPathId function) { return function == none ? std::string() : trace.region(function).name; };
    if (stoppedAt != none && !isSystemHeader(trace.callSites[stoppedAt].file))
        return {nameOf(path), trace.callSites[stoppedAt].file, trace.callSites[stoppedAt].line};
    for (; path != none; path = trace.callPaths[path].parent) {
        if (const Region &region = trace.region(path); !region.file.empty() && !isSystemHeader(region.file))
            return {region.name, region.file, region.line, true};
        if (const CallSite *site = trace.siteOf(path); site != nullptr && !isSystemHeader(site->file))
            return {nameOf(trace.callPaths[path].parent), site->file, site->line};
    }
    return {};
}

CallPathId nearestWithSource(const Trace &trace, CallPathId path) {
    while (path != none && (trace.region(path).file.empty() || isSystemHeader(trace.region(path).file)))
        path = trace.callPaths[path].parent;
    return path;
}

int confidencePercent(double confidence) {
    constexpr double roundingError = 1e-9; // 0.29 * 100 is a little less than 29
    return static_cast<int>(std::floor(std::clamp(confidence, 0.0, 1.0) * 100 + roundingError));
}

std::string describeShare(double share) {
    const int percent = confidencePercent(share);
    return percent == 0 && share > 0 ? "less than 1 %" : std::to_string(percent) + " %";
}

std::string describeConfidence(double confidence) {
    const char *word = confidence >= 0.9 ? "high" : confidence >= 0.6 ? "fair" : confidence > 0.3 ? "low" : "very low";
    char text[64];
    std::snprintf(text, sizeof text, "%.2f (%s)", confidencePercent(confidence) / 100.0, word);
    return text;
}

} // namespace laggard
