// The main program of a C++ schema, which holds all mutants of a program. With HARNESS_MUTANT=7 in the environment it
// runs as mutant 7. With HARNESS_BATCH=1 it compares mutants with the original on many inputs, several runs per process
// if the program allows that:
//   standard input: numbers of mutants and of inputs, most differences of a mutant, milliseconds of a run, mode (1: a
//   process for every run; else find out whether that is needed); the mutants; then for each input its length and its
//   bytes. All numbers have 32 bits.
//   standard output: "mode M", "spent MICROSECONDS" (of the original), "crashed INPUT", "late INPUT", "slow INPUT",
//   "different MUTANT INPUT" (inputs are numbered from 0), "done MUTANT INPUTS".
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" int harness_program_main(int, char**);
extern "C" void harness_choose(int);
extern "C" int harness_chosen() {
    const char* number = std::getenv("HARNESS_MUTANT");
    return number ? std::atoi(number) : 0;
}

namespace {

constexpr uint64_t kLate = 0, kCrashed = 1;
constexpr size_t kStops = 6;      // a mutant is run no more after so many runs that crash or do not end
constexpr size_t kProbed = 400;   // number of inputs that show whether one process may run the program many times
constexpr rlim_t kMemory = 1536u << 20;

constexpr uint32_t kSlowUs = 1500;     // inputs that take the original longer are run only while kSlowBudgetUs lasts
constexpr uint64_t kSlowBudgetUs = 1500000;

struct Progress {
    uint64_t input;
    uint64_t slow_us;
    struct Outcome {
        uint64_t hash;
        uint32_t slow, skipped;
    } outcome[1];
};

uint32_t limit_ms, most;
bool late;  // whether the last child was stopped by the clock
std::vector<std::string> inputs;
Progress* progress;
FILE* report;

uint32_t number() {
    uint32_t value = 0;
    if (std::fread(&value, sizeof value, 1, stdin) != 1) std::_Exit(3);
    return value;
}

void arm(uint32_t milliseconds) {
    const itimerval timer = {{0, 0}, {milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000 * 1000)}};
    setitimer(ITIMER_PROF, &timer, nullptr);
}

uint64_t hash(const char* text, size_t length, uint64_t seed) {
    uint64_t value = 14695981039346656037u ^ seed;
    for (size_t i = 0; i < length; ++i) value = (value ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
    return value > kCrashed ? value : value + 2;
}

uint64_t microseconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000 + now.tv_nsec / 1000;
}

uint64_t children_microseconds() {
    rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 + used.ru_utime.tv_usec +
           used.ru_stime.tv_usec;
}

// One run in this process: the standard streams are strings.
uint64_t run(const std::string& input) {
    char name[] = "program";
    char* arguments[] = {name, nullptr};
    char* written = nullptr;
    size_t length = 0;
    stdin = fmemopen(const_cast<char*>(input.data()), input.size() + input.empty(), "r");
    stdout = open_memstream(&written, &length);
    std::istringstream in(input);
    std::ostringstream out;
    std::cin.clear(), std::cout.clear();
    std::cin.rdbuf(in.rdbuf());
    std::cout.rdbuf(out.rdbuf());
    arm(limit_ms);
    const int status = harness_program_main(1, arguments);
    arm(0);
    std::fclose(stdin), std::fclose(stdout);
    const std::string all = std::string(written, length) + out.str();
    std::free(written);
    return hash(all.data(), all.size(), static_cast<uint64_t>(status) << 32);
}

// Marks an input on which the original is slow, so that it is skipped later; the first few slow inputs are not marked.
void judge_slowness(Progress::Outcome& outcome, uint64_t spent_us) {
    if (spent_us > kSlowUs) progress->slow_us += spent_us;
    outcome.slow = spent_us > kSlowUs && progress->slow_us > kSlowBudgetUs;
}

// Runs the inputs from `first` on in a child process, only one input if `alone`; returns the index at which it ended.
size_t run_some(size_t first, size_t last, bool alone, const std::vector<uint64_t>* expected) {
    progress->input = first;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit memory = {kMemory, kMemory};
        setrlimit(RLIMIT_AS, &memory);
        size_t differences = 0;
        for (size_t i = first; i < last && differences < most; ++i) {
            auto& outcome = progress->outcome[i];
            const uint64_t before = expected ? 0 : microseconds();
            outcome.hash = outcome.skipped ? (*expected)[i] : run(inputs[i]);
            if (!expected) judge_slowness(outcome, microseconds() - before);
            progress->input = i + 1;
            if (expected && outcome.hash != (*expected)[i]) ++differences;
            if (alone) break;
        }
        std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    late = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    return progress->input;
}

// Returns the outcome of every input; fewer if there were enough differences or failures.
std::vector<uint64_t> run_all(int mutant, size_t last, bool alone, const std::vector<uint64_t>* expected) {
    harness_choose(mutant);
    // The original may crash on many inputs, which are then left out; but few runs may exceed the time limit.
    const size_t allowed = expected ? kStops : kStops + last / 2, late_weight = expected ? 1 : allowed / kStops;
    size_t stops = 0, differences = 0, i = 0;
    while (i < last && stops < allowed && differences < most) {
        const size_t before = i, wanted = alone ? i + 1 : last;
        i = run_some(i, last, alone, expected);
        if (i < wanted && (alone || i < last)) {
            bool enough = false;
            for (size_t k = before; expected && k < i; ++k) differences += progress->outcome[k].hash != (*expected)[k];
            enough = expected && differences >= most;
            if (enough) break;
            progress->outcome[i++].hash = late ? kLate : kCrashed;
            if (!expected || (*expected)[i - 1] > kCrashed) stops += late ? late_weight : 1, ++differences;
        } else if (expected) {
            for (size_t k = before; k < i; ++k) differences += progress->outcome[k].hash != (*expected)[k];
        }
    }
    std::vector<uint64_t> found;
    for (size_t k = 0; k < i; ++k) found.push_back(progress->outcome[k].hash);
    return found;
}

void compare(int mutant, bool alone, const std::vector<uint64_t>& expected) {
    const std::vector<uint64_t> found = run_all(mutant, inputs.size(), alone, &expected);
    for (size_t i = 0; i < found.size(); ++i)
        if (found[i] != expected[i]) std::fprintf(report, "different %d %zu\n", mutant, i);
    size_t compared = 0;
    for (size_t i = 0; i < found.size(); ++i) compared += !progress->outcome[i].skipped;
    std::fprintf(report, "done %d %zu\n", mutant, compared);
    std::fflush(report);
}

int batch() {
    const uint32_t mutants = number(), count = number();
    most = number(), limit_ms = number();
    bool alone = number() == 1;
    std::vector<int> chosen;
    for (uint32_t i = 0; i < mutants; ++i) chosen.push_back(static_cast<int>(number()));
    for (uint32_t i = 0; i < count; ++i) {
        std::string input(number(), '\0');
        if (!input.empty() && std::fread(input.data(), 1, input.size(), stdin) != input.size()) return 3;
        inputs.push_back(input);
    }
    const size_t bytes = sizeof(Progress) + sizeof(Progress::Outcome) * inputs.size();
    void* shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 3;
    progress = static_cast<Progress*>(shared);
    report = fdopen(dup(1), "w");
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) dup2(nowhere, 0), dup2(nowhere, 1), dup2(nowhere, 2);
    mallopt(M_MMAP_THRESHOLD, 64 << 20), mallopt(M_TRIM_THRESHOLD, 256 << 20);
    std::ios::sync_with_stdio(false);
    const uint32_t wanted = most;
    most = ~0u;
    if (!alone) {
        const size_t probed = inputs.size() < kProbed ? inputs.size() : kProbed;
        alone = run_all(0, probed, false, nullptr) != run_all(0, probed, true, nullptr);
    }
    std::fprintf(report, "mode %d\n", alone ? 1 : 0);
    const uint64_t before = children_microseconds();
    const std::vector<uint64_t> expected = run_all(0, inputs.size(), alone, nullptr);
    std::fprintf(report, "spent %llu\n", static_cast<unsigned long long>(children_microseconds() - before));
    if (expected.size() < inputs.size()) chosen.clear();  // the original fails too often: no comparison is possible
    for (size_t i = 0; i < expected.size(); ++i) {
        auto& outcome = progress->outcome[i];
        outcome.skipped = outcome.slow || expected[i] <= kCrashed;
        if (outcome.skipped)
            std::fprintf(report, "%s %zu\n", outcome.slow ? "slow" : expected[i] == kLate ? "late" : "crashed", i);
    }
    most = wanted;
    for (const int mutant : chosen) compare(mutant, alone, expected);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (!std::getenv("HARNESS_BATCH")) return harness_program_main(count, arguments);
    return batch();
}
