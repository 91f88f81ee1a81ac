// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/SharedCollectives.h"

#include "app/across/Tree.h"
#include "ingest/modeldump/ContentFields.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

using CallNumber = CommunicatorGuess::CallNumber;

/// A rank's k-th call at a path, as all shares know it: numbers of call paths are each share's own.
using CallQuestion = std::pair<std::string, std::uint32_t>;

/// What a call path is, whoever numbers it.
std::string codeOf(const Trace &trace, CallPathId path) {
    PackWriter content;
    for (; path != none; path = trace.callPaths[path].parent) {
        const Region &region = trace.region(path);
        content(region.name, region.canonicalName, region.file, region.line);
        const CallSiteId site = trace.callPaths[path].site;
        CallSite where = site == none ? CallSite() : trace.callSites[site];
        content(where.file, where.line, where.datatype);
    }
    return content.take();
}

template <typename T> void addNew(std::vector<T> &all, const std::vector<T> &more) {
    for (const T &each : more)
        if (std::ranges::find(all, each) == all.end())
            all.push_back(each);
}

} // namespace

CommunicatorGuess::KindsOf askForKinds(Transport &transport, const ShareTrace &share, const Snapshot &snapshot,
                                       const RankSet &lacking) {
    const Trace &trace = *share.trace;
    const CommunicatorGuess own(snapshot);
    std::map<CallNumber, CallQuestion> questionOf;
    std::vector<CallQuestion> questions; // in order of the ranks, so that who asks first does not depend on the shares
    for (const Rank rank : lacking)
        if (const std::optional<CallNumber> number = own.questionOf(rank); number && !questionOf.contains(*number)) {
            questions.emplace_back(codeOf(trace, number->first), number->second);
            questionOf[*number] = questions.back();
        }
    questions = reduceForAll(transport, std::move(questions), addNew<CallQuestion>);
    if (questions.size() > CommunicatorGuess::mostSearches)
        questions.resize(CommunicatorGuess::mostSearches);
    std::map<std::string, CallPathId> numberOf;
    for (CallPathId path = 0; path < trace.callPaths.size() && !questions.empty(); ++path)
        numberOf[codeOf(trace, path)] = path;
    std::vector<std::vector<CollectiveKind>> kinds;
    for (const auto &[content, number] : questions) {
        const auto path = numberOf.find(content);
        kinds.push_back(path == numberOf.end() ? std::vector<CollectiveKind>()
                                               : CommunicatorGuess::kindsOf(snapshot, share.ranks, {path->second, number}));
        for (CollectiveKind &kind : kinds.back())
            kind.reduction = kind.basicType = kind.call = none; // numbers of the share's own names
    }
    kinds = reduceForAll(transport, std::move(kinds),
                         [](std::vector<std::vector<CollectiveKind>> &all, const std::vector<std::vector<CollectiveKind>> &more) {
                             for (std::size_t i = 0; i < all.size(); ++i)
                                 addNew(all[i], more[i]);
                         });
    std::map<CallNumber, std::vector<CollectiveKind>> answers;
    for (const auto &[number, question] : questionOf)
        if (const auto at = std::ranges::find(questions, question); at != questions.end())
            answers[number] = kinds[static_cast<std::size_t>(at - questions.begin())];
    return [answers = std::move(answers)](CallNumber number) {
        const auto answer = answers.find(number);
        return answer == answers.end() ? std::vector<CollectiveKind>() : answer->second;
    };
}

} // namespace laggard
