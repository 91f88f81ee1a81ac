// SPDX-License-Identifier: GPL-3.0-or-later
// Programs in the manner of C++ applications (classes, templates, lambdas, exceptions, threads) that hang in one way each (c…),
// and some that do not (ck…); the name by which it is called chooses (truth.jsonl). When one is about to hang, it writes the file
// that MOMENT_FILE names.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void aboutToHang() {
    if (const char *file = std::getenv("MOMENT_FILE"))
        std::ofstream(file) << "now\n";
}

/// A communicator that frees itself.
class Group {
  public:
    Group() { MPI_Comm_dup(MPI_COMM_WORLD, &m_comm); }
    Group(const Group &of, int colour) { MPI_Comm_split(of.m_comm, colour, of.rank(), &m_comm); }
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;
    ~Group() {
        if (m_comm != MPI_COMM_NULL)
            MPI_Comm_free(&m_comm);
    }
    [[nodiscard]] int rank() const { return ask(MPI_Comm_rank); }
    [[nodiscard]] int size() const { return ask(MPI_Comm_size); }
    [[nodiscard]] bool exists() const { return m_comm != MPI_COMM_NULL; }
    [[nodiscard]] MPI_Comm get() const { return m_comm; }

  private:
    template <typename Function> [[nodiscard]] int ask(Function function) const {
        int value = 0;
        function(m_comm, &value);
        return value;
    }
    MPI_Comm m_comm = MPI_COMM_NULL;
};

template <typename T> MPI_Datatype typeOf();
template <> MPI_Datatype typeOf<int>() { return MPI_INT; }
template <> MPI_Datatype typeOf<double>() { return MPI_DOUBLE; }

template <typename T> T sumOverAll(const Group &group, T own) {
    T all{};
    MPI_Allreduce(&own, &all, 1, typeOf<T>(), MPI_SUM, group.get());
    return all;
}
template <typename T> std::vector<T> fromRoot(const Group &group, std::vector<T> values, int root = 0) {
    MPI_Bcast(values.data(), static_cast<int>(values.size()), typeOf<T>(), root, group.get());
    return values;
}

/// What all the applications have: a number of steps, and a hook for each.
class Application {
  public:
    virtual ~Application() = default;
    void run(int steps) {
        for (m_step = 0; m_step < steps; ++m_step)
            advance();
    }

  protected:
    virtual void advance() = 0;
    /// True for one rank at one moment.
    [[nodiscard]] bool strikes(int rank, int step = 6) const {
        if (m_world.rank() != rank || m_step != step)
            return false;
        aboutToHang();
        return true;
    }
    Group m_world;
    int m_step = 0;
};

struct Particle {
    double x = 0, v = 0;
};

/// c1: particles that leave a slab go to the neighbour; one rank announces them, and takes the way for empty slabs.
class Particles : public Application {
  public:
    Particles() : m_own(200) {
        std::mt19937 random(static_cast<unsigned>(m_world.rank()));
        for (Particle &each : m_own)
            each = {std::uniform_real_distribution<>(0, 1)(random), std::normal_distribution<>()(random)};
    }

  protected:
    void advance() override {
        for (Particle &each : m_own)
            each.x += 0.01 * each.v;
        migrate();
        m_energy = sumOverAll(m_world, std::accumulate(m_own.begin(), m_own.end(), 0.0,
                                                       [](double sum, const Particle &each) { return sum + each.v * each.v; }));
    }

  private:
    void migrate() {
        const auto inside = [](const Particle &each) { return each.x >= 0 && each.x < 1; };
        const auto gone = std::partition(m_own.begin(), m_own.end(), inside);
        std::vector<Particle> leaving(gone, m_own.end());
        m_own.erase(gone, m_own.end());
        for (Particle &each : leaving)
            each.x -= std::floor(each.x);
        leaving.resize(std::max<std::size_t>(leaving.size(), 1));
        exchange(leaving);
    }
    void exchange(std::vector<Particle> &leaving) {
        const int right = (m_world.rank() + 1) % m_world.size(), left = (m_world.rank() + m_world.size() - 1) % m_world.size();
        int mine = static_cast<int>(leaving.size()), theirs = 0;
        MPI_Sendrecv(&mine, 1, MPI_INT, right, 1, &theirs, 1, MPI_INT, left, 1, m_world.get(), MPI_STATUS_IGNORE);
        std::vector<MPI_Request> open;
        std::vector<Particle> coming(static_cast<std::size_t>(theirs));
        if (theirs > 0)
            MPI_Irecv(coming.data(), 2 * theirs, MPI_DOUBLE, left, 2, m_world.get(), &open.emplace_back());
        if (mine > 0 && !strikes(7))
            MPI_Isend(leaving.data(), 2 * mine, MPI_DOUBLE, right, 2, m_world.get(), &open.emplace_back());
        MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
        m_own.insert(m_own.end(), coming.begin(), coming.end());
    }
    std::vector<Particle> m_own;
    double m_energy = 0;
};

/// c2: a flag that another thread should have set.
class Balancer : public Application {
  protected:
    void advance() override {
        std::atomic<bool> ready{!strikes(3)};
        const auto untilReady = [&] {
            unsigned turns = 0;
            while (!ready.load(std::memory_order_relaxed))
                ++turns;
            return turns;
        };
        m_load = 1.0 + untilReady();
        m_total = sumOverAll(m_world, m_load);
    }

  private:
    double m_load = 0, m_total = 0;
};

/// c3: sums over groups of four, then over their leaders; one leader believes that its part is zero.
class TwoLevels : public Application {
  public:
    TwoLevels() : m_node(m_world, m_world.rank() / 4), m_leaders(m_world, m_node.rank() == 0 ? 0 : MPI_UNDEFINED) {}

  protected:
    void advance() override {
        double own = m_world.rank(), node = 0;
        MPI_Reduce(&own, &node, 1, MPI_DOUBLE, MPI_SUM, 0, m_node.get());
        if (m_leaders.exists() && !strikes(8))
            node = sumOverAll(m_leaders, node);
        m_sum = fromRoot(m_node, std::vector<double>{node}).front();
    }

  private:
    Group m_node, m_leaders;
    double m_sum = 0;
};

/// c4: an exception is caught, and the rank goes to the report that others make at the end.
class Careful : public Application {
  protected:
    void advance() override {
        try {
            check(m_step);
            m_sum = sumOverAll(m_world, m_sum + 1);
        } catch (const std::runtime_error &) {
            report();
        }
    }

  private:
    void check(int step) const {
        if (strikes(10, 6))
            throw std::runtime_error("no convergence in step " + std::to_string(step));
    }
    void report() {
        std::vector<double> all(static_cast<std::size_t>(m_world.size()));
        MPI_Gather(&m_sum, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, m_world.get());
        MPI_Barrier(m_world.get());
    }
    double m_sum = 0;
};

/// c5: a token goes round by synchronous sends; one rank keeps it.
class Token : public Application {
  protected:
    void advance() override {
        const int rank = m_world.rank(), size = m_world.size();
        if (rank != 0)
            take((rank + size - 1) % size);
        if (!strikes(5))
            give((rank + 1) % size);
        if (rank == 0)
            take(size - 1);
    }

  private:
    void take(int from) { MPI_Recv(&m_token, 1, MPI_INT, from, 40, m_world.get(), MPI_STATUS_IGNORE); }
    void give(int to) { MPI_Ssend(&m_token, 1, MPI_INT, to, 40, m_world.get()); }
    int m_token = 0;
};

/// c6: a thread does the communication; main waits for it, and it waits for work that was handed over without a word.
class Courier : public Application {
  protected:
    void advance() override {
        m_isLoaded = false;
        std::thread courier([this] {
            std::unique_lock lock(m_mutex);
            m_loaded.wait(lock, [this] { return m_isLoaded; });
            m_sum = sumOverAll(m_world, 1.0);
        });
        if (!strikes(12)) {
            const std::lock_guard lock(m_mutex);
            m_isLoaded = true;
            m_loaded.notify_one();
        }
        courier.join();
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_loaded;
    bool m_isLoaded = false;
    double m_sum = 0;
};

/// c7: a table on rank 0 that is changed under a lock; one rank does not let go of it.
class Table : public Application {
  public:
    Table() {
        MPI_Win_allocate(m_world.rank() == 0 ? 64 * sizeof(double) : 0, sizeof(double), MPI_INFO_NULL, m_world.get(), &m_values,
                         &m_window);
    }
    ~Table() override { MPI_Win_free(&m_window); }

  protected:
    void advance() override {
        if (m_world.rank() == 4)
            put(strikes(4));
        MPI_Barrier(m_world.get());
        if (m_world.rank() == 9)
            put(false);
        MPI_Barrier(m_world.get());
    }

  private:
    void put(bool keep) {
        const double value = m_step;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, m_window);
        MPI_Put(&value, 1, MPI_DOUBLE, 0, m_world.rank(), 1, MPI_DOUBLE, m_window);
        MPI_Win_flush(0, m_window);
        if (!keep)
            MPI_Win_unlock(0, m_window);
    }
    double *m_values = nullptr;
    MPI_Win m_window = MPI_WIN_NULL;
};

/// ck1: steps of work of very different length, with a sum after each.
class Uneven : public Application {
  protected:
    void advance() override {
        std::mt19937 random(static_cast<unsigned>(m_world.rank() * 1000 + m_step));
        double x = 0.1;
        for (int i = std::uniform_int_distribution<>(1000, 400000)(random); i-- > 0;)
            x = std::sin(x) + 0.5;
        m_sum = sumOverAll(m_world, x);
    }
    double m_sum = 0;
};

/// ck2: rank 0 writes a checkpoint every so often, which takes a while.
class Checkpoints : public Application {
  protected:
    void advance() override {
        m_sum = sumOverAll(m_world, 1.0);
        if (m_world.rank() == 0 && m_step % 2000 == 1999)
            write();
        MPI_Barrier(m_world.get());
    }

  private:
    void write() { std::this_thread::sleep_for(std::chrono::milliseconds(700)); }
    double m_sum = 0;
};

/// ck3: a manager and workers, who sleep between their tasks.
class Manager : public Application {
  protected:
    void advance() override {
        int task = m_step;
        if (m_world.rank() == 0) {
            MPI_Status from;
            for (int i = 1; i < m_world.size(); ++i) {
                MPI_Recv(&task, 1, MPI_INT, MPI_ANY_SOURCE, 1, m_world.get(), &from);
                MPI_Send(&task, 1, MPI_INT, from.MPI_SOURCE, 2, m_world.get());
            }
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(m_world.rank() * 20));
            MPI_Send(&task, 1, MPI_INT, 0, 1, m_world.get());
            MPI_Recv(&task, 1, MPI_INT, 0, 2, m_world.get(), MPI_STATUS_IGNORE);
        }
    }
};

using Maker = std::function<std::unique_ptr<Application>()>;
template <typename T> Maker maker() {
    return [] { return std::make_unique<T>(); };
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    const std::map<std::string, Maker> makers = {
        {"c1", maker<Particles>()},    {"c2", maker<Balancer>()}, {"c3", maker<TwoLevels>()}, {"c4", maker<Careful>()},
        {"c5", maker<Token>()},        {"c6", maker<Courier>()},  {"c7", maker<Table>()},     {"ck1", maker<Uneven>()},
        {"ck2", maker<Checkpoints>()}, {"ck3", maker<Manager>()}};
    const std::string path = argv[0];
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool isSound = name.starts_with("ck");
    makers.at(name)()->run(isSound ? 1000000 : 12);
    MPI_Finalize();
}
