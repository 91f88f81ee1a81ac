// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/SelectionModel.h"
#include "views/selection/ZoomFilterStack.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace laggard {

class ElidedLabel;
class TimelineWidget;

/// What of two runs is taken for the same moment.
enum class AlignedAt { Start, End, Phase, Departure, Moments };

/// The timeline of another run, with how it is aligned; while it is being read, how far that is.
class OtherRunPane : public QWidget {
    Q_OBJECT

  public:
    explicit OtherRunPane(QWidget *parent = nullptr);

    /// While it is read. `fraction` is 0..1, negative where the amount of work is unknown.
    void showProgress(const QString &what, double fraction);
    void showTimeline();
    /// The run's name, and a remark behind it.
    void setTitle(const QString &file, const QString &remark = {});
    /// Ways that there are with these runs; the others cannot be chosen.
    void setPossible(AlignedAt alignment, bool isPossible);
    void setAlignment(AlignedAt alignment);
    [[nodiscard]] AlignedAt alignment() const;
    /// The moments for AlignedAt::Moments, in seconds from the start of each run.
    void setMoments(double here, double there);
    [[nodiscard]] std::pair<double, double> moments() const;

    [[nodiscard]] TimelineWidget &timeline() { return *m_timeline; }
    [[nodiscard]] SelectionModel &selection() { return m_selection; }
    [[nodiscard]] ZoomFilterStack &zoomFilter() { return m_zoomFilter; }

  signals:
    void alignmentChosen();
    void cancelRequested();
    void closeRequested();

  private:
    QWidget *makeBar();
    QWidget *makeProgress();

    SelectionModel m_selection;
    ZoomFilterStack m_zoomFilter;
    TimelineWidget *m_timeline;
    QStackedWidget *m_pages;
    ElidedLabel *m_title;
    QComboBox *m_alignment;
    QWidget *m_moments;
    QDoubleSpinBox *m_here;
    QDoubleSpinBox *m_there;
    QToolButton *m_close;
    ElidedLabel *m_what;
    QProgressBar *m_progress;
};

} // namespace laggard
