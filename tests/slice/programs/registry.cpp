// SPDX-License-Identifier: GPL-3.0-or-later
// Values travel through a std::map by name and a std::vector of structs; another map and another key do not matter.
// stack: main@0
#include <cstdio>
#include <map>
#include <string>
#include <vector>
struct Job {
    int id;
    double cost;
};
class Registry {
  public:
    void add(const std::string &name, Job job) {
        jobs[name].push_back(job); // IN
        ++changes;                 // OUT
    }
    double costOf(const std::string &name) const {
        double sum = 0;                      // IN
        const auto found = jobs.find(name);  // IN
        if (found == jobs.end())             // IN
            return 0;                        // IN
        for (const Job &job : found->second) // IN
            sum += job.cost;                 // IN
        return sum;                          // IN
    }
    int changes = 0; // OUT

  private:
    std::map<std::string, std::vector<Job>> jobs;
};
static double priced(int n) {
    return n * 0.0; // IN
}
int main(int argc, char **) {
    Registry registry, archive;
    std::map<int, int> colours;
    std::string name = argc > 1 ? "fast" : "slow";                          // IN
    registry.add(name, {1, priced(argc)});                                  // IN
    archive.add("old", {2, 7.0});                                           // OUT
    colours[3] = argc;                                                      // OUT
    double left = 10;                                                       // IN
    while (left > 0)                                                        // IN @0
        left -= registry.costOf("slow");                                    // IN
    std::printf("%d %d\n", colours[3], archive.changes + registry.changes); // OUT
    return 0;                                                               // OUT
}
