// SPDX-License-Identifier: GPL-3.0-or-later
// Templates: a policy, a recursion over types, a specialisation, members of a base that depends on a parameter.
// stack: Solver<Relaxed>::solve main
#include <array>
#include <cstdio>
template <int N> struct Power {
    static int of(int x) { return x * Power<N - 1>::of(x); } // IN
};
template <> struct Power<0> {
    static int of(int) { return 0; } // IN
};
template <typename T, int N> class Buffer {
  public:
    void set(int i, T value) { cells[i] = value; } // IN
    T get(int i) const { return cells[i]; }        // IN
    int size() const { return N; }                 // OUT

  private:
    std::array<T, N> cells{}; // OUT
};
struct Relaxed {
    static double next(double x, double by) { return x + by * 0.5; } // IN
};
struct Exact {
    static double next(double x, double by) { return x + by; } // OUT
};
template <typename Policy> class Solver : Buffer<double, 4> {
  public:
    explicit Solver(double by) {
        this->set(0, by);  // IN
        this->set(1, 1.0); // OUT
    }
    double solve(double goal) {
        double x = 0;                          // IN
        int rounds = 0;                        // OUT
        while (x < goal) {                     // IN @0
            x = Policy::next(x, this->get(0)); // IN
            ++rounds;                          // OUT
        }
        return rounds; // OUT
    }
};
template <typename... T> double total(T... values) {
    return (0.0 + ... + values); // IN
}
int main(int argc, char **) {
    double by = Power<2>::of(argc);    // IN
    double goal = total(1, 2.5, argc); // IN
    Solver<Exact> exact(1);            // OUT
    Solver<Relaxed> relaxed(by);       // IN
    double rounds = exact.solve(3);    // OUT
    rounds += relaxed.solve(goal);     // IN @1
    std::printf("%g\n", rounds);       // OUT
    return 0;                          // OUT
}
