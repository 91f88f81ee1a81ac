// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace laggard {

/// What of the timeline goes into a file, and how it looks there.
struct TimelineFileChoice {
    enum class Range { Shown, Whole, Selected };
    Range range = Range::Shown;
    bool isDark = false;
    int pngScale = 2; ///< pixels of a PNG for each of the page
    bool hasVerdict = false;
    bool operator==(const TimelineFileChoice &) const = default;
};

/// Asks for it, before the file is asked for. What was chosen last comes first; it is kept in the settings.
class TimelineExportDialog : public QDialog {
    Q_OBJECT

  public:
    /// `hasSelection`: some time is selected, and can be drawn alone.
    explicit TimelineExportDialog(bool hasSelection, QWidget *parent = nullptr);

    [[nodiscard]] TimelineFileChoice choice() const;
    void accept() override;

  private:
    QComboBox *m_range;
    QComboBox *m_colours;
    QComboBox *m_scale;
    QCheckBox *m_verdict;
};

} // namespace laggard
