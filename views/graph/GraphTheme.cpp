// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphTheme.h"

namespace laggard {

GraphTheme GraphTheme::light() {
    GraphTheme theme;
    theme.background = QColor(0xffffff);
    theme.text = QColor(0x1b1f24);
    theme.mutedText = QColor(0x57606a);
    theme.rule = QColor(0xd0d7de);
    theme.communicationFill = QColor(0xf4f7fb);
    theme.computationFill = QColor(0xfbf8ee);
    theme.nodeBorder = QColor(0x6e7781);
    theme.leastProgressedFill = QColor(0xfff1e8);
    theme.leastProgressed = QColor(0xa84300);
    theme.warning = QColor(0x7a5200);
    theme.selection = QColor(0x0072b2);
    theme.collective = QColor(0x0072b2);
    theme.pointToPoint = QColor(0x007d5c);
    theme.loop = QColor(0xb0508a);
    theme.undefined = QColor(0x767d85);
    return theme;
}

GraphTheme GraphTheme::dark() {
    GraphTheme theme;
    theme.background = QColor(0x16191d);
    theme.text = QColor(0xe8ebee);
    theme.mutedText = QColor(0xa7b0b9);
    theme.rule = QColor(0x3a4149);
    theme.communicationFill = QColor(0x1f262f);
    theme.computationFill = QColor(0x2a281f);
    theme.nodeBorder = QColor(0x8b949e);
    theme.leastProgressedFill = QColor(0x3a2415);
    theme.leastProgressed = QColor(0xff9a4d);
    theme.warning = QColor(0xf0e442);
    theme.selection = QColor(0x56b4e9);
    theme.collective = QColor(0x56b4e9);
    theme.pointToPoint = QColor(0x2fc79b);
    theme.loop = QColor(0xdf94c0);
    theme.undefined = QColor(0x8f979f);
    return theme;
}

} // namespace laggard
