// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/theme/RegionColours.h"
#include "views/theme/Theme.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace laggard;
using namespace laggard::test;

namespace {

using Triple = std::array<double, 3>;

double contrast(const QColor &a, const QColor &b) {
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Triple linear(const QColor &colour) {
    const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {one(colour.redF()), one(colour.greenF()), one(colour.blueF())};
}

/// CIELAB, D65.
Triple lab(const Triple &rgb) {
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047);
    const double y = f(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
    const double z = f((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// How people without green receptors see a colour: Machado, Oliveira, Fernandes 2009, severity 1.
Triple deuteranopic(const Triple &rgb) {
    constexpr std::array<Triple, 3> matrix = {
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    Triple seen{};
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(matrix[i][0] * rgb[0] + matrix[i][1] * rgb[1] + matrix[i][2] * rgb[2], 0.0, 1.0);
    return seen;
}

double distance(const Triple &a, const Triple &b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

std::vector<QColor> allColours() {
    std::vector<QColor> all;
    for (const RegionFamily family : {RegionFamily::User, RegionFamily::Wait, RegionFamily::Transfer, RegionFamily::SetUp,
                                      RegionFamily::Io, RegionFamily::Other})
        for (const QColor &colour : RegionColours::palette(family))
            all.push_back(colour);
    return all;
}

TracePtr traceOf(const QStringList &functions) {
    TraceBuilder builder(1);
    Tick time = 0;
    for (const QString &name : functions) {
        builder.call(0, time, time + 1, name.toStdString());
        time += 2;
    }
    return builder.finish(time);
}

QColor colourIn(const TracePtr &trace, const QString &name) {
    const RegionColours colours(*trace);
    for (RegionId region = 0; region < trace->regions.size(); ++region)
        if (QString::fromStdString(trace->regions[region].name) == name)
            return colours.colour(region);
    return {};
}

} // namespace

class TestRegionColours : public QObject {
    Q_OBJECT
  private slots:
    void sameColourInEveryTrace() {
        const QColor alone = colourIn(traceOf({"solve"}), "solve");
        QCOMPARE(colourIn(traceOf({"MPI_Send", "solve", "MPI_Recv"}), "solve"), alone);
        // The order in which a trace lists its functions does not matter.
        const QStringList some = {"solve", "residual", "flux", "main", "pack"};
        const QStringList turned = {"pack", "main", "flux", "residual", "solve"};
        for (const QString &name : some)
            QCOMPARE(colourIn(traceOf(some), name), colourIn(traceOf(turned), name));
    }

    void functionsOfATraceDiffer() {
        const TracePtr trace =
            traceOf({"a", "b", "c", "d", "e", "f", "g", "h", "MPI_Send", "MPI_Recv", "MPI_Wait", "MPI_Bcast", "MPI_Reduce"});
        const RegionColours colours(*trace);
        for (RegionId one = 0; one < trace->regions.size(); ++one)
            for (RegionId other = 0; other < one; ++other)
                QVERIFY(colours.colour(one) != colours.colour(other));
    }

    void meetingOthersChangesNoFunction_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"solve", "compute_flux", "MPI_Allreduce", "MPI_Recv", "MPI_Isend", "MPI_Comm_split", "main"})
            QTest::newRow(name) << QString(name);
    }
    void meetingOthersChangesNoFunction() {
        QFETCH(QString, name);
        const QColor alone = colourIn(traceOf({name}), name);
        QCOMPARE(
            colourIn(traceOf({"MPI_Waitall", "MPI_Barrier", "MPI_Send", "MPI_Irecv", "update_cells", "residual", name}), name),
            alone);
    }
    void bindingsOfOneFunctionLookAlike() { QCOMPARE(colourIn(traceOf({"MPI_Recv"}), "MPI_Recv"), QColor::fromRgb(0xffffdf95)); }
    void endsOfTheJobAreGrey() {
        const TracePtr trace = traceOf({"MPI_Init", "MPI_Finalize"});
        const RegionColours colours(*trace);
        for (RegionId region = 0; region < trace->regions.size(); ++region)
            QVERIFY2(colours.colour(region).hsvSaturation() < 30, "MPI_Init and MPI_Finalize are grey");
        QCOMPARE(colours.rgb(0), colours.rgb(1));
    }
    void rolesHaveHuesOfTheirOwn() {
        // As people with all receptors see them: hue angles of CIELAB.
        const auto hueOf = [](const QColor &colour) {
            const Triple seen = lab(linear(colour));
            const double angle = std::atan2(seen[2], seen[1]) * 57.29578;
            return angle < -90 ? angle + 360 : angle;
        };
        for (const QColor &wait : RegionColours::palette(RegionFamily::Wait))
            for (const QColor &transfer : RegionColours::palette(RegionFamily::Transfer))
                QVERIFY2(hueOf(wait) > hueOf(transfer) + 20, "waits and transfers share a hue");
    }
    void nothingLooksLikeTheSuspect() {
        const QColor suspect = QColor::fromRgb(RegionColours::suspectRgb);
        for (const QColor &colour : allColours()) {
            QVERIFY2(distance(lab(deuteranopic(linear(colour))), lab(deuteranopic(linear(suspect)))) >= 15,
                     qPrintable(colour.name() + " looks like the suspect to people without green receptors"));
            QVERIFY2(distance(lab(linear(colour)), lab(linear(suspect))) >= 15,
                     qPrintable(colour.name() + " looks like the suspect"));
        }
        for (const Theme &theme : {Theme::light(), Theme::darkOne()})
            QVERIFY2(contrastRatio(suspect, theme.background) >= 3, "the suspect is pale");
    }

    void manyFunctionsKeepTheirFamily() {
        QStringList names;
        for (int i = 0; i < 200; ++i)
            names << QStringLiteral("f%1").arg(i);
        const TracePtr trace = traceOf(names);
        const RegionColours colours(*trace);
        for (RegionId region = 0; region < trace->regions.size(); ++region)
            QVERIFY2(colours.colour(region).blue() > colours.colour(region).red(), "user functions are blue or green-blue");
    }

    void tellApartWithoutGreenReceptors() {
        const std::vector<QColor> all = allColours();
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const double seen = distance(lab(deuteranopic(linear(all[i]))), lab(deuteranopic(linear(all[j]))));
                QVERIFY2(seen >= 11,
                         qPrintable(QStringLiteral("%1 and %2 look alike (%3)").arg(all[i].name(), all[j].name()).arg(seen)));
            }
    }

    void familiesDifferAlongBlueAndYellow() {
        for (const RegionFamily family : {RegionFamily::Wait, RegionFamily::Transfer, RegionFamily::SetUp})
            for (const QColor &user : RegionColours::palette(RegionFamily::User))
                for (const QColor &mpi : RegionColours::palette(family))
                    QVERIFY(lab(deuteranopic(linear(mpi)))[2] > lab(deuteranopic(linear(user)))[2] + 8);
    }

    void labelsCanBeRead() {
        for (const QColor &colour : allColours())
            QVERIFY(contrast(readableOn(colour), colour) >= 4.5);
        for (int grey = 0; grey < 256; ++grey)
            QVERIFY(contrast(readableOn(QColor(grey, grey, grey)), QColor(grey, grey, grey)) >= 4.5);
        for (const Theme &theme : {Theme::light(), Theme::darkOne()})
            for (const QColor &back : {theme.background, theme.band, theme.header})
                for (const QColor &text : {theme.text, theme.faintText, theme.warning})
                    QVERIFY2(contrast(text, back) >= 4.5, qPrintable(text.name() + " on " + back.name()));
    }

    void usersOwnColour() {
        const TracePtr trace = traceOf({"a", "b"});
        RegionColours colours(*trace);
        const QColor usual = colours.colour(0);
        colours.setOwn(0, Qt::magenta);
        QCOMPARE(colours.colour(0), QColor(Qt::magenta));
        QCOMPARE(colours.own().value("a"), QColor(Qt::magenta));
        RegionColours again(*trace);
        again.setOwn(colours.own());
        QCOMPARE(again.colour(0), QColor(Qt::magenta));
        colours.setOwn(0, QColor());
        QCOMPARE(colours.colour(0), usual);
        colours.setOwn(99, Qt::red); // no such function
        QCOMPARE(colours.rgb(99), RegionColours::otherRgb);
    }

    void themeFollowsThePalette() {
        QPalette palette;
        palette.setColor(QPalette::Window, Qt::black);
        palette.setColor(QPalette::WindowText, Qt::white);
        QVERIFY(Theme::of(palette).dark);
        palette.setColor(QPalette::Window, Qt::white);
        palette.setColor(QPalette::WindowText, Qt::black);
        QVERIFY(!Theme::of(palette).dark);
    }
};

QTEST_GUILESS_MAIN(TestRegionColours)
#include "tst_regioncolours.moc"
