// SPDX-License-Identifier: GPL-3.0-or-later
// Rank 0 hands out tasks of uneven length, batch by batch; a batch is a step. In odd batches it takes results as they come with
// Probe and ANY_SOURCE, in even ones it has a receive open for each worker and waits with Waitany. The tags of tasks and
// results change with every batch. A batch begins with Bcast and ends with Reduce.
#include "program.h"

#include <array>
#include <cmath>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

options opt;

constexpr int Stop = -1;

HELPER int task_tag(int batch) { return 100 + 2 * (batch % 500); }
HELPER int result_tag(int batch) { return task_tag(batch) + 1; }

struct Result {
    double task = 0.0, value = 0.0;
};

double compute_kernel(int batch, int task) {
    double tolerance = 1e-12;
    if (fault_strikes(&opt, "spin", batch, __func__, NOBODY))
        tolerance = -1.0; // BUG: the tolerance was never set, no change is below it
    int passes = 1;
    if (fault_strikes(&opt, "slow", batch, __func__, NOBODY))
        passes = 5; // BUG: a cache that never hits, everything is computed anew
    double sum = 0.0;
    for (int pass = 0; pass < passes; ++pass) {
        sum = 0.0;
        for (int i = 0; i < 300 + 20 * (task % 7); ++i) {
            const double a = start_value(opt.seed, 1000L * batch + task) + 0.01 * i;
            double x = 1.0, change;
            do { // x = cos(x + a) / 2
                change = 0.5 * std::cos(x + a) - x;
                x += change;
            } while (std::abs(change) > tolerance);
            sum += x;
        }
    }
    return sum;
}

// The next task that nobody has yet, or Stop.
int choose_task(int &next) { return next < opt.size ? next++ : Stop; }

void hand_out(int worker, int task, int batch) { MPI_Send(&task, 1, MPI_INT, worker, task_tag(batch), MPI_COMM_WORLD); }

void collect_as_they_come(int batch, std::vector<double> &values, int next, int active) {
    while (active > 0) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, result_tag(batch), MPI_COMM_WORLD, &status);
        Result result;
        MPI_Recv(&result, 2, MPI_DOUBLE, status.MPI_SOURCE, result_tag(batch), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        values.at(static_cast<std::size_t>(result.task)) = result.value;
        const int task = choose_task(next);
        hand_out(status.MPI_SOURCE, task, batch);
        active -= task == Stop;
    }
}

void collect_by_requests(int batch, std::vector<double> &values, int next, int active) {
    std::vector<Result> results(static_cast<std::size_t>(opt.ranks));
    std::vector<MPI_Request> requests(results.size(), MPI_REQUEST_NULL);
    auto listen = [&](std::size_t worker) {
        MPI_Irecv(&results[worker], 2, MPI_DOUBLE, static_cast<int>(worker), result_tag(batch), MPI_COMM_WORLD,
                  &requests[worker]);
    };
    for (std::size_t worker = 1; worker < results.size(); ++worker)
        listen(worker);
    while (active > 0) {
        int index = 0;
        MPI_Waitany(opt.ranks, requests.data(), &index, MPI_STATUS_IGNORE);
        const auto worker = static_cast<std::size_t>(index);
        values.at(static_cast<std::size_t>(results[worker].task)) = results[worker].value;
        const int task = choose_task(next);
        if (task != Stop)
            listen(worker);
        hand_out(index, task, batch);
        active -= task == Stop;
    }
}

double run_master(int batch) {
    std::vector<double> values(static_cast<std::size_t>(opt.size), 0.0);
    int next = 0;
    for (int worker = 1; worker < opt.ranks; ++worker)
        hand_out(worker, choose_task(next), batch);
    if (batch % 2 == 1)
        collect_as_they_come(batch, values, next, opt.ranks - 1);
    else
        collect_by_requests(batch, values, next, opt.ranks - 1);
    double sum = 0.0; // in the order of tasks, whoever computed them
    for (std::size_t task = 0; task < values.size(); ++task)
        sum += values[task] * (1.0 + 0.01 * static_cast<double>(task));
    return sum;
}

int receive_task(int batch) {
    int task = Stop, tag = task_tag(batch);
    if (fault_strikes(&opt, "deadlock", batch, __func__, 0))
        tag = task_tag(batch + 1); // BUG: already waits for the next batch, whose tasks come after its result for this one
    MPI_Recv(&task, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return task;
}

void send_result(int batch, const Result &result) {
    const double *source = &result.task;
    if (fault_strikes(&opt, "crash", batch, __func__, NOBODY))
        source = nullptr; // BUG: the result was never stored
    const std::array<double, 2> message{source[0], source[1]};
    if (fault_strikes(&opt, "skipped-send", batch, __func__, 0))
        return; // BUG: takes the result for empty and reports nothing
    MPI_Send(message.data(), 2, MPI_DOUBLE, 0, result_tag(batch), MPI_COMM_WORLD);
}

void run_worker(int batch) {
    for (int task = receive_task(batch); task != Stop; task = receive_task(batch)) {
        Result result{double(task), compute_kernel(batch, task)};
        if (fault_strikes(&opt, "abort", batch, __func__, NOBODY))
            result.value = NAN; // BUG: a result that was never computed
        if (std::isnan(result.value))
            MPI_Abort(MPI_COMM_WORLD, 9);
        send_result(batch, result);
    }
}

void sum_up(int batch, double part, double &total) {
    double all = 0.0;
    if (fault_strikes(&opt, "mismatch", batch, __func__, NOBODY))
        MPI_Barrier(MPI_COMM_WORLD); // BUG: a rank with nothing to add only synchronizes, while the others reduce
    else
        MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    total += all;
}

void process_batch(int step, double &total) {
    MPI_Pcontrol(1);
    int batch = step;
    MPI_Bcast(&batch, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double part = 0.0;
    if (opt.rank == 0)
        part = run_master(batch);
    else
        run_worker(batch);
    sum_up(batch, part, total);
}

// Whether all batches were processed.
bool process_batches(double &total) {
    for (int step = 1; step <= opt.steps; ++step) {
        process_batch(step, total);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return false; // BUG: a worker that was told to stop takes the batch for the last one
    }
    MPI_Pcontrol(0);
    return true;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "master-worker", 40, 44, "spin skipped-send early-exit crash abort mismatch deadlock slow");
    if (opt.ranks < 2 || opt.size < opt.ranks)
        refuse(&opt, "needs two ranks or more, and at least as many tasks.");
    const std::string fault = opt.fault;
    if (opt.fault_rank == 0 && fault != "none" && fault != "early-exit" && fault != "mismatch")
        refuse(&opt, "has this fault in workers only: rank 1 or higher.");
    double total = 0.0;
    if (process_batches(total))
        print_checksum(&opt, total);
    MPI_Finalize();
}
