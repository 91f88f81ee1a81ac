// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/SlicerFiles.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace laggard;

class TestSlicerFiles : public QObject {
    Q_OBJECT
  private slots:
    void stacks() {
        const SliceStack stack{{0, 1, 2, 4},
                               {{"operator()(int, char)", "/a b/x.cpp", 7}, {"f", "f.c", 0}, {"", "", 0}, {"a\nb", "c\rd.c", 2}}};
        QCOMPARE(stackText(stack), std::string("# ranks 0-2,4\noperator()(int, char) /a b/x.cpp:7\nf\n?\na b c d.c:2\n"));
    }

    void messages() {
        SliceMessages message;
        message.to = {3};
        message.receive = {{"exchange", "/x/a.c", 36}, {"main", "/x/a.c", 64}};
        message.from = {2, 7};
        message.send = {{"\xff", "/x/a.c", 37}};
        message.count = 41;
        SliceMessages collective = message;
        collective.isCollective = true;
        const auto json = nlohmann::json::parse(messagesText({message, collective}));
        QCOMPARE(json["messages"].size(), std::size_t{2});
        const auto &first = json["messages"][0];
        QCOMPARE(first["kind"].get<std::string>(), std::string("p2p"));
        QCOMPARE(first["to"].get<std::string>(), std::string("3"));
        QCOMPARE(first["from"].get<std::string>(), std::string("2,7"));
        QCOMPARE(first["receive"][1].get<std::string>(), std::string("main /x/a.c:64"));
        QCOMPARE(first["count"].get<int>(), 41);
        QCOMPARE(json["messages"][1]["kind"].get<std::string>(), std::string("collective"));
        QVERIFY(nlohmann::json::parse(messagesText({}))["messages"].empty());
    }
};

QTEST_APPLESS_MAIN(TestSlicerFiles)
#include "tst_slicerfiles.moc"
