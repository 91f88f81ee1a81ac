// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsModel.h"

#include "analysis/verdict/Describe.h"

#include "analysis/stacks/Hosts.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

// Internal ids: 0 is the top level, 1 + n the rows of group n.
constexpr quintptr topLevel = 0;

constexpr qsizetype leastShared = 32; ///< characters that are worth leaving out where others have said them

/// Rounded down, as confidences are everywhere: 0.999 is not certainty.
QString scoreText(double score) { return QString::number(confidencePercent(score) / 100.0, 'f', 2); }

QString whyToolTip(const Finding &finding, const RankSet &ranks, const QString &methods, const QString &reasons) {
    return toolTipText(rankPhrase(ranks) + (methods.isEmpty() ? QString() : "\n" + methods) + "\n" + reasons + "\n" +
                       FindingsModel::tr("Score %1 of 1, comparable within a method").arg(scoreText(finding.score)));
}

} // namespace

QString plainMethodName(std::string_view method) {
    static constexpr std::pair<std::string_view, const char *> names[] = {
        {"progress", QT_TRANSLATE_NOOP("FindingsModel", "who waits for whom")},
        {"delays", QT_TRANSLATE_NOOP("FindingsModel", "made others wait")},
        {"phases", QT_TRANSLATE_NOOP("FindingsModel", "change of behaviour")},
        {"outliers", QT_TRANSLATE_NOOP("FindingsModel", "unlike other ranks")},
        {"failstop", QT_TRANSLATE_NOOP("FindingsModel", "stopped before others")},
        {"messages", QT_TRANSLATE_NOOP("FindingsModel", "message came twice")},
        {"mpi_use", QT_TRANSLATE_NOOP("FindingsModel", "misuse of MPI")},
        {"crash", QT_TRANSLATE_NOOP("FindingsModel", "crash")},
        {"stacks", QT_TRANSLATE_NOOP("FindingsModel", "stood still")}};
    for (const auto &[key, name] : names)
        if (key == method)
            return FindingsModel::tr(name);
    return toLine(method);
}

void FindingsModel::setFindings(TracePtr trace, std::shared_ptr<const Verdict> verdict) {
    beginResetModel();
    m_trace = std::move(trace);
    m_verdict = std::move(verdict);
    rebuild();
    endResetModel();
}

void FindingsModel::setGroupedByHost(bool grouped) {
    beginResetModel();
    m_grouped = grouped;
    rebuild();
    endResetModel();
}

std::vector<std::size_t> FindingsModel::order() const {
    const std::vector<Finding> &findings = m_verdict->findings;
    // Scores are comparable within a method only; the verdict has its methods in order of what it rests on.
    std::map<std::string_view, std::size_t> places;
    for (const Finding &finding : findings)
        places.try_emplace(finding.method, places.size());
    std::vector<std::size_t> sorted(findings.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(places[findings[a].method], -findings[a].score) <
               std::pair(places[findings[b].method], -findings[b].score);
    });
    return sorted;
}

void FindingsModel::rebuild() {
    m_groups.clear();
    if (!m_verdict)
        return;
    if (m_grouped && m_trace) {
        groupByHost();
        return;
    }
    makeCauses();
    joinSimilar();
    foldWhatIsSaidAlready();
}

void FindingsModel::makeCauses() {
    const std::vector<Finding> &findings = m_verdict->findings;
    // Without a function nothing tells that two methods mean the same.
    const auto causeOf = [](const Finding &finding) {
        return std::tuple(std::cref(finding.ranks).get(), std::string_view(finding.function),
                          finding.function.empty() ? std::string_view(finding.method) : std::string_view(),
                          finding.function.empty() ? std::string_view(finding.file) : std::string_view(),
                          finding.function.empty() ? finding.line : 0);
    };
    std::map<decltype(causeOf(findings[0])), std::size_t> groupOf;
    std::string_view method;
    double cap = 1;  // the best of the methods before
    double best = 1; // the best of this method
    for (const std::size_t i : order()) {
        const Finding &finding = findings[i];
        if (finding.method != method) {
            cap = best;
            best = std::min(cap, finding.score);
            method = finding.method;
        }
        const auto [place, isNew] = groupOf.try_emplace(causeOf(finding), m_groups.size());
        if (isNew)
            m_groups.push_back({{}, finding.ranks, {}, std::min(cap, finding.score), false});
        m_groups[place->second].rows.push_back({i, finding.ranks});
    }
    std::stable_sort(m_groups.begin(), m_groups.end(), [](const Group &a, const Group &b) { return a.strength > b.strength; });
}

void FindingsModel::joinSimilar() {
    const std::vector<Finding> &findings = m_verdict->findings;
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> similar;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const Finding &lead = findings[m_groups[i].rows.front().finding];
        similar[{lead.method, lead.function}].push_back(i);
    }
    std::vector<bool> isJoined(m_groups.size(), false);
    for (const auto &[what, groups] : similar) {
        if (groups.size() <= mostSimilar)
            continue;
        Group &all = m_groups[groups.front()];
        all.similar = true;
        for (std::size_t i = 1; i < groups.size(); ++i) {
            const Group &joined = m_groups[groups[i]];
            all.rows.insert(all.rows.end(), joined.rows.begin(), joined.rows.end());
            all.ranks.insert(all.ranks.end(), joined.ranks.begin(), joined.ranks.end());
            isJoined[groups[i]] = true;
        }
        std::sort(all.ranks.begin(), all.ranks.end());
        all.ranks.erase(std::unique(all.ranks.begin(), all.ranks.end()), all.ranks.end());
    }
    std::size_t at = 0;
    std::erase_if(m_groups, [&](const Group &) { return isJoined[at++]; });
}

bool FindingsModel::saysTheSame(const Group &group, const Group &before) const {
    const Finding &lead = m_verdict->findings[before.rows.front().finding];
    const Finding &other = m_verdict->findings[group.rows.front().finding];
    if (lead.why == other.why)
        return lead.method == other.method && lead.function == other.function && !lead.why.empty();
    // The same ranks, and one sentence within the other.
    const auto &[part, whole] =
        std::minmax(lead.why, other.why, [](const auto &a, const auto &b) { return a.size() < b.size(); });
    return before.ranks == group.ranks && part.size() >= leastShared && whole.find(part) != std::string::npos;
}

void FindingsModel::foldWhatIsSaidAlready() {
    std::vector<Group> told;
    for (Group &group : m_groups) {
        const auto before = std::find_if(told.begin(), told.end(), [&](const Group &each) {
            return !each.similar && !group.similar && saysTheSame(group, each);
        });
        if (before == told.end()) {
            told.push_back(std::move(group));
            continue;
        }
        before->rows.insert(before->rows.end(), group.rows.begin(), group.rows.end());
        RankSet united;
        std::set_union(before->ranks.begin(), before->ranks.end(), group.ranks.begin(), group.ranks.end(),
                       std::back_inserter(united));
        before->ranks = std::move(united);
    }
    m_groups = std::move(told);
}

/// Whole sentences at the end that stand on a card above as well: what they advise holds for both.
QString FindingsModel::withoutRepeatedEnd(const QString &why, std::size_t group) const {
    qsizetype repeated = 0;
    for (std::size_t above = 0; above < group; ++above) {
        const QString other = toText(m_verdict->findings[m_groups[above].rows.front().finding].why);
        qsizetype same = 0;
        while (same < std::min(why.size(), other.size()) && why[why.size() - 1 - same] == other[other.size() - 1 - same])
            ++same;
        const qsizetype sentence = same < why.size() ? why.indexOf(QStringLiteral(". "), why.size() - same - 1) : -1;
        if (sentence >= 0)
            repeated = std::max(repeated, why.size() - sentence - 2);
    }
    return repeated < leastShared ? why : why.left(why.size() - repeated) + QChar(0x2026);
}

void FindingsModel::groupByHost() {
    std::map<std::string, std::size_t> positions;
    for (const std::size_t i : order()) {
        for (HostRanks &part : ranksByHost(*m_trace, m_verdict->findings[i].ranks)) {
            const auto [position, isNew] = positions.try_emplace(part.host, m_groups.size());
            if (isNew)
                m_groups.push_back({part.host, {}, {}, 0, false});
            Group &group = m_groups[position->second];
            RankSet united;
            std::set_union(group.ranks.begin(), group.ranks.end(), part.ranks.begin(), part.ranks.end(),
                           std::back_inserter(united));
            group.ranks = std::move(united);
            group.rows.push_back({i, std::move(part.ranks)});
        }
    }
}

const FindingsModel::Group *FindingsModel::group(const QModelIndex &index) const {
    return index.isValid() && index.internalId() == topLevel ? &m_groups[static_cast<std::size_t>(index.row())] : nullptr;
}

const FindingsModel::Row *FindingsModel::row(const QModelIndex &index) const {
    if (!index.isValid())
        return nullptr;
    if (const Group *top = group(index))
        return m_grouped ? nullptr : &top->rows.front();
    const std::size_t below = static_cast<std::size_t>(index.row()) + (m_grouped ? 0 : 1);
    return &m_groups[index.internalId() - 1].rows[below];
}

const Finding *FindingsModel::finding(const QModelIndex &index) const {
    const Row *found = row(index);
    return found == nullptr ? nullptr : &m_verdict->findings[found->finding];
}

std::size_t FindingsModel::likeCount(const QModelIndex &index) const {
    if (row(index) == nullptr)
        return 0;
    const Group *cause = group(index);
    return cause == nullptr ? 1 : cause->rows.size();
}

QString FindingsModel::reasons(const QModelIndex &index) const {
    const Row *found = row(index);
    if (found == nullptr)
        return {};
    constexpr qsizetype mostReasons = 12;
    const Group *cause = group(index);
    QStringList lines{toText(m_verdict->findings[found->finding].why)};
    for (std::size_t i = 1; cause != nullptr && i < cause->rows.size() && lines.size() < mostReasons; ++i)
        if (const QString why = toText(m_verdict->findings[cause->rows[i].finding].why); !lines.contains(why))
            lines << why;
    return lines.join('\n');
}

QString FindingsModel::agreement(const QModelIndex &index) const {
    const Group *cause = m_grouped ? nullptr : group(index);
    if (cause == nullptr || cause->similar)
        return {};
    QStringList lines;
    std::set<std::pair<std::string_view, RankSet>> told;
    for (const Row &row : cause->rows) {
        const Finding &finding = m_verdict->findings[row.finding];
        if (told.insert({finding.method, row.ranks}).second)
            lines << tr("%1: %2").arg(plainMethodName(finding.method), rankPhrase(row.ranks));
    }
    return lines.size() < 2 ? QString() : lines.join('\n');
}

RankSet FindingsModel::ranks(const QModelIndex &index) const {
    if (const Group *top = group(index))
        return top->ranks;
    const Row *found = row(index);
    return found == nullptr ? RankSet() : found->ranks;
}

double FindingsModel::strength(const QModelIndex &index) const {
    const Group *cause = m_grouped ? nullptr : group(index);
    const Finding *shown = finding(index);
    return cause != nullptr ? cause->strength : shown != nullptr ? shown->score : 0;
}

QString FindingsModel::methodsOf(const Group &group) const {
    const std::vector<Finding> &findings = m_verdict->findings;
    QStringList names;
    std::set<std::string_view> others;
    for (const Row &row : group.rows)
        if (others.insert(findings[row.finding].method).second)
            names << plainMethodName(findings[row.finding].method);
    if (names.size() > 2)
        return tr("%1, and %2 agree").arg(names.front(), countText(static_cast<std::uint64_t>(names.size() - 1), "other method"));
    if (names.size() == 2)
        return tr("%1 and %2").arg(names.front(), names.back());
    std::set<std::string_view> reasons;
    for (const Row &row : group.rows)
        reasons.insert(findings[row.finding].why);
    if (group.similar)
        return tr("%1, each by itself").arg(names.front());
    return reasons.size() > 1 ? tr("%1, %2 times").arg(names.front()).arg(reasons.size()) : names.front();
}

QString FindingsModel::ownWords(const QString &why, const Group &group) const {
    // Where reasons begin alike, only the part from where they differ is shown: peer, tag, communicator, iteration.
    const QString lead = toText(m_verdict->findings[group.rows.front().finding].why);
    if (lead == why && !group.similar)
        return tr("the same");
    if (lead.size() >= leastShared && why.contains(lead))
        return QString(why).replace(lead, QString(QChar(0x2026))).trimmed();
    qsizetype shared = why.size();
    bool any = false;
    for (const Row &row : group.rows) {
        const QString other = toText(m_verdict->findings[row.finding].why);
        if (other == why)
            continue;
        any = true;
        qsizetype same = 0;
        while (same < std::min({shared, why.size(), other.size()}) && why[same] == other[same])
            ++same;
        shared = same;
    }
    const qsizetype word = any && shared > 0 ? why.lastIndexOf(' ', shared - 1) + 1 : 0;
    return word < leastShared ? why : QChar(0x2026) + QStringLiteral(" ") + why.mid(word);
}

FindingsModel::Card FindingsModel::card(const QModelIndex &index) const {
    const Finding *shown = finding(index);
    if (shown == nullptr)
        return {};
    const Group *cause = m_grouped ? nullptr : group(index);
    Card card;
    card.strength = strength(index);
    const QString place = placeText(shown->file, shown->line, shown->isDefinition);
    card.title = rankPhrase(cause != nullptr && !cause->similar ? cause->ranks : row(index)->ranks);
    if (cause != nullptr && cause->similar)
        card.title =
            tr("%1 and %2")
                .arg(rankPhrase(row(index)->ranks), countText(cause->ranks.size() - row(index)->ranks.size(), "more rank"));
    if (!shown->function.empty())
        card.title += QStringLiteral(" · ") + toLine(shown->function);
    card.methods = cause != nullptr ? methodsOf(*cause) : plainMethodName(shown->method);
    if (!place.isEmpty())
        card.methods += QStringLiteral(" · ") + place;
    card.sentence = toText(shown->why);
    if (cause != nullptr)
        card.sentence = withoutRepeatedEnd(card.sentence, static_cast<std::size_t>(index.row()));
    if (!index.parent().isValid() || m_grouped)
        return card;
    card.sentence = ownWords(card.sentence, m_groups[index.internalId() - 1]);
    return card;
}

QModelIndex FindingsModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex FindingsModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == topLevel)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, topLevel);
}

int FindingsModel::rowCount(const QModelIndex &parent) const {
    if (parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    const Group *top = group(parent);
    return top == nullptr ? 0 : static_cast<int>(top->rows.size()) - (m_grouped ? 0 : 1);
}

int FindingsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant FindingsModel::hostData(const Group &group, int column, int role) const {
    const QString host = group.host.empty() ? tr("unknown host") : toLine(group.host);
    if (role == Qt::ToolTipRole)
        return toolTipText(tr("All suspects on %1: %2").arg(host, rankPhrase(group.ranks)));
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    if (column == Ranks)
        return role == ExportRole ? toText(formatRanges(group.ranks))
                                  : tr("%1: %2, %3").arg(host, rankPhrase(group.ranks), countText(group.rows.size(), "finding"));
    if (column == Method && role == ExportRole)
        return host;
    return {};
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const {
    if (const Group *host = m_grouped ? group(index) : nullptr)
        return hostData(*host, index.column(), role);
    const Finding *shown = finding(index);
    if (shown == nullptr)
        return {};
    const RankSet &shownRanks = row(index)->ranks;
    if (role == Qt::ToolTipRole)
        return whyToolTip(*shown, shownRanks, agreement(index), reasons(index));
    if (role == Qt::AccessibleTextRole) {
        const Card words = card(index);
        return tr("%1, %2, strength %3: %4").arg(words.title, words.methods, scoreText(words.strength), words.sentence);
    }
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == Score ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ExportRole && role != SortRole)
        return {};
    switch (index.column()) {
    case Ranks:
        return role == ExportRole ? toText(formatRanges(shownRanks)) : rankText(shownRanks);
    case Method:
        return toLine(shown->method);
    case Function:
        return toLine(shown->function);
    case Place:
        return role == ExportRole && !shown->file.empty()
                   ? toText(shown->file) + (shown->line == 0 ? QString() : ':' + QString::number(shown->line))
                   : placeText(shown->file, shown->line, shown->isDefinition);
    case Score:
        return role == Qt::DisplayRole ? QVariant(scoreText(shown->score)) : QVariant(shown->score);
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Ranks"), QT_TR_NOOP("Ranks in MPI_COMM_WORLD that the finding is about")},
        {QT_TR_NOOP("Method"), QT_TR_NOOP("The analysis that found it")},
        {QT_TR_NOOP("Function"), QT_TR_NOOP("Innermost function")},
        {QT_TR_NOOP("Source"), QT_TR_NOOP("File and line of the function, or of its nearest caller with a known source")},
        {QT_TR_NOOP("Score"), QT_TR_NOOP("0 to 1, comparable within a method"), nullptr, true},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
