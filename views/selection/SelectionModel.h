// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/Selection.h"

#include <QObject>

#include <vector>

namespace laggard {

/// The one selection of a window, with its history (Alt+Left, Alt+Right). Views listen to `changed` and call `select`.
class SelectionModel : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    [[nodiscard]] const Selection &current() const { return m_history[m_position]; }

    void select(const Selection &selection, SelectMode mode = SelectMode::Replace);
    void clear() { select({}); }
    /// Forgets the history; for a new trace.
    void reset();

    [[nodiscard]] bool canGoBack() const { return m_position > 0; }
    [[nodiscard]] bool canGoForward() const { return m_position + 1 < m_history.size(); }
    void goBack();
    void goForward();

  signals:
    void changed(const laggard::Selection &selection);

  private:
    std::vector<Selection> m_history = {Selection()};
    std::size_t m_position = 0;
};

} // namespace laggard
