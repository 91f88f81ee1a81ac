// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/progress/TraceModels.h"
#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <memory>

namespace laggard::test {

/// What a window is given for a job like the bundled hung one, made by hand: rank 3 of 16 is in compute_flux, the others wait for
/// it in MPI_Allreduce. Ranks 0-7 ran on n016, the others on n017.
struct HungReport {
    std::shared_ptr<Trace> trace; ///< may be changed before it is shown
    std::shared_ptr<WaitForGraph> waits = std::make_shared<WaitForGraph>();
    std::shared_ptr<ProgressGraph> progress = std::make_shared<ProgressGraph>();
    std::shared_ptr<Verdict> verdict = std::make_shared<Verdict>();

    CallPathId allreduce = none;
    CallPathId flux = none;
    static constexpr Rank ranks = 16;
    static constexpr Rank slowest = 3;

    HungReport() {
        makeTrace();
        makeWaits();
        makeProgress();
        makeVerdict();
    }

    [[nodiscard]] RankSet others() const {
        RankSet set;
        for (Rank rank = 0; rank < ranks; ++rank)
            if (rank != slowest)
                set.push_back(rank);
        return set;
    }
    [[nodiscard]] RegionId region(const std::string &name) const {
        for (RegionId region = 0; region < trace->regions.size(); ++region)
            if (trace->regions[region].name == name)
                return region;
        return none;
    }

  private:
    void makeTrace() {
        TraceBuilder builder(ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, 0, "main").call(rank, 10, 1'000'000, "MPI_Init").enter(rank, 2'000'000, "time_step");
            builder.call(rank, 3'000'000, 9'000'000, "exchange_halo");
            if (rank == slowest)
                builder.enter(rank, 10'000'000, "compute_flux");
            else
                builder.call(rank, 10'000'000, 40'000'000, "compute_flux")
                    .enter(rank, 41'000'000, "residual")
                    .enter(rank, 42'000'000, "MPI_Allreduce");
        }
        trace = std::const_pointer_cast<Trace>(builder.finish(3'027'000'000));
        trace->path = "/home/me/jobs/hung-stencil/traces.otf2";
        trace->format = "OTF2";
        trace->creator = "Score-P 8.0";
        for (Region &region : trace->regions)
            if (!region.isMpi())
                region.file = "/build/stencil/stencil.c";
        trace->regions[region("compute_flux")].line = 41;
        trace->regions[region("residual")].line = 56;
        trace->regions[region("time_step")].line = 60;
        trace->regions[region("main")].line = 62;
        trace->systemNodes = {{"cluster", "machine", none}, {"n016", "node", 0}, {"n017", "node", 0}};
        for (Rank rank = 0; rank < ranks; ++rank)
            trace->processes[rank].node = rank < 8 ? 1 : 2;
        trace->unshown = {{"METRIC", 120}, {"PARAMETER_STRING", 3}};
        flux = openPath(slowest);
        allreduce = openPath(0);
    }
    [[nodiscard]] CallPathId openPath(Rank rank) const {
        const Track &track = trace->mainEvents(rank)->track;
        return track.callPath[track.innermostOpen()];
    }
    void makeWaits() {
        waits->at = trace->range.end;
        for (Rank rank = 0; rank < ranks; ++rank) {
            Activity activity;
            activity.kind = rank == slowest ? Activity::Kind::Computing : Activity::Kind::Collective;
            activity.callPath = rank == slowest ? flux : allreduce;
            waits->activities.push_back(activity);
        }
    }
    void makeProgress() {
        progress->at = trace->range.end;
        progress->nodes.resize(2);
        progress->nodes[0].ranks = others();
        progress->nodes[0].kind = ModelState::Kind::Communication;
        progress->nodes[0].callPath = allreduce;
        progress->nodes[0].stack = stackOf(*trace, allreduce);
        progress->nodes[1].ranks = {slowest};
        progress->nodes[1].kind = ModelState::Kind::Computation;
        progress->nodes[1].callPath = flux;
        progress->nodes[1].stack = stackOf(*trace, flux);
        progress->nodes[1].leastProgressed = true;
        ProgressEdge edge;
        edge.from = 0;
        edge.to = 1;
        edge.confidence = 0.98;
        edge.observed = true;
        edge.evidence = "15 ranks are in MPI_Allreduce on MPI_COMM_WORLD; rank 3 has not entered it.";
        progress->edges.push_back(edge);
        progress->leastProgressed = {slowest};
        progress->confidence = 0.97;
        progress->why = "Everybody waits for rank 3, and it waits for nobody.";
    }
    void makeVerdict() {
        verdict->state = Verdict::State::Hung;
        verdict->summary =
            "Rank 3 has made the least progress: it is in compute_flux (stencil.c:41), and 15 ranks wait for it in "
            "MPI_Allreduce.";
        verdict->confidence = 0.97;
        Finding first;
        first.method = "progress";
        first.ranks = {slowest};
        first.function = "compute_flux";
        first.file = "/build/stencil/stencil.c";
        first.line = 41;
        first.score = 0.97;
        first.callPath = flux;
        first.why = "15 ranks wait for rank 3, which has been in compute_flux for 3.02 s.";
        Finding second = first;
        second.method = "outliers";
        second.ranks = {3, 9};
        second.score = 0.41;
        second.callPath = none;
        second.why = "Ranks 3 and 9 spend their time unlike the others, mostly in \"compute_flux\".";
        verdict->findings = {first, second};
    }
};

} // namespace laggard::test
