// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/SliceInput.h"

#include "analysis/stacks/Frames.h"
#include "trace/Printable.h"
#include "views/source/SourceText.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <set>

namespace laggard {
namespace {

QString tr(const char *text) { return QCoreApplication::translate("SliceInput", text); }

QString shown(const std::string &name) { return QString::fromStdString(printable(name)); }

std::set<std::string> recordedSources(const Trace &trace) {
    std::set<std::string> files;
    for (const Region &region : trace.regions)
        files.insert(region.file);
    for (const CallSite &site : trace.callSites)
        files.insert(site.file);
    files.erase(std::string());
    return files;
}

/// Sources in C and C++ that are here; headers come with them. Those that lie elsewhere than recorded become rules of `paths`.
QStringList sourcesHere(const Trace &trace, PathMap &paths) {
    static const QStringList headers = {"h", "hh", "hpp", "hxx", "inl", "ipp"};
    QStringList found;
    std::vector<PathMap::Rule> rules;
    for (const std::string &recorded : recordedSources(trace)) {
        const QString path = QString::fromStdString(recorded);
        const QString file = paths.find(path).file;
        if (file.isEmpty())
            continue;
        if (file != path && path.startsWith('/'))
            rules.push_back(PathMap::ruleFor(path, file));
        if (sourceLanguage(file) == SourceLanguage::Cpp && !headers.contains(QFileInfo(file).suffix().toLower()) &&
            !found.contains(file))
            found << file;
    }
    for (const PathMap::Rule &rule : rules)
        paths.addRule(rule);
    return found;
}

QStringList binariesHere(const Trace &trace) {
    QStringList here;
    for (const Binary &binary : trace.binaries)
        if (stateOf(binary) == BinaryState::Same)
            here << QString::fromStdString(binary.path);
    return here;
}

/// What is wrong with the program, and what can be done without it.
QString programSentence(const Trace &trace) {
    const QString rest =
        tr(" Its sources, which lie on this machine, can be compiled as they are; nothing is compiled unless you ask for it.");
    if (trace.binaries.empty())
        return tr("The trace does not tell which program ran.") + rest;
    const Binary &binary = trace.binaries.front();
    return (stateOf(binary) == BinaryState::Other
                ? tr("The program that ran, \"%1\", is another one by now: it has been built anew, or cannot be told apart.")
                : tr("The program that ran, \"%1\", is not on this machine."))
               .arg(shown(binary.path)) +
           rest;
}

void takeFrom(SliceInput &input, SliceInput::From from, const QStringList &files) {
    input.from = from;
    input.files = files;
}

SliceInput lacking(SliceInput input, SliceInput::Lack lack, const QString &sentence) {
    input.lack = lack;
    input.sentence = sentence;
    return input;
}

} // namespace

SliceInput findSliceInput(const Trace &trace, const std::vector<SliceStack> &stacks, const PathMap &paths,
                          const SliceSettings &settings) {
    using From = SliceInput::From;
    using Lack = SliceInput::Lack;
    SliceInput input;
    input.paths = paths;
    if (stacks.empty())
        return lacking(input, Lack::Stack,
                       tr("No rank is named as least progressed with a known line of the source, so there is no place to begin "
                          "at."));
    const Frame &place = stacks.front().frames[innermostWithSource(stacks.front().frames)];
    const QString recorded = QString::fromStdString(place.file);
    if (const SourceLanguage language = sourceLanguage(recorded);
        language == SourceLanguage::FixedFortran || language == SourceLanguage::FreeFortran)
        return lacking(input, Lack::Language,
                       tr("%1 is in Fortran; only programs in C and C++ can be sliced.").arg(shown(place.function)));
    const QStringList sources = sourcesHere(trace, input.paths);
    const bool isPlaceHere = !input.paths.find(recorded).file.isEmpty();
    const QStringList binaries = binariesHere(trace);
    if (!settings.compileCommands.isEmpty())
        takeFrom(input, From::CompileCommands, {settings.compileCommands});
    else if (!settings.binaries.isEmpty())
        takeFrom(input, From::Binaries, settings.binaries);
    else if (!binaries.isEmpty())
        takeFrom(input, From::Binaries, binaries);
    else if (isPlaceHere && !sources.isEmpty())
        takeFrom(input, From::Sources, sources);
    if (!isPlaceHere)
        return lacking(input, Lack::Sources, tr("The source \"%1\" was not found on this machine.").arg(shown(place.file)));
    if (!binaries.isEmpty())
        return lacking(input, Lack::None, {});
    return lacking(input, Lack::Program, programSentence(trace));
}

} // namespace laggard
