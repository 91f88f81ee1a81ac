// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a recording: their checks, and the calls that are made of them.
#include "ingest/recording/Recording.h"
#include "ingest/recording/RecordingFile.h"
#include "tests/support/RecordingWriter.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

namespace laggard {
namespace {

namespace fs = std::filesystem;

/// The recording of one process with so many calls of MPI_Send, 3 records each; gone with the object.
class SampleFolder {
  public:
    explicit SampleFolder(std::int64_t calls) : m_path(fs::temp_directory_path().string() + "/laggard-micro-XXXXXX") {
        if (::mkdtemp(m_path.data()) == nullptr)
            std::abort();
        constexpr std::int64_t callsPerChunk = 1000;
        test::RecordingWriter writer(0, 2);
        for (std::int64_t i = 0; i < calls; ++i) {
            const auto time = static_cast<std::uint64_t>(100 * (i + 1));
            if (i % callsPerChunk == 0)
                writer.newChunk(time);
            writer.sendCall(time, time + 50, 1);
        }
        writer.write(file());
    }
    ~SampleFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    SampleFolder(const SampleFolder &) = delete;
    SampleFolder &operator=(const SampleFolder &) = delete;

    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] std::string file() const { return m_path + "/0.laggard"; }

  private:
    std::string m_path;
};

void readRecords(benchmark::State &state) {
    const SampleFolder folder(state.range(0));
    const recording::RecordingFile file(folder.file());
    std::int64_t records = 0;
    for (auto _ : state) {
        recording::EventReader events = file.events(0);
        for (recording::Record record; events.next(record);)
            ++records;
    }
    state.SetItemsProcessed(records);
}
BENCHMARK(readRecords)->Arg(100'000);

void openRecording(benchmark::State &state) {
    const SampleFolder folder(state.range(0));
    Work work;
    work.threads = 1;
    for (auto _ : state)
        benchmark::DoNotOptimize(recording::open(folder.path(), {}, work));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(openRecording)->Arg(100'000);

} // namespace
} // namespace laggard
