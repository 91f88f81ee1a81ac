// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/AnswerText.h"

#include "trace/ModelDumpNames.h"

namespace laggard {
namespace {

void writeNamed(JsonWriter &json, const DumpedAnswer::Named &named) {
    json.key("ranks").string(formatRanges(named.ranks)).key("confidence").real(named.confidence).key("why").string(named.why);
}

void writeIf(JsonWriter &json, std::string_view key, const std::optional<double> &value) {
    if (value && *value >= 0)
        json.key(key).real(*value);
}

void writeHeadline(JsonWriter &json, const HeadlineFacts &facts) {
    json.line().key("headline").beginObject().key("kind").string(dumpName(facts.kind));
    json.key("ranks").string(formatRanges(facts.ranks)).key("others").number(facts.others);
    if (!facts.function.empty())
        json.key("function").string(facts.function);
    if (facts.isKept)
        json.key("kept").boolean(true);
    if (facts.isReceiver)
        json.key("receiver").boolean(true);
    if (facts.ending != HeadlineFacts::Ending::Unknown)
        json.key("ending").string(dumpName(facts.ending));
    if (facts.endValue != 0)
        json.key("end_value").signedNumber(facts.endValue);
    writeIf(json, "at", facts.at);
    writeIf(json, "seconds", facts.seconds);
    writeIf(json, "usual", facts.usual);
    writeIf(json, "times", facts.times);
    writeIf(json, "share", facts.share);
    json.key("job").number(facts.job).key("known").number(facts.known);
    writeIf(json, "job_seconds", facts.jobSeconds);
    json.endObject();
}

void writeFinding(JsonWriter &json, const DumpedAnswer::Finding &finding, Tick start) {
    json.line().beginObject().key("method").string(finding.method).key("ranks").string(formatRanges(finding.ranks));
    json.key("function").string(finding.function);
    if (!finding.file.empty())
        json.key("file").string(finding.file).key("line").number(finding.line);
    if (finding.isDefinition)
        json.key("definition").boolean(true);
    json.key("score").real(finding.score).key("call_path").numberOrNull(finding.callPath);
    if (finding.time)
        json.key("ticks")
            .beginArray()
            .number(std::max(finding.time->begin, start) - start)
            .number(std::max({finding.time->begin, finding.time->end, start}) - start)
            .endArray();
    json.key("why").string(finding.why).endObject();
}

} // namespace

void writeAnswer(JsonWriter &json, const DumpedAnswer &answer, Tick start) {
    json.line().key("answer").beginObject().key("state").string(answer.state).key("confidence").real(answer.confidence);
    json.key("summary").string(answer.summary);
    if (!answer.crashed.empty())
        json.key("crashed").string(formatRanges(answer.crashed));
    if (answer.ofDamaged)
        json.key("damaged_ranks_involved").boolean(true);
    if (answer.ofPart)
        json.key("rests_on_a_part").boolean(true);
    writeHeadline(json, answer.headline);
    json.line().key("waits").beginObject().key("kind").string(answer.waitsKind);
    writeNamed(json, answer.byWaits);
    json.key("waiting").number(answer.waiting).key("everybody_waits").boolean(answer.everybodyWaits);
    json.key("since_ticks").number(std::max(answer.since, start) - start).endObject();
    json.line().key("least_progressed").beginObject();
    writeNamed(json, answer.leastProgressed);
    json.endObject().line().key("findings").beginArray();
    for (const DumpedAnswer::Finding &finding : answer.findings)
        writeFinding(json, finding, start);
    json.endArray().endObject();
}

} // namespace laggard
