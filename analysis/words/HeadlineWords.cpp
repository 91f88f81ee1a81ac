// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/HeadlineWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/CrashWords.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace laggard {
namespace {

using Say = HeadlineFacts::Kind;

std::size_t wordsOf(std::string_view text) {
    std::size_t words = 0;
    bool inWord = false;
    for (const char c : text) {
        words += c != ' ' && !inWord ? 1 : 0;
        inWord = c != ' ';
    }
    return words;
}

/// "Rank 3", "Ranks 3 and 5", "Ranks 4-15"; of sets that have no short name "7 ranks".
std::string whoShort(const RankSet &ranks) {
    constexpr std::size_t longest = 16; // characters
    if (ranks.size() == 1)
        return "Rank " + std::to_string(ranks.front());
    if (ranks.size() == 2)
        return "Ranks " + std::to_string(ranks[0]) + " and " + std::to_string(ranks[1]);
    const std::string list = formatRanges(ranks);
    return list.size() <= longest ? "Ranks " + list : plural(ranks.size(), "rank");
}

/// The same within a sentence.
std::string whomShort(const RankSet &ranks) {
    std::string text = whoShort(ranks);
    text.front() = text.front() == 'R' ? 'r' : text.front();
    return text;
}

/// A function's own name as one word: without its result, its arguments and what stands in angle brackets.
std::string oneWord(std::string function) {
    constexpr std::size_t longest = 40; // characters: what a headline has room for
    constexpr std::string_view nameless = "(anonymous namespace)::";
    for (std::size_t at = 0; (at = function.find(nameless, at)) != std::string::npos;)
        function.erase(at, nameless.size());
    if (function.starts_with(openMpLibrary))
        return std::string(openMpLibrary);
    std::string name;
    int depth = 0;
    for (const char c : function) {
        if (c == '(' && depth == 0 && !name.empty())
            break;
        depth += c == '<' ? 1 : 0;
        if (depth == 0)
            name += c;
        depth -= c == '>' && depth > 0 ? 1 : 0;
    }
    if (const std::size_t blank = name.find_last_of(' '); blank != std::string::npos)
        name.erase(0, blank + 1);
    if (name.empty())
        name = function.substr(0, function.find(' '));
    if (name.size() <= longest)
        return name;
    std::size_t from = name.size() - longest; // the end of a qualified name tells most; no character is cut
    while (from < name.size() && (static_cast<unsigned char>(name[from]) & 0xc0U) == 0x80U)
        ++from;
    return "…" + name.substr(from);
}

/// A headline that grows by clauses, as long as there is room for them.
class Headliner {
  public:
    explicit Headliner(std::string text) : m_text(std::move(text)) {}
    Headliner &add(const std::string &clause) {
        if (!clause.empty() && wordsOf(m_text + clause) <= mostHeadlineWords)
            m_text += clause;
        return *this;
    }
    Headliner &in(const HeadlineFacts &facts, const char *before = " in ") {
        return facts.function.empty() ? *this : add(before + oneWord(plainFunctionName(facts.function)));
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

  private:
    std::string m_text;
};

std::string timesText(double times) {
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), times < 9.95 ? "%.1f" : "%.0f", times);
    return text.data();
}

/// "; 15 ranks wait"
std::string waitersTail(const HeadlineFacts &facts) {
    return facts.others == 0 ? std::string() : "; " + plural(facts.others, "rank") + (facts.others == 1 ? " waits" : " wait");
}

std::string hungHeadline(const HeadlineFacts &facts) {
    const std::string name = whoShort(facts.ranks);
    const bool one = facts.ranks.size() == 1;
    const std::string others = facts.others == 0 ? "others" : plural(facts.others, "rank");
    const std::string wait = facts.others == 1 ? " waits for" : " wait for";
    switch (facts.kind) {
    case Say::Computing:
        return Headliner(name + (one ? " holds up " : " hold up ") + others).in(facts).text();
    case Say::Spinning:
        return name + " spin; their MPI calls bring nothing";
    case Say::Stuck:
        return Headliner(name + (one ? " is stuck" : " are stuck")).in(facts).add(waitersTail(facts)).text();
    case Say::Halted:
        return Headliner(name + (one ? " was" : " were") + " stopped by a signal").add(waitersTail(facts)).text();
    case Say::LeftEarly:
        return Headliner(name + " left early").add(waitersTail(facts)).in(facts).text();
    case Say::MissingSend:
        return name + " never sent what " + others + wait;
    case Say::LostMessage:
        return "A message that " + whomShort(facts.ranks) + (one ? " waits" : " wait") + " for has not arrived";
    case Say::Deadlock:
        return one ? Headliner(name + " waits for itself").in(facts).text()
                   : Headliner("Deadlock: " + whomShort(facts.ranks) + " wait for each other").in(facts).text();
    case Say::Mismatch:
        if (facts.ending != HeadlineFacts::Ending::Unknown)
            return Headliner(name + (one ? " disagrees" : " disagree") + " about a collective")
                .in(facts)
                .add(": " + endingOf(facts))
                .text();
        return Headliner("Ranks disagree about a collective")
            .add("; " + whomShort(facts.ranks) + (one ? " is in " : " are in ") +
                 (facts.function.empty() ? std::string("another") : oneWord(plainFunctionName(facts.function))))
            .text();
    case Say::Untaken:
        return Headliner("Nobody receives a message that is sent").in(facts).add(waitersTail(facts)).text();
    case Say::Misfit:
        return Headliner(!one               ? "The two ends of a message do not fit"
                         : facts.isReceiver ? name + " asks for another message than was sent"
                                            : name + " sent a message that does not fit")
            .add(waitersTail(facts))
            .text();
    case Say::OddReceive:
        return Headliner(name + (one ? " receives" : " receive") + " otherwise than before").in(facts).text();
    case Say::HoldsLock:
        return Headliner(name + " keeps a lock that " + others + wait).in(facts).text();
    case Say::HabitBreak:
        return Headliner(name + (facts.isKept ? " does not pass a message on" : " did something else than before"))
            .add(waitersTail(facts))
            .text();
    case Say::NoSender:
        return name + (one ? " waits" : " wait") + " for a message that nobody sends";
    case Say::LeftOut:
        return name + " left out what " + others + wait;
    case Say::NoDump:
        return name + " left no dump; others may wait for " + (one ? "it" : "them");
    case Say::Behind:
        return Headliner(name + (one ? " has" : " have") + " made the least progress").in(facts, ", in ").text();
    default:
        return facts.known == facts.job
                   ? std::string("The job stands still; nobody can be singled out")
                   : "Nobody can be singled out; " + describeCount(facts.job - facts.known) + " of " + plural(facts.job, "rank") +
                         (facts.job - facts.known == 1 ? " is" : " are") + " damaged";
    }
}

std::string slowHeadline(const HeadlineFacts &facts) {
    const std::string name = whoShort(facts.ranks);
    const bool one = facts.ranks.size() == 1;
    switch (facts.kind) {
    case Say::Delayed:
    case Say::DelayedOnce:
        return Headliner(name + " delayed " + (facts.others == 0 ? "others" : plural(facts.others, "rank")))
            .add(facts.seconds ? " by " + describeDuration(*facts.seconds) : std::string())
            .add(facts.kind == Say::DelayedOnce ? " once," : "")
            .in(facts)
            .text();
    case Say::Slower:
        return Headliner(facts.ranks.empty() ? std::string("Steps take") : name + (one ? " computes" : " compute"))
            .add(facts.times ? ' ' + timesText(*facts.times) + " times" : std::string())
            .add(facts.ranks.empty() ? " longer" : " slower")
            .add(facts.at ? " from " + describeDuration(*facts.at) + " on" : std::string())
            .in(facts, ", in ")
            .text();
    case Say::Exception:
        return Headliner(name + " took " + (facts.seconds ? describeDuration(*facts.seconds) : std::string("long")))
            .in(facts)
            .add(facts.usual && *facts.usual > 0 ? ", usual up to " + describeDuration(*facts.usual) : std::string())
            .text();
    case Say::Stopped:
        return Headliner(name + " stopped")
            .add(facts.seconds ? ' ' + describeDuration(*facts.seconds) : "")
            .add(" before the others")
            .in(facts)
            .text();
    case Say::RepeatedMessage:
        return Headliner(name + " received a message twice").in(facts).text();
    default:
        return Headliner(name + (one ? " spends its" : " spend their") + " time differently").in(facts, ", in ").text();
    }
}

std::string finishedHeadline(const HeadlineFacts &facts) {
    constexpr double little = 0.05; // share of the ranks' time: what the gate of slowness does not speak of
    const bool isWhole = facts.known == facts.job;
    Headliner line(!isWhole ? describeCount(facts.known) + " of " + plural(facts.job, "rank") + " finished, as far as known"
                   : facts.job == 1 ? std::string("The only process finished")
                   : facts.job == 2 ? std::string("Both ranks finished")
                                    : "All " + plural(facts.job, "rank") + " finished");
    if (facts.share && isWhole && facts.job > 1)
        line.add(*facts.share < little ? std::string("; nobody waited long")
                                       : "; waiting took " + describeShare(*facts.share) + " of the time");
    return line.text();
}

std::string misuseHeadline(const HeadlineFacts &facts) {
    const bool one = facts.ranks.size() == 1;
    const std::string name = "Finished, but " + whomShort(facts.ranks);
    switch (facts.kind) {
    case Say::Disagreed:
        return Headliner(name + (one ? " disagrees" : " disagree") + " about a collective").in(facts).text();
    case Say::Unreceived:
        return Headliner(one ? name + " never received its own message"
                             : "Finished, but a message between " + whomShort(facts.ranks) + " was never received")
            .text();
    case Say::Unwaited:
        return Headliner(name + " left a request unfinished").in(facts).text();
    default:
        return Headliner(name + (one ? " has another datatype" : " have different datatypes") + " for a message").text();
    }
}

void addFigure(std::vector<Figure> &figures, const std::optional<double> &seconds, std::string label) {
    if (seconds)
        figures.push_back({describeDuration(*seconds), std::move(label)});
}

} // namespace

std::string endingOf(const HeadlineFacts &facts) {
    switch (facts.ending) {
    case HeadlineFacts::Ending::MpiError:
        return "MPI error";
    case HeadlineFacts::Ending::Signal:
        return describeSignal(facts.endValue);
    case HeadlineFacts::Ending::OwnSignal:
        return nameOfSignal(facts.endValue);
    case HeadlineFacts::Ending::Aborted:
        return "MPI_Abort";
    case HeadlineFacts::Ending::ExitStatus:
        return "exit status " + std::to_string(facts.endValue);
    case HeadlineFacts::Ending::Killed:
        return "killed";
    case HeadlineFacts::Ending::Unknown:
        break;
    }
    return {};
}

std::string headlineOf(const HeadlineFacts &facts) {
    switch (facts.kind) {
    case Say::Unknown:
        return "What became of the job is not known";
    case Say::Running:
        return Headliner(facts.ranks.empty() ? std::string("The job was still running")
                                             : plural(facts.others, "rank") + " waited for " + whomShort(facts.ranks))
            .in(facts)
            .text();
    case Say::Finished:
        return finishedHeadline(facts);
    case Say::Crashed:
        if (facts.ending == HeadlineFacts::Ending::OwnSignal)
            return Headliner(whoShort(facts.ranks) + (facts.ranks.size() == 1 ? " ended itself" : " ended themselves") + " by " +
                             endingOf(facts))
                .in(facts)
                .text();
        if (facts.ending == HeadlineFacts::Ending::Aborted)
            return Headliner(whoShort(facts.ranks) + " called MPI_Abort").in(facts).text();
        return Headliner(whoShort(facts.ranks) + (facts.ending == HeadlineFacts::Ending::ExitStatus ? " exited" : " crashed"))
            .in(facts)
            .add(facts.ending == HeadlineFacts::Ending::Unknown ? "" : ": " + endingOf(facts))
            .text();
    case Say::Delayed:
    case Say::DelayedOnce:
    case Say::Slower:
    case Say::Exception:
    case Say::Stopped:
    case Say::Unlike:
    case Say::RepeatedMessage:
        return slowHeadline(facts);
    case Say::Disagreed:
    case Say::Unreceived:
    case Say::Unwaited:
    case Say::OtherType:
        return misuseHeadline(facts);
    default:
        return hungHeadline(facts);
    }
}

std::vector<Figure> figuresOf(const HeadlineFacts &facts) {
    std::vector<Figure> figures;
    const std::string ofJob = describeCount(facts.others) + " of " + describeCount(facts.job);
    switch (facts.kind) {
    case Say::Unknown:
    case Say::Running:
        addFigure(figures, facts.at ? facts.at : facts.jobSeconds, facts.at ? "looked at" : "of it are in the trace");
        if (facts.others != 0)
            figures.push_back({ofJob, "ranks waited then"});
        if (facts.known != facts.job)
            figures.push_back({describeCount(facts.known) + " of " + describeCount(facts.job), "ranks could be read whole"});
        break;
    case Say::Finished:
    case Say::Disagreed:
    case Say::Unreceived:
    case Say::Unwaited:
    case Say::OtherType:
        addFigure(figures, facts.jobSeconds, "run time");
        addFigure(figures, facts.seconds, "longest wait");
        if (facts.share)
            figures.push_back({describeShare(*facts.share), "of the ranks' time was waiting"});
        break;
    case Say::Delayed:
    case Say::DelayedOnce:
        addFigure(figures, facts.at, "longest wait begins");
        addFigure(figures, facts.seconds, "lost by each who waited");
        if (facts.share)
            figures.push_back({describeShare(*facts.share), "of all waiting"});
        break;
    case Say::Slower:
    case Say::Exception:
        addFigure(figures, facts.at, "it began");
        addFigure(figures, facts.seconds,
                  facts.usual ? "usual is up to " + describeDuration(*facts.usual) : std::string("it took"));
        if (facts.share)
            figures.push_back({describeShare(*facts.share), "of all waiting"});
        break;
    case Say::Crashed:
        addFigure(figures, facts.at, "it ended");
        break;
    case Say::Mismatch:
        addFigure(figures, facts.at, facts.ending == HeadlineFacts::Ending::Unknown ? "last progress of a rank" : "it ended");
        addFigure(figures, facts.seconds, "without progress since");
        if (facts.others != 0)
            figures.push_back({ofJob, "ranks wait"});
        break;
    default:
        // When the last of those concerned came to wait: whom the others wait for was in its call before.
        addFigure(figures, facts.at, "last progress of a rank");
        addFigure(figures, facts.seconds, "without progress since");
        if (facts.others != 0)
            figures.push_back({ofJob, "ranks wait"});
        else if (facts.known != facts.job)
            figures.push_back({describeCount(facts.known) + " of " + describeCount(facts.job), "ranks could be read whole"});
        break;
    }
    return figures;
}

} // namespace laggard
