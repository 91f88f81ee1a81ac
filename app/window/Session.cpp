// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Session.h"

#include "trace/Printable.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qint64 largestSession = 20'000'000; // bytes; notes are typed by hand
const QString schema = QStringLiteral("laggard.session/2");
const QString schemaWithoutCheck = QStringLiteral("laggard.session/1");
const QString checkKey = QStringLiteral("check");

QJsonValue rangeToJson(const std::optional<std::pair<double, double>> &range) {
    return range ? QJsonValue(QJsonArray{range->first, range->second}) : QJsonValue();
}

std::optional<std::pair<double, double>> rangeFromJson(const QJsonValue &value) {
    const QJsonArray pair = value.toArray();
    if (pair.size() != 2 || !pair[0].isDouble() || !pair[1].isDouble())
        return std::nullopt;
    const double begin = pair[0].toDouble();
    const double end = pair[1].toDouble();
    if (!std::isfinite(begin) || !std::isfinite(end) || begin < 0 || begin > end)
        return std::nullopt;
    return std::pair(begin, end);
}

QStringList stringsFromJson(const QJsonValue &value) {
    QStringList strings;
    for (const QJsonValue entry : value.toArray())
        if (entry.isString())
            strings.append(entry.toString());
    return strings;
}

QJsonObject sliceToJson(const Session &session) {
    QJsonArray hidden;
    for (const SliceReason reason : session.slice.hidden)
        hidden.append(QString::fromStdString(std::string(name(reason))));
    return {{"depth", static_cast<qint64>(session.slice.depth)},
            {"thin", session.slice.thin},
            {"dims_others", session.slice.dims},
            {"hidden_kinds", hidden},
            {"compile_commands", session.compileCommands}};
}

void sliceFromJson(const QJsonObject &object, Session &session) {
    session.slice.depth = static_cast<unsigned>(std::clamp(object["depth"].toInt(), 0, 1'000'000));
    session.slice.thin = object["thin"].toBool();
    session.slice.dims = object["dims_others"].toBool(true);
    const QStringList hidden = stringsFromJson(object["hidden_kinds"]);
    for (const SliceReason reason : allReasons)
        if (hidden.contains(QString::fromStdString(std::string(name(reason)))))
            session.slice.hidden.insert(reason);
    session.compileCommands = object["compile_commands"].toString();
}

/// A check of all that a session says, however it is written.
QString checkOf(QJsonObject document) {
    document.remove(checkKey);
    const QByteArray text = QJsonDocument(document).toJson(QJsonDocument::Compact);
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(16));
}

QByteArray textOf(const QJsonObject &document) {
    return QByteArray::fromStdString(printableJson(QJsonDocument(document).toJson().toStdString()));
}

} // namespace

QByteArray toJson(const Session &session) {
    QJsonObject notes;
    for (auto note = session.notes.begin(); note != session.notes.end(); ++note)
        notes[note.key()] = note.value();
    QJsonObject colours;
    for (auto colour = session.colours.begin(); colour != session.colours.end(); ++colour)
        colours[colour.key()] = colour.value().name(QColor::HexArgb);
    QJsonArray pathMap;
    for (const auto &[recorded, here] : session.pathMap)
        pathMap.append(QJsonArray{recorded, here});
    const QJsonObject filter{{"hidden_functions", QJsonArray::fromStringList(session.hiddenFunctions)},
                             {"only_functions", QJsonArray::fromStringList(session.onlyFunctions)},
                             {"only_ranks", session.onlyRanks},
                             {"minimum_duration_s", session.minimumDuration},
                             {"only_time_s", rangeToJson(session.onlyTime)}};
    QJsonObject document{{"schema", schema},
                         {"trace", session.trace},
                         {"window_state", QString::fromLatin1(session.windowState.toBase64())},
                         {"window_geometry", QString::fromLatin1(session.windowGeometry.toBase64())},
                         {"notes", notes},
                         {"colours", colours},
                         {"path_map", pathMap},
                         {"references", QJsonArray::fromStringList(session.comparison.references)},
                         {"callModel", session.comparison.callModel},
                         {"profiles_by", session.comparison.by == ProfileOptions::By::Function ? "function" : "callpath"},
                         {"profiles_of", session.comparison.measure == ProfileOptions::Measure::Coverage ? "coverage" : "time"},
                         {"compared_run", QJsonObject{{"path", session.comparedRun.path},
                                                      {"aligned_at", session.comparedRun.alignment},
                                                      {"here_s", session.comparedRun.here},
                                                      {"there_s", session.comparedRun.there}}},
                         {"source_folders", QJsonArray::fromStringList(session.sourceFolders)},
                         {"slice", sliceToJson(session)},
                         {"filter", filter},
                         {"zoom_s", rangeToJson(session.zoom)}};
    // The check is of what will be read: some numbers are written in more than one way.
    document[checkKey] = checkOf(QJsonDocument::fromJson(textOf(document)).object());
    return textOf(document);
}

std::optional<Session> sessionFromJson(const QByteArray &json, QString *error) {
    QJsonParseError parseError;
    const QJsonObject document = QJsonDocument::fromJson(json, &parseError).object();
    const QString found = document["schema"].toString();
    if (parseError.error != QJsonParseError::NoError || (found != schema && found != schemaWithoutCheck)) {
        *error = parseError.error != QJsonParseError::NoError
                     ? QObject::tr("it is not JSON (%1)").arg(parseError.errorString())
                     : QObject::tr("it is not a session of Laggard (its schema is not \"%1\")").arg(schema);
        return std::nullopt;
    }
    error->clear();
    if ((found == schema || document.contains(checkKey)) && document[checkKey].toString() != checkOf(document))
        *error = QObject::tr("it was changed after it was saved, and may say something else now");
    Session session;
    session.trace = document["trace"].toString();
    session.windowState = QByteArray::fromBase64(document["window_state"].toString().toLatin1());
    session.windowGeometry = QByteArray::fromBase64(document["window_geometry"].toString().toLatin1());
    const QJsonObject notes = document["notes"].toObject();
    for (auto note = notes.begin(); note != notes.end(); ++note)
        session.notes[note.key()] = note.value().toString();
    const QJsonObject colours = document["colours"].toObject();
    for (auto entry = colours.begin(); entry != colours.end(); ++entry)
        if (const QColor colour(entry.value().toString()); colour.isValid())
            session.colours[entry.key()] = colour;
    for (const QJsonValue entry : document["path_map"].toArray())
        if (const QStringList pair = stringsFromJson(entry); pair.size() == 2)
            session.pathMap.append({pair[0], pair[1]});
    session.sourceFolders = stringsFromJson(document["source_folders"]);
    const QJsonObject compared = document["compared_run"].toObject();
    session.comparedRun = {compared["path"].toString(), compared["aligned_at"].toString(QStringLiteral("start")),
                           compared["here_s"].toDouble(), compared["there_s"].toDouble()};
    session.comparison.references = stringsFromJson(document["references"]);
    session.comparison.callModel = document["callModel"].toString();
    if (document["profiles_by"].toString() == "function")
        session.comparison.by = ProfileOptions::By::Function;
    if (document["profiles_of"].toString() == "coverage")
        session.comparison.measure = ProfileOptions::Measure::Coverage;
    sliceFromJson(document["slice"].toObject(), session);
    const QJsonObject filter = document["filter"].toObject();
    session.hiddenFunctions = stringsFromJson(filter["hidden_functions"]);
    session.onlyFunctions = stringsFromJson(filter["only_functions"]);
    session.onlyRanks = filter["only_ranks"].toString();
    if (const double seconds = filter["minimum_duration_s"].toDouble(); std::isfinite(seconds) && seconds >= 0)
        session.minimumDuration = seconds;
    session.onlyTime = rangeFromJson(filter["only_time_s"]);
    session.zoom = rangeFromJson(document["zoom_s"]);
    return session;
}

QString defaultSessionFile(const QString &trace) {
    const QFileInfo file(trace);
    const QString path = file.exists() ? file.canonicalFilePath() : file.absoluteFilePath();
    const QByteArray hash = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/sessions/" + QString::fromLatin1(hash) + ".json";
}

bool saveSession(const Session &session, const QString &path, QString *error) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    const QByteArray json = toJson(session);
    if (file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit())
        return true;
    *error = QObject::tr("The session cannot be written to \"%1\": %2.").arg(path, file.errorString());
    return false;
}

std::optional<Session> loadSession(const QString &path, QString *error) {
    const auto refuse = [&](const QString &why) {
        *error = QObject::tr("The session \"%1\" cannot be read: %2.").arg(path, why);
        return std::nullopt;
    };
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) // a pipe would never answer, a device never end
        return refuse(QObject::tr("it is not a file"));
    if (info.size() > largestSession)
        return refuse(QObject::tr("it is too large for a session"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(file.errorString());
    QString reason;
    std::optional<Session> session = sessionFromJson(file.read(largestSession), &reason);
    if (!session)
        return refuse(reason);
    *error = reason.isEmpty() ? QString() : QObject::tr("The session \"%1\" is opened, but %2.").arg(path, reason);
    return session;
}

} // namespace laggard
