// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace laggard {

/// Asks for what holds for all traces: colours, memory, calls in the timeline, size of the source text, servers of debug
/// information.
class PreferencesDialog : public QDialog {
    Q_OBJECT

  public:
    explicit PreferencesDialog(const Preferences &preferences, QWidget *parent = nullptr);

    /// As edited.
    [[nodiscard]] Preferences preferences() const;

  private:
    void fill(const Preferences &preferences);
    QWidget *makeMemory();

    QComboBox *m_appearance;
    QComboBox *m_memory;
    QSpinBox *m_megabytes;
    QComboBox *m_callLines;
    QSpinBox *m_sourcePoints;
    QCheckBox *m_debugServers;
};

} // namespace laggard
