// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard::collect {

/// Where calls of the C library are recorded (collect/libc), those that the recorder has to know of anyway tell of themselves by
/// these. Elsewhere the library is not linked, and they are null.
///
/// A call begins; `frame` is a variable of the function that makes it, and `name` the library's for it, a literal. False: it is
/// not recorded.
[[gnu::weak, nodiscard]] bool callBegins(const void *frame, const char *name, std::int64_t argument, std::int64_t second);
/// It has returned this; keeps errno.
[[gnu::weak]] void callReturns(std::int64_t result);

/// A call of the kind, if it is recorded. One that does not return stays open.
class HookedCall {
  public:
    HookedCall(const char *name, std::int64_t argument, std::int64_t second = 0) {
        if (callBegins != nullptr)
            m_isOpen = callBegins(this, name, argument, second);
    }
    template <typename T> T returns(T result) {
        if (m_isOpen)
            callReturns(result);
        return result;
    }

  private:
    bool m_isOpen = false;
};

} // namespace laggard::collect
