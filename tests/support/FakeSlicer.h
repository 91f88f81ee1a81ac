// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>

namespace laggard::test {

/// What a slicer says about the bundled stencil: four lines of rank 3, then one that rank 0 has sent.
inline const char *const stencilSlice = R"({"schema":"laggard.slice/1","truncated":false,"warnings":[],"lines":[
{"step":1,"file":"stencil.c","line":45,"distance":0,"why":"criterion","variable":"err","function":"compute_flux","ranks":"3",
 "detail":"the loop goes on while `err` is not below 1e-10"},
{"step":2,"file":"stencil.c","line":46,"distance":1,"why":"data","variable":"err","function":"compute_flux","ranks":"3",
 "detail":"`err` is set from `nw` and `w`"},
{"step":3,"file":"stencil.c","line":43,"distance":3,"why":"data","variable":"v","function":"compute_flux","ranks":"3",
 "detail":"`v` is read from `inflow[it]`"},
{"step":4,"file":"stencil.c","line":22,"distance":4,"why":"control","variable":"inflow","function":"read_inflow","ranks":"3",
 "detail":"`inflow[41]` is set on rank 3 alone"},
{"step":5,"file":"stencil.c","line":20,"distance":5,"why":"message","variable":"inflow","function":"read_inflow","ranks":"0",
 "detail":"`inflow` was received at stencil.c:21 from rank 0, which set it at stencil.c:20"}]})";

/// A program in place of laggard-slice that does what a script says, as long as this lives. It is called with the folder of what
/// it was given in $GIVEN, and writes its arguments there.
class FakeSlicer {
  public:
    explicit FakeSlicer(const QByteArray &script = answering(stencilSlice)) {
        QFile file(m_folder.filePath("slicer.sh"));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("the slicer's script cannot be written");
        file.write("#!/bin/sh\nGIVEN=" + m_folder.path().toUtf8() +
                   "\nprintf '%s\\n' \"$@\" > \"$GIVEN/arguments\"\n"
                   "while [ $# -gt 0 ]; do case $1 in --stack|--messages) cp \"$2\" \"$GIVEN/\";; esac; shift; done\n" +
                   script + '\n');
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("LAGGARD_SLICE", file.fileName().toUtf8());
    }
    ~FakeSlicer() { qunsetenv("LAGGARD_SLICE"); }
    FakeSlicer(const FakeSlicer &) = delete;
    FakeSlicer &operator=(const FakeSlicer &) = delete;

    static QByteArray answering(const QByteArray &json) { return "cat <<'END'\n" + json + "\nEND"; }

    /// What it was called with, one argument a line; empty if it was not called.
    [[nodiscard]] QStringList arguments() const { return QString::fromUtf8(given("arguments")).split('\n', Qt::SkipEmptyParts); }
    /// A file that it was given: "stack-0", "messages.json".
    [[nodiscard]] QByteArray given(const QString &name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] bool wasCalled() const { return QFile::exists(m_folder.filePath("arguments")); }
    [[nodiscard]] QString folder() const { return m_folder.path(); }

  private:
    QTemporaryDir m_folder;
};

} // namespace laggard::test
