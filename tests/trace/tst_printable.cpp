// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Printable.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringDecoder>
#include <QTest>

#include <random>

using namespace laggard;

namespace {

const QChar unknown(QChar::ReplacementCharacter);

QString shown(const QByteArray &text) { return QString::fromUtf8(QByteArray::fromStdString(printable(text.toStdString()))); }

/// QString would take U+FEFF for a mark of the byte order.
QByteArray utf8Of(char32_t c) {
    const auto byte = [c](unsigned first, unsigned shift) { return static_cast<char>(first | ((c >> shift) & 0x3FU)); };
    if (c < 0x80)
        return QByteArray(1, static_cast<char>(c));
    if (c < 0x800)
        return {QByteArray(1, static_cast<char>(0xC0U | c >> 6U)) + byte(0x80, 0)};
    if (c < 0x10000)
        return {QByteArray(1, static_cast<char>(0xE0U | c >> 12U)) + byte(0x80, 6) + byte(0x80, 0)};
    return {QByteArray(1, static_cast<char>(0xF0U | c >> 18U)) + byte(0x80, 12) + byte(0x80, 6) + byte(0x80, 0)};
}

/// What a character is shown as, by its general category.
QString expected(char32_t c) {
    switch (QChar::category(c)) {
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return " ";
    case QChar::Other_Control:
        return (c >= 9 && c <= 13) || c == 0x85 ? QStringLiteral(" ") : QString(unknown);
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
        return unknown;
    default:
        return QString::fromUcs4(&c, 1);
    }
}

/// Letters and marks without width that are no format characters, as DerivedCoreProperties.txt has them.
bool isIgnorable(char32_t c) {
    return c == 0x34F || (c >= 0x115F && c <= 0x1160) || (c >= 0x17B4 && c <= 0x17B5) || (c >= 0x180B && c <= 0x180F) ||
           c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFFA0 || (c >= 0xE0000 && c <= 0xE0FFF);
}

} // namespace

class TestPrintable : public QObject {
    Q_OBJECT

  private slots:
    void everyCharacter() {
        std::array<int, 32> seen{};
        for (char32_t c = 0; c <= 0x10FFFF; ++c) {
            const QChar::Category category = QChar::category(c);
            if (category == QChar::Other_Surrogate)
                continue; // has no UTF-8
            ++seen[category];
            const QString result = shown(utf8Of(c));
            const QString wanted = isIgnorable(c) ? QString(unknown) : expected(c);
            // Some of what is not assigned may be letters one day.
            if (result != wanted && !(category == QChar::Other_NotAssigned && result == unknown))
                QFAIL(qPrintable(QStringLiteral("U+%1 is shown as \"%2\"").arg(uint(c), 4, 16).arg(result)));
            if (QChar::isNonCharacter(c))
                QCOMPARE(result, QString(unknown));
        }
        for (const QChar::Category category : {QChar::Other_Control, QChar::Other_Format, QChar::Other_PrivateUse,
                                               QChar::Other_NotAssigned, QChar::Separator_Line, QChar::Separator_Paragraph})
            QVERIFY(seen[category] > 0);
    }

    void texts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("result");
        QTest::newRow("a name") << QByteArray("std::vector<int>::at(µs, größer, 计算) …")
                                << "std::vector<int>::at(µs, größer, 计算) …";
        QTest::newRow("an order to the terminal") << QByteArray("a\x1b[2Jb") << "a\uFFFD[2Jb";
        QTest::newRow("of eight bits") << QByteArray("a\xc2\x9b"
                                                     "2Jb")
                                       << "a\uFFFD2Jb";
        QTest::newRow("eight bits without UTF-8") << QByteArray("a\x9b"
                                                                "2Jb")
                                                  << "a\uFFFD2Jb";
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << "a\uFFFDb";
        QTest::newRow("line ends") << QByteArray("a\r\nb\tc\vd\fe") << "a  b c d e";
        QTest::newRow("right to left") << QByteArray("a\u202Eb\u2066c") << "a\uFFFDb\uFFFDc";
        QTest::newRow("without width") << QByteArray("a\u200Bb\uFEFFc") << "a\uFFFDb\uFFFDc";
        QTest::newRow("a letter too long") << QByteArray("\xc1\x81") << "\uFFFD\uFFFD";
        QTest::newRow("an order too long") << QByteArray("\xe0\x80\x9b") << "\uFFFD\uFFFD\uFFFD";
        QTest::newRow("four bytes too long") << QByteArray("\xf0\x80\x80\x8a") << "\uFFFD\uFFFD\uFFFD\uFFFD";
        QTest::newRow("half a pair") << QByteArray("\xed\xa0\x80x") << "\uFFFD\uFFFD\uFFFDx";
        QTest::newRow("a pair in UTF-8") << QByteArray("\xed\xa0\xbd\xed\xb8\x80") << QString(6, unknown);
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << QString(4, unknown);
        QTest::newRow("cut off") << QByteArray("\xe2\x80") << "\uFFFD\uFFFD";
        QTest::newRow("what follows stays") << QByteArray("\xe2\x80"
                                                          "a\xc3")
                                            << "\uFFFD\uFFFDa\uFFFD";
    }
    void texts() {
        QFETCH(QByteArray, text);
        QTEST(shown(text), "result");
    }

    /// As programs read it nothing changes; as it is shown, nothing is left that printable() would change.
    void jsonIsReadTheSame() {
        QByteArray line;
        const auto check = [&line] {
            const QByteArray json = '"' + line + '"';
            const std::string escaped = printableJson(json.toStdString());
            const QByteArray list = '[' + QByteArray::fromStdString(escaped) + ']';
            const QString parsed = QJsonDocument::fromJson(list).array().at(0).toString();
            QVERIFY2(printable(escaped) == escaped, list.constData());
            QVERIFY2(parsed.toUcs4() == QString::fromUtf8(line).toUcs4(), list.constData());
            line = "a";
        };
        line = "a"; // what stands first may be taken for a mark of the byte order
        for (char32_t c = 0x20; c <= 0x10FFFF; ++c)
            if (c != '"' && c != '\\' && QChar::category(c) != QChar::Other_Surrogate) {
                line += utf8Of(c);
                if (line.size() > 1000)
                    check();
            }
        check();
        QCOMPARE(printableJson("[\"a\u009b\u202e\U0001D173 größer\",\n 1]"),
                 std::string("[\"a\\u009b\\u202e\\ud834\\udd73 größer\",\n 1]"));
    }

    void linesAreKept() { QCOMPARE(printableLines("a\nb\r\x1b"), std::string("a\nb \xEF\xBF\xBD")); }

    void isUtf8AndStaysAsItIs() {
        std::mt19937 random(7);
        for (int i = 0; i < 20'000; ++i) {
            std::string text(random() % 12, '\0');
            for (char &c : text)
                c = static_cast<char>(random() % 3 == 0 ? random() % 128 : random() % 256);
            const std::string once = printable(text);
            QStringDecoder decoder(QStringDecoder::Utf8);
            const QString decoded = decoder(QByteArrayView(once.data(), static_cast<qsizetype>(once.size())));
            QVERIFY(!decoder.hasError());
            QCOMPARE(printable(once), once);
        }
    }
};

QTEST_APPLESS_MAIN(TestPrintable)
#include "tst_printable.moc"
