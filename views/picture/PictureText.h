// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// What a piece of text is; decides its font and colour.
enum class TextRole : std::uint8_t {
    Title,
    Subtitle,
    Verdict, ///< who made the least progress, in the head of the picture
    Remark,  ///< sentences below the graph
    Loss,    ///< sentences about data loss
    Ranks,
    Count,
    Function,
    Activity,
    Place,
    LeastProgressed,
    Damaged,
    Note, ///< typed by the user
    EdgeLabel,
    Legend,
};

struct PictureText {
    QString text;
    TextRole role = TextRole::Remark;
    bool operator==(const PictureText &) const = default;
};

/// The font that text of this role is measured and painted in; sizes in pixels. Needs a QGuiApplication.
[[nodiscard]] QFont fontOf(TextRole role);
[[nodiscard]] QFontMetricsF metricsOf(TextRole role);

/// Size of text with line breaks, in pixels.
[[nodiscard]] QSizeF sizeOfText(const PictureText &text);

/// `text` as it can be shown on one line and stored in XML (trace/Printable.h): bytes that are not UTF-8, line breaks, control
/// and format characters replaced.
[[nodiscard]] QString showable(const std::string &text);

/// `text` if it is at most `width` wide, else with "…" in its middle.
[[nodiscard]] QString elided(const QString &text, TextRole role, qreal width);

/// `text` broken between words into lines of at most `width`; words that are too long are elided. At most `most` lines:
/// what is left out is marked by "…".
[[nodiscard]] QStringList wrapped(const QString &text, TextRole role, qreal width, int most);

} // namespace laggard
