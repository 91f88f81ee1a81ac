// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Slice.h"
#include "trace/Trace.h"
#include "views/selection/Selection.h"
#include "views/source/PathMap.h"

#include <QWidget>

#include <map>
#include <memory>

class QComboBox;
class QStackedWidget;

namespace laggard {

class ElidedLabel;
class FindBar;
class NotFoundPage;
class SelectionModel;
class SourceEditor;

/// The call stack that a selection stands for, innermost frame first. It belongs to the node, the call path, the function, or the
/// open calls of the first selected rank, whichever of these the selection has first. `waits` and `progress` may be null.
[[nodiscard]] std::vector<Frame> framesOfSelection(const Selection &selection, const Trace &trace, const WaitForGraph *waits,
                                                   const ProgressGraph *progress);

/// The source of the selected state, at its line; its callers can be chosen above the text.
class SourceView : public QWidget {
    Q_OBJECT

  public:
    explicit SourceView(SelectionModel &selection, QWidget *parent = nullptr);

    /// A null trace empties the view; the others may be null.
    void setReport(TracePtr trace, std::shared_ptr<const WaitForGraph> waits, std::shared_ptr<const ProgressGraph> progress);

    /// What is shown, without a mark, where the selection has no source of its own: where most of the time went. It holds until
    /// the next trace.
    void setUsual(std::optional<Frame> usual);

    [[nodiscard]] const PathMap &pathMap() const { return m_paths; }
    void setPathMap(const PathMap &paths);

    /// Shows frame `index` of the selected stack; 0 is the innermost.
    void setFrame(int index);
    [[nodiscard]] int frame() const;
    [[nodiscard]] const std::vector<Frame> &frames() const { return m_frames; }

    /// The slice whose lines are marked in the files that are shown; the line of the selected step is shown. Null: none.
    void setSlice(SlicePtr slice);
    /// Lines that are not in the slice are dimmed while a step of it is selected.
    void setDimming(bool isOn);

    /// Shows the file at `path` as the source of the current frame, and files beside it for other frames.
    void locate(const QString &path);

    /// Lets the user say which folders are where.
    void askForMapping();

    [[nodiscard]] SourceEditor *editor() const { return m_editor; }
    [[nodiscard]] NotFoundPage *notFoundPage() const { return m_notFound; }
    [[nodiscard]] FindBar *findBar() const { return m_find; }
    /// The file that is shown; empty if none is.
    [[nodiscard]] QString shownFile() const;

  signals:
    void pathMapChanged(const laggard::PathMap &paths);

  private:
    void addActions();
    void showSelection(const Selection &selection);
    void showFrame();
    /// Whether the trace says where a caller of the shown frame is.
    [[nodiscard]] bool hasCallerWithSource() const;
    void showSource(const Frame &frame);
    void markSlice();
    void askForFile();
    void findSliceFiles();
    /// The line of the selected step; nullptr if none is.
    [[nodiscard]] const SliceLine *currentStep() const;
    [[nodiscard]] const Frame *currentFrame() const;

    TracePtr m_trace;
    std::shared_ptr<const WaitForGraph> m_waits;
    std::shared_ptr<const ProgressGraph> m_progress;
    SelectionModel &m_selection;
    PathMap m_paths;
    std::optional<Frame> m_usual;
    bool m_isUsual = false; ///< that is what is shown
    std::vector<Frame> m_frames;
    SlicePtr m_slice;
    std::map<std::string, QString> m_sliceFiles; ///< by name in the slice: where they are
    bool m_isDimming = true;
    QString m_shown; ///< file in the editor

    QComboBox *m_frameBox;
    ElidedLabel *m_place;
    QStackedWidget *m_pages;
    SourceEditor *m_editor;
    NotFoundPage *m_notFound;
    FindBar *m_find;
};

} // namespace laggard
