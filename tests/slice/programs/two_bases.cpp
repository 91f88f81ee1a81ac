// SPDX-License-Identifier: GPL-3.0-or-later
// A class with two bases, called through the second; a virtual base; one that is told what it is by dynamic_cast.
// stack: main@0
#include <cstdio>
struct Counter {
    int count = 0; // IN
    virtual ~Counter() = default;
};
struct Source {
    virtual ~Source() = default;
    virtual int next() = 0;
    virtual const char *name() const { return "source"; } // OUT
};
struct Sink {
    virtual ~Sink() = default;
    virtual void take(int n) = 0;
    int taken = 0; // OUT
};
struct Pipe : virtual Counter, Source, Sink {
    int held = 0; // OUT
    int gain;
    explicit Pipe(int by) : gain(by) {}  // IN
    int next() override { return gain; } // IN
    void take(int n) override {
        held = n;   // OUT
        count += n; // IN
    }
    const char *name() const override { return "pipe"; } // OUT
};
struct Drain : virtual Counter, Sink {
    int lost = 0;                            // OUT
    void take(int n) override { lost += n; } // OUT
};
static int zero(int n) {
    return n - n; // IN
}
int main(int argc, char **) {
    Pipe pipe(zero(argc)); // IN
    Drain drain;
    Source *source = &pipe;                            // IN
    Sink *sinks[2] = {&drain, &pipe};                  // IN
    sinks[0]->take(3);                                 // OUT
    Sink *sink = sinks[1];                             // IN
    Counter *counter = dynamic_cast<Counter *>(sink);  // IN
    while (counter->count < 10)                        // IN @0
        sink->take(source->next());                    // IN
    std::printf("%s %d\n", source->name(), pipe.held); // OUT
    return drain.lost;                                 // OUT
}
