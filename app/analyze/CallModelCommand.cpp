// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/CallModelCommand.h"

#include "analysis/units/LearnModel.h"
#include "app/convert/CallModelText.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "ingest/callmodel/CallModelReader.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <filesystem>

namespace laggard {
namespace {

std::string processes(std::uint64_t count) { return count == 1 ? "1 process" : describeCount(count) + " processes"; }

std::string sizeOf(const CallModel &model) {
    std::uint64_t trained = 0;
    for (const CallModel::Role &role : model.roles)
        trained += role.processes;
    return plural(model.runs, "run") + ", " + processes(trained) + " of " +
           (model.roles.size() == 1 ? "1 kind" : describeCount(model.roles.size()) + " kinds");
}

/// What was left out, and why.
std::string remarksOn(const Lesson &lesson) {
    std::string text;
    if (lesson.incomplete != 0)
        text += " Left out: " + plural(lesson.incomplete, "unit") + " without beginning or end.";
    if (!lesson.withoutBeginning.empty())
        text += " Left out, as the beginning is missing: " + describeRankSet(lesson.withoutBeginning) + '.';
    if (!lesson.withoutLoop.empty())
        text += " No event loop was found, and all is one unit: " + describeRankSet(lesson.withoutLoop) + '.';
    return text;
}

} // namespace

std::string train(const AnalyzeOptions &options, const Work &work) {
    std::error_code error;
    CallModel model;
    if (std::filesystem::exists(options.train, error))
        model = callmodel::read(options.train);
    std::string learnt;
    if (callmodel::isCallModel(options.trace)) {
        const CallModel other = callmodel::read(options.trace);
        learnt = "Merged: " + sizeOf(other) + '.';
        model.merge(other);
    } else {
        const Opened input = openInput(options.trace, options.part, work);
        if (input.dump)
            throw ReadError('"' + options.trace + "\" is a dump: it has no calls that could be learnt from.");
        const Lesson lesson = learn(*input.trace, work);
        if (lesson.units == 0)
            throw ReadError("Nothing can be learnt from \"" + options.trace + "\":" + remarksOn(lesson));
        learnt = "Learnt from " + plural(lesson.units, "execution unit") + '.' + remarksOn(lesson);
        model.merge(lesson.model);
    }
    throwIfCancelled(work);
    writeFile(options.train, callModelText(model));
    return learnt + " The model " + options.train + " now knows " + sizeOf(model) + '.';
}

} // namespace laggard
