// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/SliceJson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace laggard;

namespace {

SliceResult sample() {
    SliceResult slice;
    slice.steps = {{"/s/a.c", 45, 0, Why::Criterion, "", "flux", 1, "spins here", "3", "while (err > 1e-10)"},
                   {"/s/b.c", 7, 2, Why::Message, "v", "send\x1b[31m", 2, "\"v\" came from rank 2", "2", "MPI_Send(&v);"}};
    slice.warnings = {"One.", "bad \xff byte"};
    return slice;
}

} // namespace

class TestSliceJson : public QObject {
    Q_OBJECT
  private slots:
    void isAsAgreed() {
        SliceResult slice = sample();
        slice.truncated = true;
        QJsonParseError error;
        const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(sliceJson(slice)), &error).object();
        QCOMPARE(error.errorString(), QString("no error occurred"));
        QCOMPARE(root["schema"].toString(), QString("laggard.slice/1"));
        QCOMPARE(root["truncated"].toBool(), true);
        QCOMPARE(root["warnings"].toArray().size(), 2);
        const QJsonArray lines = root["lines"].toArray();
        QCOMPARE(lines.size(), 2);
        const QJsonObject line = lines[1].toObject();
        QCOMPARE(line.keys(),
                 (QStringList{"code", "detail", "distance", "file", "function", "line", "ranks", "step", "variable", "why"}));
        QCOMPARE(line["file"].toString(), QString("/s/b.c"));
        QCOMPARE(line["line"].toInt(), 7);
        QCOMPARE(line["distance"].toInt(), 2);
        QCOMPARE(line["why"].toString(), QString("message"));
        QCOMPARE(line["variable"].toString(), QString("v"));
        QCOMPARE(line["step"].toInt(), 2);
        QCOMPARE(line["detail"].toString(), QString("\"v\" came from rank 2"));
        QCOMPARE(line["ranks"].toString(), QString("2"));
        QCOMPARE(line["code"].toString(), QString("MPI_Send(&v);"));
        QCOMPARE(lines[0].toObject()["why"].toString(), QString("criterion"));
    }
    void anEmptySliceHasAllKeys() {
        const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(sliceJson({}))).object();
        QVERIFY(root["lines"].isArray() && root["warnings"].isArray() && root["truncated"].isBool());
    }
    void textIsPrintable() {
        const std::string text = sliceText(sample());
        QVERIFY2(
            text.starts_with("rank 3\n1. a.c:45 in flux: while (err > 1e-10)\n    criterion: spins here\nrank 2\n2. b.c:7 in "),
            text.c_str());
        QVERIFY2(text.find('\x1b') == std::string::npos, "a terminal was to get no orders");
    }
};

QTEST_GUILESS_MAIN(TestSliceJson)
#include "tst_slicejson.moc"
