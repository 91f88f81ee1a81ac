// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace laggard {

/// Members of a communicator. Copies share one list, as programs make many communicators of the same ranks: a small file may
/// define thousands of them with thousands of members. Reads like a vector, and is one to whoever takes a const one.
class MemberList {
  public:
    MemberList() = default;
    MemberList(std::initializer_list<Rank> ranks) : MemberList(std::vector<Rank>(ranks)) {}
    explicit MemberList(std::vector<Rank> ranks) : m_ranks(std::make_shared<std::vector<Rank>>(std::move(ranks))) {}
    MemberList &operator=(std::initializer_list<Rank> ranks) { return *this = std::vector<Rank>(ranks); }
    MemberList &operator=(std::vector<Rank> ranks) {
        m_ranks = std::make_shared<std::vector<Rank>>(std::move(ranks));
        return *this;
    }

    [[nodiscard]] const std::vector<Rank> &ranks() const {
        static const std::vector<Rank> nobody;
        return m_ranks == nullptr ? nobody : *m_ranks;
    }
    operator const std::vector<Rank> &() const { return ranks(); }
    /// The members, to be changed in this list alone: they are copied first if others share them.
    [[nodiscard]] std::vector<Rank> &edit() {
        if (m_ranks == nullptr || m_ranks.use_count() != 1)
            m_ranks = std::make_shared<std::vector<Rank>>(ranks());
        return *m_ranks;
    }

    [[nodiscard]] auto begin() const { return ranks().begin(); }
    [[nodiscard]] auto end() const { return ranks().end(); }
    [[nodiscard]] std::size_t size() const { return ranks().size(); }
    [[nodiscard]] bool empty() const { return ranks().empty(); }
    [[nodiscard]] Rank operator[](std::size_t position) const { return ranks()[position]; }
    [[nodiscard]] Rank front() const { return ranks().front(); }
    [[nodiscard]] Rank back() const { return ranks().back(); }
    friend bool operator==(const MemberList &a, const MemberList &b) { return a.m_ranks == b.m_ranks || a.ranks() == b.ranks(); }
    friend bool operator==(const MemberList &a, const std::vector<Rank> &b) { return a.ranks() == b; }

  private:
    std::shared_ptr<std::vector<Rank>> m_ranks; ///< nullptr: nobody
};

} // namespace laggard
