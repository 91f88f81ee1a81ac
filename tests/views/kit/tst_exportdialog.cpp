// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ExportDialog.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <stdexcept>

using namespace laggard;

namespace {

/// Once a dialog of this kind is open, `then` is done with it.
template <typename Dialog> void whenOpen(const std::function<void(Dialog &)> &then) {
    QTimer::singleShot(20, qApp, [then] {
        if (auto *dialog = qobject_cast<Dialog *>(QApplication::activeModalWidget()))
            then(*dialog);
        else
            whenOpen<Dialog>(then);
    });
}

} // namespace

class TestExportDialog : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void anotherTypeChangesTheEnding_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("file");
        QTest::newRow("as suggested") << "run.svg"
                                      << ""
                                      << "run.svg";
        QTest::newRow("another type") << "run.svg"
                                      << "PNG (*.png)"
                                      << "run.png";
        QTest::newRow("a name with dots") << "run.1.svg"
                                          << "PDF (*.pdf)"
                                          << "run.1.pdf";
        QTest::newRow("in another folder") << "below/run.svg"
                                           << "PNG (*.png)"
                                           << "below/run.png";
    }
    void anotherTypeChangesTheEnding() {
        QFETCH(QString, name);
        QFETCH(QString, type);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("below"));
        QMainWindow window;
        auto *panel = new QWidget(&window);
        window.setCentralWidget(panel);
        window.statusBar()->clearMessage();
        window.show();
        whenOpen<QFileDialog>([&](QFileDialog &dialog) {
            dialog.setDirectory(folder.path());
            dialog.findChild<QLineEdit *>()->setText(name);
            if (!type.isEmpty())
                emit dialog.filterSelected(type);
            QMetaObject::invokeMethod(&dialog, "accept");
        });
        QString written;
        exportToFile(panel, "Export", "other.svg", {"svg", "png", "pdf"}, [&](const QString &file) { written = file; });
        QTEST(QDir(folder.path()).relativeFilePath(written), "file");
        QVERIFY2(window.statusBar()->currentMessage().endsWith(QFileInfo(written).fileName()), "the window says where it is");
    }

    void namesBeginWithTheTrace_data() {
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("suggested");
        QTest::newRow("nothing is open") << ""
                                         << "graph.svg";
        QTest::newRow("an archive") << "slow-worker/traces.otf2"
                                    << "slow-worker-graph.svg";
        QTest::newRow("an archive with a name") << "slow-worker/run.17.otf2"
                                                << "run.17-graph.svg";
        QTest::newRow("a model dump") << "jobs/model.json"
                                      << "model-graph.svg";
        QTest::newRow("a folder with a recording") << "below.1"
                                                   << "below.1-graph.svg";
    }
    void namesBeginWithTheTrace() {
        QFETCH(QString, open);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("below.1"));
        QMainWindow window;
        auto *panel = new QMainWindow(&window); // a panel of docks, as the window has it
        window.setCentralWidget(panel);
        if (!open.isEmpty())
            window.setWindowFilePath(folder.filePath(open));
        QString name;
        whenOpen<QFileDialog>([&](QFileDialog &dialog) {
            name = dialog.findChild<QLineEdit *>()->text();
            dialog.setDirectory(folder.path());
            QMetaObject::invokeMethod(&dialog, "accept");
        });
        exportToFile(panel, "Export", "graph.svg", {"svg", "png"}, [](const QString &) {});
        QTEST(name, "suggested");
        // The next one begins where the last one went.
        whenOpen<QFileDialog>([&](QFileDialog &dialog) {
            name = dialog.directory().path();
            dialog.reject();
        });
        exportToFile(panel, "Export", "graph.svg", {"svg", "png"}, [](const QString &) {});
        QCOMPARE(name, folder.path());
    }

    void whatGoesWrongIsShown() {
        const QTemporaryDir folder;
        QMainWindow window;
        window.statusBar()->clearMessage();
        window.show();
        QString said;
        whenOpen<QFileDialog>([&](QFileDialog &dialog) {
            dialog.setDirectory(folder.path());
            dialog.selectFile("run.svg");
            whenOpen<QMessageBox>([&](QMessageBox &box) {
                said = box.text();
                box.accept();
            });
            QMetaObject::invokeMethod(&dialog, "accept");
        });
        exportToFile(&window, "Export", "run.svg", {"svg"},
                     [](const QString &) { throw std::runtime_error("The disk is full."); });
        QCOMPARE(said, QString("The disk is full."));
        QCOMPARE(window.statusBar()->currentMessage(), QString());
    }

    void cancelWritesNothing() {
        QWidget parent;
        whenOpen<QFileDialog>([](QFileDialog &dialog) { dialog.reject(); });
        exportToFile(&parent, "Export", "run.svg", {"svg"}, [](const QString &) { QFAIL("nothing was chosen"); });
    }
};

QTEST_MAIN(TestExportDialog)
#include "tst_exportdialog.moc"
