// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/canvas/GraphCanvas.h"
#include "views/semimarkov/SemiMarkovFocus.h"
#include "views/semimarkov/SmmPicture.h"

namespace laggard {

/// The clustered semi-Markov model on the screen: an edge chooses its transition, a node selects its call path.
class SmmGraphView : public GraphCanvas {
    Q_OBJECT

  public:
    explicit SmmGraphView(SemiMarkovFocus &focus, QWidget *parent = nullptr);

    void setFilter(const SmmFilter &filter);
    [[nodiscard]] const SmmFilter &filter() const { return m_filter; }
    [[nodiscard]] const SmmPicture &smmPicture() const { return m_smm; }

    /// The picture for a file: SVG, PNG, PDF or DOT by the ending of `path`. Throws PictureError.
    [[nodiscard]] QByteArray file(const QString &path) const;

  signals:
    /// What is drawn has changed; the layout follows.
    void pictureChanged();
    /// An edge was chosen by hand, also if it was chosen before.
    void transitionChosen();

  protected:
    void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) override;
    void chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers modifiers) override;
    void chooseNothing() override;
    void updateEmphasis() override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] std::uint32_t firstNode() const override;
    [[nodiscard]] qreal firstScale() const override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void draw();
    /// Rightwards in a panel that is wider than high.
    [[nodiscard]] SmmFlow flow() const;
    void followTransition();
    /// The transition that is chosen at first is more than what took most time.
    [[nodiscard]] bool isOfInterest() const;
    /// The transition that is taken most often out of a state; `none` out of one that nobody left.
    [[nodiscard]] std::uint32_t likeliestFrom(std::uint32_t state) const;
    /// Marks what is selected, and leaves the picture where it is.
    void markSelection();
    /// A filter by cluster goes on with the cluster of the new cut that has most of the same ranks.
    void followCut();

    SemiMarkovFocus &m_focus;
    SmmFilter m_filter;
    RankSet m_filteredRanks; ///< ranks of the cluster that the filter shows; empty without one
    SmmPicture m_smm;
    SmmFlow m_flow = SmmFlow::Downwards; ///< the direction in which it is drawn
};

} // namespace laggard
