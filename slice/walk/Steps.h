// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"
#include "slice/program/Names.h"

#include <map>

namespace laggard::slice {

/// Why a line is in the slice, in the program's terms.
struct Reason {
    Why why = Why::Criterion;
    Node subject = none;         ///< the value that is asked for, or the condition
    std::uint32_t from = none;   ///< place of the line that depends on it
    std::uint32_t detail = none; ///< a sentence that was made before, see Steps::sentence()
    std::uint32_t callee = none; ///< the function that gives the value when it is called there
    bool isJump = false;         ///< for Control: the line is a jump that the condition decides about
};

/// Collects the lines of a slice; each counts once, with its least distance, but for lines that a message came from.
class Steps {
  public:
    explicit Steps(const Program &known) : program(known), lineOf(known.places.size(), noLine) {}

    void add(std::uint32_t place, unsigned distance, const Reason &reason, std::uint32_t function, const std::string &ranks);
    /// Keeps a sentence for a Reason.
    [[nodiscard]] std::uint32_t sentence(std::string text);
    /// Where ties between lines of one distance are decided: those nearer to it come first. The first place counts.
    void standAt(std::uint32_t place);
    [[nodiscard]] std::uint32_t standing() const { return origin; }
    /// In order: by distance, then by nearness in the file.
    [[nodiscard]] std::vector<SliceStep> ordered(const Names &names) const;
    /// "stencil.c:41"
    [[nodiscard]] std::string describe(std::uint32_t place) const;

  private:
    static constexpr std::size_t noLine = ~std::size_t{0};
    struct Line {
        std::uint32_t place = none, function = none;
        unsigned distance = 0;
        Reason reason;
        std::string ranks;
    };
    [[nodiscard]] std::string detailOf(const Line &line, const std::string &variable) const;

    const Program &program;
    std::vector<Line> lines;
    std::vector<std::size_t> lineOf; ///< by place: index into lines, as far as there is one
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> messageLines; ///< by place and sentence
    std::vector<std::string> sentences;
    std::uint32_t origin = none;
};

} // namespace laggard::slice
