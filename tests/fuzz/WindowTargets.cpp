// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Session.h"
#include "ingest/slice/SliceReader.h"
#include "layout/GraphText.h"
#include "tests/fuzz/Reading.h"
#include "trace/Printable.h"
#include "views/graph/GraphLayout.h"

#include <sstream>

namespace laggard::test {

namespace {

/// What the replies are the answers to.
LayoutRequest request() {
    LayoutRequest request;
    request.nodes.assign(3, QSizeF(80, 30));
    request.edges = {{0, 1, true, {}}, {1, 2, true, QSizeF(20, 10)}, {0, 2, false, {}}};
    return request;
}

} // namespace

void takeSession(std::string_view bytes) {
    QString error;
    const auto session = sessionFromJson(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())), &error);
    if (!session) {
        if (error.isEmpty())
            breakOff("A session that is refused is to have a reason.");
        return;
    }
    const QByteArray written = toJson(*session);
    const auto again = sessionFromJson(written, &error);
    if (!again || !error.isEmpty() || toJson(*again) != written)
        breakOff("A session that was written is to be read as it was.");
}

void takeLayoutGraph(std::string_view bytes) {
    std::istringstream in{std::string(bytes)};
    try {
        static_cast<void>(layout::readGraph(in));
    } catch (const layout::BadInput &) {
        return;
    }
}

void takeLayoutReply(std::string_view bytes) {
    try {
        static_cast<void>(readLayoutReply(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())), request()));
    } catch (const LayoutError &) {
        return;
    }
}

void takeName(std::string_view bytes) {
    const std::string line = printable(bytes);
    for (const char c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            breakOff("What is shown is to have no control characters.");
    if (printable(line) != line)
        breakOff("What may be shown is to be left as it is.");
    static_cast<void>(printableLines(bytes));
}

void takeSlice(std::string_view bytes) {
    readOrRefuse([&] { static_cast<void>(readSlice(bytes)); });
}

std::vector<std::string> sessionSeeds() {
    Session session;
    session.trace = "/data/run 7/traces.otf2";
    session.windowState = QByteArray("\x00\xff state", 8);
    session.notes["0-2,4-15 MPI_Allreduce"] = "waits since 3 a.m.";
    session.colours["compute_flux"] = QColor(10, 20, 30, 200);
    session.pathMap = {{"/build/x", "/home/me/x"}, {"/a", "/b"}};
    session.hiddenFunctions = {"pack"};
    session.onlyRanks = "0-3";
    session.onlyTime = session.zoom = std::pair(0.25, 0.75);
    session.slice.hidden.insert(SliceReason::Control);
    return {toJson(session).toStdString()};
}

std::vector<std::string> layoutGraphSeeds() {
    return {writeLayoutRequest(request()).toStdString(),
            "laggard-layout 1\ndirection right\ngap 24 48\nnode 80 30\nnode 8e1 3\nedge 0 1 20 10\nlink 1 1\nend\n"};
}

std::vector<std::string> layoutReplySeeds() {
    return {"laggard-layout 1\nbounds 200 300\nnode 50 15\nnode 50 100\nnode 50 200\nedge 4 50 30 50 40 50 60 50 80 50 85\n"
            "edge 4 50 115 50 140 50 160 50 180 50 185 90 150\nedge 7 50 30 9 40 9 60 9 80 9 90 9 95 50 185 50 185\nend\n"};
}

std::vector<std::string> nameSeeds() {
    return {"compute_flux(double)\n", "\x1b[31mred\x1b[0m \xe2\x80\xae turned \xf0\x9f\x98\x80 \xc2\x9b \xff"};
}

std::vector<std::string> sliceSeeds() {
    return {R"({"schema": "laggard.slice/1", "lines": [
{"file": "stencil.c", "line": 44, "distance": 1, "why": "data", "variable": "w", "step": 2, "function": "f", "detail": "set here",
 "ranks": "3", "code": "double w = v;"},
{"file": "stencil.c", "line": 45, "distance": 0, "why": "criterion", "variable": "err", "step": 1},
{"file": "stencil.c", "line": 21, "distance": 4, "why": "message", "variable": "in", "step": 3, "ranks": "0-2,4-15", "detail": null}],
"truncated": true, "warnings": ["stencil.c is newer than the program."]})"};
}

} // namespace laggard::test
