// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphLayout.h"

#include <QList>

#include <cmath>

namespace laggard {
namespace {

/// No drawing of a graph that anybody can look at is larger, in pixels; painting counts dashes and pages in whole numbers.
constexpr double farthest = 10'000'000;

/// The lines of the reply, each with its words, read in the order in which they must come.
class Reply {
  public:
    explicit Reply(const QByteArray &text) : m_lines(text.split('\n')) {}

    /// Moves to the next line, which must begin with `keyword`.
    void expect(const char *keyword) {
        if (m_line == m_lines.size())
            fail();
        m_words = m_lines[m_line++].split(' ');
        m_word = 0;
        if (m_words[m_word++] != keyword)
            fail();
    }
    double number() {
        bool ok = false;
        const double value = m_word < m_words.size() ? m_words[m_word++].toDouble(&ok) : 0;
        if (!ok || !std::isfinite(value))
            fail();
        return value;
    }
    double coordinate() {
        const double value = number();
        if (std::abs(value) > farthest)
            throw LayoutError("laggard-layout put a part of the graph farther away than any picture reaches (line " +
                              std::to_string(m_line) + ")");
        return value;
    }
    QPointF point() {
        const double x = coordinate();
        return {x, coordinate()};
    }
    [[nodiscard]] qsizetype wordsLeft() const { return m_words.size() - m_word; }
    void endLine() const {
        if (wordsLeft() != 0)
            fail();
    }
    [[noreturn]] void fail() const {
        throw LayoutError("laggard-layout gave an answer that cannot be understood (line " + std::to_string(m_line) + ")");
    }

  private:
    QList<QByteArray> m_lines;
    qsizetype m_line = 0;
    QList<QByteArray> m_words;
    qsizetype m_word = 0;
};

EdgeRoute readRoute(Reply &reply, bool labelled) {
    reply.expect("edge");
    EdgeRoute route;
    const double count = reply.number();
    if (count < 1 || count > static_cast<double>(reply.wordsLeft()) || std::fmod(count - 1, 3) != 0)
        reply.fail();
    route.curve.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < static_cast<int>(count); ++i)
        route.curve.push_back(reply.point());
    route.tip = reply.point();
    if (labelled)
        route.label = reply.point();
    reply.endLine();
    return route;
}

QByteArray text(double value) { return QByteArray::number(value, 'f', 2); }

QByteArray text(const QSizeF &size) { return text(size.width()) + ' ' + text(size.height()); }

} // namespace

QByteArray writeLayoutRequest(const LayoutRequest &request) {
    QByteArray out = "laggard-layout 1\ndirection up\ngap " + text(request.gap) + '\n';
    for (const QSizeF &size : request.nodes)
        out += "node " + text(size) + '\n';
    for (const LayoutEdge &edge : request.edges) {
        out += (edge.directed ? "edge " : "link ") + QByteArray::number(edge.from) + ' ' + QByteArray::number(edge.to);
        if (edge.label)
            out += ' ' + text(*edge.label);
        out += '\n';
    }
    return out + "end\n";
}

GraphLayout readLayoutReply(const QByteArray &text, const LayoutRequest &request) {
    Reply reply(text);
    reply.expect("laggard-layout");
    if (reply.number() != 1)
        reply.fail();
    GraphLayout layout;
    reply.expect("bounds");
    const QPointF corner = reply.point();
    layout.bounds = QRectF(QPointF(0, 0), corner);
    for (const QSizeF &size : request.nodes) {
        reply.expect("node");
        QRectF box(QPointF(0, 0), size);
        box.moveCenter(reply.point());
        reply.endLine();
        layout.nodes.push_back(box);
        layout.bounds |= box;
    }
    for (const LayoutEdge &edge : request.edges)
        layout.edges.push_back(readRoute(reply, edge.label.has_value()));
    reply.expect("end");
    return layout;
}

} // namespace laggard
