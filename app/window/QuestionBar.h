// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Question.h"

#include <QWidget>

class QAction;

namespace laggard {

/// "Hang", "Slow", "Behaviour", "Explore".
[[nodiscard]] QString questionText(Question question);
/// What the layout for it shows: a sentence for a tooltip.
[[nodiscard]] QString questionTip(Question question);

/// The layouts as a bar of segments; one of them is on.
class QuestionBar : public QWidget {
    Q_OBJECT

  public:
    /// `actions` by question: the bar's segments show and trigger them.
    explicit QuestionBar(const QList<QAction *> &actions, QWidget *parent = nullptr);
};

} // namespace laggard
