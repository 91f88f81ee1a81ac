// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/units/UnitTreeView.h"

#include "views/graph/ExportPicture.h"
#include "views/kit/ItemView.h"
#include "views/units/UnitTreePicture.h"

namespace laggard {

UnitTreeView::UnitTreeView(SelectionModel &selection, QWidget *parent) : GraphCanvas(parent), m_selection(selection) {
    setAccessibleName(tr("Calls of the unit"));
    setAccessibleDescription(tr("What the unit called beside what the model has"));
    connect(&m_selection, &SelectionModel::changed, this, &UnitTreeView::updateEmphasis);
}

void UnitTreeView::setTree(TracePtr trace, const JudgedUnit &unit, UnitTree tree) {
    m_trace = std::move(trace);
    m_unit = unit;
    m_tree = std::move(tree);
    startAnew();
    GraphPicture picture = unitTreePicture(*m_trace, m_unit, *m_tree);
    m_caption = picture.title + QLatin1Char('.');
    for (const PictureText &remark : picture.remarks)
        m_caption += QLatin1Char(' ') + remark.text;
    setPicture(std::move(picture));
}

void UnitTreeView::clear(const QString &sentence) {
    m_tree.reset();
    m_trace.reset();
    m_sentence = sentence;
    m_caption.clear();
    clearPicture();
}

void UnitTreeView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers) {
    if (!m_tree || node >= m_tree->calls.size())
        return;
    emphasis().selectedNodes = {node};
    if (const CallPathId path = m_tree->calls[node].callPath; path != none) {
        Selection selection = m_selection.current();
        selection.callPath = path;
        selection.ranks = {m_unit.rank};
        m_selection.select(selection);
        emit chosen();
        emphasis().selectedNodes = {node};
    }
    ensureVisible(node);
    update();
}

void UnitTreeView::updateEmphasis() {
    emphasis().selectedNodes.clear();
    const CallPathId path = m_selection.current().callPath;
    if (m_tree && path != none)
        for (std::uint32_t node = 0; node < m_tree->calls.size(); ++node)
            if (m_tree->calls[node].callPath == path)
                emphasis().selectedNodes.insert(node);
    update();
}

QByteArray UnitTreeView::file(const QString &path) const {
    const std::optional<PictureFormat> format = pictureFormat(path.toStdString());
    if (!format)
        throw PictureError("The picture " + path.toStdString() + " must end in .svg, .png, .pdf or .dot.");
    if (!m_tree || scene() == nullptr)
        throw PictureError(tr("There is no graph to draw.").toStdString());
    return renderPicture(*scene(), *format);
}

} // namespace laggard
