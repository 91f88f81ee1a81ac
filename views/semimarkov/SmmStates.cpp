// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/SmmStates.h"

#include "trace/Trace.h"
#include "views/graph/FunctionName.h"
#include "views/kit/Text.h"
#include "views/pdg/PdgPicture.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal mostTextWidth = 230;

QString fitting(const QString &name, TextRole role) {
    const QFontMetricsF metrics = metricsOf(role);
    const QString shorter = shortenFunctionName(name, [&](const QString &text) {
        return text.size() <= mostTextWidth && metrics.horizontalAdvance(text) <= mostTextWidth;
    });
    return elided(shorter, role, mostTextWidth);
}

/// What a state is called, in pieces.
struct StateWords {
    QString what;   ///< the MPI call, or the function that computes
    QString caller; ///< the MPI call's caller
    QString place;  ///< file:line: where it is called, else where the function begins
    QString after;  ///< the MPI call before, while computing …
    QString before; ///< … and who called that, where it is known
};

StateWords wordsOf(const SmmState &state, const std::map<std::string, QString> &places) {
    StateWords words;
    switch (state.kind) {
    case SmmState::Kind::Start:
        words.what = QObject::tr("start");
        return words;
    case SmmState::Kind::Finished:
        words.what = QObject::tr("finished");
        return words;
    case SmmState::Kind::NotReturned:
        words.what = QObject::tr("not returned");
        return words;
    default:
        break;
    }
    if (state.path.empty())
        return words;
    const QString call = withoutProfilingPrefix(showable(state.path.back().function));
    const StateFrame *caller = state.path.size() > 1 ? &state.path[state.path.size() - 2] : nullptr;
    const QString callerName = caller ? showable(caller->function) : QString();
    if (state.isComputation()) {
        words.what = caller ? callerName : QObject::tr("between MPI calls");
        words.after = call;
        words.before = callerName;
    } else {
        words.what = call;
        words.caller = callerName;
    }
    if (!state.path.back().site.empty()) {
        words.place = showable(state.path.back().site);
    } else if (caller) {
        const auto place = places.find(caller->function);
        words.place = place == places.end() ? QString() : place->second;
    }
    return words;
}

/// Called after the function `region`, if that is known.
void nameByFunction(StateWords &words, const Trace &trace, RegionId region) {
    if (region >= trace.regions.size())
        return;
    const Region &function = trace.regions[region];
    const QString name = showable(function.name);
    if (name == words.what)
        return;
    if (!words.after.isEmpty() && !words.before.isEmpty())
        words.after = QObject::tr("%1 in %2").arg(words.after, words.before);
    words.what = name;
    if (!function.file.empty())
        words.place = placeText(function.file, function.line, true);
}

PictureNode boxOf(const SmmState &state, const StateWords &words) {
    PictureNode node;
    const bool isEnd = state.kind == SmmState::Kind::NotReturned;
    node.rows.push_back({{fitting(words.what, TextRole::Function), isEnd ? TextRole::LeastProgressed : TextRole::Function}});
    if (!words.caller.isEmpty())
        node.rows.push_back({{fitting(QObject::tr("in ") + words.caller, TextRole::Activity), TextRole::Activity}});
    if (!words.after.isEmpty())
        node.rows.push_back({{fitting(QObject::tr("after ") + words.after, TextRole::Place), TextRole::Place}});
    if (!words.place.isEmpty())
        node.rows.push_back({{elided(words.place, TextRole::Place, mostTextWidth), TextRole::Place}});
    node.computing = state.kind == SmmState::Kind::Computation || state.kind == SmmState::Kind::Start;
    QStringList lines{toLine(describe(state))};
    for (auto frame = state.path.rbegin(); frame != state.path.rend(); ++frame)
        lines << showable(frame->function) +
                     (frame->site.empty() ? QString() : QObject::tr(", called at ") + showable(frame->site));
    node.fullText = lines.join(QLatin1Char('\n'));
    qreal width = 70;
    qreal height = 0;
    for (const TextRow &row : node.rows) {
        width = std::max(width, metricsOf(row.front().role).horizontalAdvance(row.front().text));
        height += rowHeight(row);
    }
    node.size = {std::ceil(width + 24), std::ceil(height + 14)};
    return node;
}

} // namespace

std::map<std::string, QString> placesOf(const Trace &trace) {
    std::map<std::string, QString> places;
    for (const Region &region : trace.regions)
        if (!region.file.empty() && !region.isMpi())
            places[region.name] = placeText(region.file, region.line, true);
    return places;
}

PictureNode nodeOfPart(const Trace &trace, const SmmState &state, const std::map<std::string, QString> &places, RegionId region,
                       bool isFirst) {
    StateWords words = wordsOf(state, places);
    nameByFunction(words, trace, region);
    if (!isFirst)
        words.after.clear();
    return boxOf(state, words);
}

PictureNode nodeOfState(const Trace &trace, const SmmState &state, const std::map<std::string, QString> &places,
                        const StatePlace &place) {
    // A computation is called what its time went in, where most of it did: the function before an MPI call says little of what
    // comes after that.
    constexpr double most = 0.5;
    StateWords words = wordsOf(state, places);
    if (state.isComputation() && place.share >= most)
        nameByFunction(words, trace, place.region);
    return boxOf(state, words);
}

} // namespace laggard
