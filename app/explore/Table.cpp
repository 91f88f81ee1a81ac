// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/Explorer.h"
#include "app/report/TextLines.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace laggard::explore {
namespace {

std::size_t countOf(const Exploration &exploration, Ending ending) {
    return static_cast<std::size_t>(std::ranges::count_if(
        exploration.runs, [ending](const ExploredRun &run) { return run.exchange && run.ending == ending; }));
}

void writeRun(std::ostream &out, const ExploredRun &run) {
    out << std::setw(4) << run.number << "  " << std::setw(5) << run.parent << "  " << std::left << std::setw(18)
        << toText(*run.exchange) << std::setw(13) << name(run.ending) << std::right << '\n';
    writeWrapped(out, "        ", run.what);
    if (!run.detail.empty())
        writeWrapped(out, "        ", run.detail);
}

} // namespace

void writeTable(std::ostream &out, const Exploration &exploration) {
    const std::size_t tried = exploration.runs.empty() ? 0 : exploration.runs.size() - 1;
    std::string text = "Tried " + plural(tried, "exchange") + ": ";
    const char *separator = "";
    for (const Ending ending : {Ending::Same, Ending::OtherOutput, Ending::Hung, Ending::Crashed, Ending::NotCome, Ending::Left})
        if (const std::size_t count = countOf(exploration, ending); count != 0) {
            text += separator + describeCount(count) + ' ' + std::string(name(ending));
            separator = ", ";
        }
    text += tried == 0 ? "there is none" : "";
    if (exploration.left != 0)
        text += "; " + plural(exploration.left, "further exchange") + " not tried";
    writeWrapped(out, "", text + (exploration.isCancelled ? "; interrupted." : "."));
    if (tried == 0)
        return;
    out << "\n run  after  exchange          ended\n";
    for (const Ending ending : {Ending::Hung, Ending::Crashed, Ending::NotCome, Ending::Left, Ending::OtherOutput, Ending::Same})
        for (const ExploredRun &run : exploration.runs)
            if (run.exchange && run.ending == ending)
                writeRun(out, run);
}

} // namespace laggard::explore
