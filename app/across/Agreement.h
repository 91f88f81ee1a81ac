// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Transport.h"

#include <functional>
#include <stdexcept>
#include <string>

namespace laggard {

/// What a process of several could not do, known to all of them: who, and why.
class TogetherError : public std::runtime_error {
  public:
    TogetherError(const std::string &sentence, bool isOfInput) : std::runtime_error(sentence), m_isOfInput(isOfInput) {}
    /// The input cannot be read; else it cannot be done in this way.
    [[nodiscard]] bool isOfInput() const { return m_isOfInput; }

  private:
    bool m_isOfInput;
};

/// Does `work` in every process. If it throws ReadError, std::invalid_argument or std::bad_alloc in some, throws TogetherError in
/// all of them, so that nobody waits for one that has given up: with the first one's sentence, and, where not all say the same,
/// which process said it. All processes call it.
void doTogether(Transport &transport, const std::function<void()> &work);

} // namespace laggard
