// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/DumpFile.h"

#include "trace/DumpCheck.h"
#include "trace/RankSet.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace laggard::attach {
namespace {

using nlohmann::json;

/// The tables of a dump: each thing is written once.
class Tables {
  public:
    /// The call path of each frame, outermost first.
    std::vector<std::size_t> pathsOf(const std::vector<ShownFrame> &frames) {
        std::vector<std::size_t> paths;
        const ShownFrame *caller = nullptr;
        for (const ShownFrame &frame : frames) {
            json path = json::array({paths.empty() ? json() : json(paths.back()), function(frame)});
            if (caller != nullptr && !caller->atFile.empty())
                path.push_back(site(*caller));
            paths.push_back(numberOf(m_paths, m_pathNumbers, path.dump(), path));
            caller = &frame;
        }
        return paths;
    }

    /// Where the thread is in a function; null where that is not known.
    json site(const ShownFrame &frame) {
        if (frame.atFile.empty())
            return {};
        return numberOf(m_sites, m_siteNumbers, frame.atFile + ':' + std::to_string(frame.atLine),
                        json::array({frame.atFile, frame.atLine}));
    }

    void writeTo(json &dump) const {
        dump["functions"] = m_functions;
        dump["sites"] = m_sites;
        dump["call_paths"] = m_paths;
    }

  private:
    using Numbers = std::map<std::string, std::size_t>;

    static std::size_t numberOf(json &table, Numbers &numbers, const std::string &key, const json &value) {
        const auto [entry, isNew] = numbers.try_emplace(key, table.size());
        if (isNew)
            table.push_back(value);
        return entry->second;
    }

    std::size_t function(const ShownFrame &frame) {
        json value = {{"name", frame.function}};
        if (frame.symbol != frame.function)
            value["symbol"] = frame.symbol;
        if (!frame.file.empty())
            value.update({{"file", frame.file}, {"line", frame.line}});
        if (frame.isMpi)
            value["mpi"] = true;
        else if (!frame.module.empty())
            value["module"] = frame.module;
        return numberOf(m_functions, m_functionNumbers, value.dump(-1, ' ', false, json::error_handler_t::replace), value);
    }

    json m_functions = json::array(), m_sites = json::array(), m_paths = json::array();
    Numbers m_functionNumbers, m_siteNumbers, m_pathNumbers;
};

json peerOrTag(std::int64_t value) {
    return value == MpiArguments::any ? json("any") : value == MpiArguments::nobody ? json("nobody") : json(value);
}

json written(const MpiArguments &arguments) {
    json entry = json::object();
    const auto add = [&](const char *name, const std::optional<std::int64_t> &value) {
        if (value)
            entry[name] = peerOrTag(*value);
    };
    add("to", arguments.to);
    add("to_tag", arguments.toTag);
    add("from", arguments.from);
    add("from_tag", arguments.fromTag);
    add("root", arguments.root);
    add("count", arguments.count);
    if (!arguments.communicator.empty())
        entry["communicator"] = arguments.communicator;
    if (arguments.communicatorSize)
        entry["communicator_size"] = *arguments.communicatorSize;
    if (arguments.communicatorNumber)
        entry["communicator_number"] = *arguments.communicatorNumber;
    if (!arguments.members.empty() && !arguments.isOfWorld())
        entry["members"] = arguments.members;
    if (arguments.pending) {
        entry["pending"] = json::array();
        for (const MpiArguments::Pending &each : *arguments.pending) {
            json pending = {{"send", each.isSend}};
            if (each.peer)
                pending["peer"] = peerOrTag(*each.peer);
            if (each.tag)
                pending["tag"] = peerOrTag(*each.tag);
            entry["pending"].push_back(std::move(pending));
        }
    }
    return entry;
}

/// Threads that are alike share an entry.
json threadsOf(const JobSamples &samples, Tables &tables) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, RankSet> alike;
    for (const SampledThread &each : samples.threads) {
        if (each.stack.frames.empty())
            continue;
        const std::vector<std::size_t> paths = tables.pathsOf(each.stack.frames);
        json entry = {{"sample", each.sample}, {"call_path", paths.back()}, {"site", tables.site(each.stack.frames.back())}};
        if (each.thread != 0)
            entry.update({{"thread", each.thread}, {"name", each.name}});
        if (each.sample != 0) {
            entry["stays"] = each.stack.notLeft == 0 ? json() : json(paths[std::min(each.stack.notLeft, paths.size()) - 1]);
            entry["moves"] = each.stack.moves;
        }
        if (each.isStopped)
            entry["stopped"] = true;
        if (!each.arguments.isEmpty())
            entry["arguments"] = written(each.arguments);
        alike[{each.sample, each.thread, entry.dump(-1, ' ', false, json::error_handler_t::replace)}].push_back(each.rank);
    }
    json threads = json::array();
    for (const auto &[key, ranks] : alike) {
        json entry = json::parse(std::get<2>(key));
        entry["ranks"] = formatRanges(ranks);
        threads.push_back(std::move(entry));
    }
    return threads;
}

} // namespace

std::string dumpText(const JobSamples &samples, const std::string &host) {
    json ticks = json::array();
    for (const std::chrono::nanoseconds time : samples.times)
        ticks.push_back(time.count());
    json pids = json::array();
    RankSet ranks;
    for (const RankProcess &each : samples.job.ranks) {
        while (pids.size() <= each.rank)
            pids.push_back(0);
        pids[each.rank] = each.pid;
        ranks.push_back(each.rank);
    }
    const std::int64_t length = samples.times.empty() ? 0 : samples.times.back().count();
    json dump = {{"job",
                  {{"ranks", samples.job.rankCount},
                   {"format", samples.areCores ? "core files" : "attached processes"},
                   {"creator", "laggard-attach " LAGGARD_VERSION},
                   {"ticks_per_second", 1'000'000'000},
                   {"ticks", length},
                   {"start_utc_ns", samples.startUtc}}},
                 {"pids", pids},
                 {"ends", json::array()},
                 {"warnings", json::array()}};
    if (!samples.areCores) {
        dump["hosts"] = json::array({{{"name", host}, {"ranks", formatRanges(ranks)}}});
        std::erase_if(ranks, [&](Rank rank) { return samples.ended.contains(rank); });
        if (!ranks.empty())
            dump["ends"].push_back({{"ranks", formatRanges(ranks)}, {"kind", "running"}, {"ticks", length}});
    }
    for (const std::uint32_t rank : samples.ended)
        dump["ends"].push_back(
            {{"ranks", std::to_string(rank)}, {"kind", "killed"}, {"ticks", length}}); // gone, nobody knows how
    for (const auto &[rank, signal] : samples.faults)
        dump["ends"].push_back({{"ranks", std::to_string(rank)}, {"kind", "signalled"}, {"value", signal}, {"ticks", length}});
    for (const std::string &note : samples.notes)
        dump["warnings"].push_back({{"message", note}});
    Tables tables;
    dump["samples"] = {{"ticks", ticks}, {"threads", threadsOf(samples, tables)}};
    tables.writeTo(dump);
    // The schema stands first: readers look for it in the first bytes.
    std::string text = "{\"schema\":\"laggard.model/2\"";
    for (const auto &[key, value] : dump.items())
        text += ",\n\"" + key + "\":" + value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text + std::string(dumpCheckMember) + '"' + dumpCheck(text) + "\"}\n";
}

} // namespace laggard::attach
