// A language model as command:ARGV sees it: a pure function of the prompt and HONE_SEED, so that a search with it can
// be repeated. It writes down what it was asked: "begin <seed> <prompt's hash>" and "end <seed> <seconds of the steady
// clock>" lines in the file LOG.
//
//   pretend_model LOG MILLISECONDS [MODE [SHUFFLE]]
//
// It waits about as long as said, between a half and the whole; with SHUFFLE (any word) between nothing and the whole,
// each call another time for another word.
// Modes: "mixed" (the default: good and bad code, prose, constants to tune, the same again), "good" (right code alone),
// "same" (one program for ever), "prose", "smuggle" (a constant whose second value is forbidden code), "tune", "hang"
// "idle" (faster code with things that gain nothing), "hang"
// and "hang3" (the first or the third call never ends, the others are good), "die" (right code eight times, then it
// only fails). Where JSON is asked for, "mixed", "good" and "hang" give what the prompt's form wants.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>

namespace {

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3u;
  hash ^= hash >> 31;
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

// Appends the line to the log and returns how many calls had begun before. Calls that begin at once each see another
// number.
std::size_t note(const char* log, const std::string& line) {
  const int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || flock(file, LOCK_EX) != 0) std::abort();
  std::ifstream noted(log);
  std::size_t begun = 0;
  for (std::string other; std::getline(noted, other);) begun += other.starts_with("begin");
  if (write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  close(file);
  return begun;
}

// The function that the prompt wants.
std::string function = "twice";

void find_function(const std::string& prompt) {
  const std::string before = "then the complete definition of ";
  const std::size_t at = prompt.find(before);
  if (at == prompt.npos) return;
  const std::size_t name = at + before.size();
  function = prompt.substr(name, prompt.find_first_of(" \n.", name) - name);
}

// `twice` in another way, and each its own program: right for all sizes that a machine has memory for.
std::string code(std::uint64_t which, const std::string& extra = "", const std::string& step = "8") {
  const std::string number = std::to_string(which);
  return "name: way " + number + "\n```cpp\n__attribute__((optimize(\"O3\")))\n" + "void " + function +
         "(const float* __restrict x, float* __restrict y, int n) {\n" + extra + "  if (n == 2000000000 + " + number +
         ") return;\n  for (int i = 0; i < n; ++i) {\n    float sum = 0;\n    for (int k = 0; k < " + step +
         "; ++k) sum += x[i] * 0.25f;\n    y[i] = sum;\n  }\n}\n```\n" + "thought: way " + number + " adds less\n";
}

// One product in place of eight, and what gains nothing: a helper that nobody calls, a name for a number, prefetches of
// what comes next anyway.
std::string with_idle_things() {
  std::string prefetches;
  for (const char* ahead : {"16", "32", "48", "64"})
    prefetches += std::string("    __builtin_prefetch(x + i + ") + ahead + ");\n";
  return "name: one product\n```cpp\nstatic float halved(float value) { return value * 0.5f; }\nstatic constexpr float "
         "kTwo = 2.0f;\nvoid " +
         function + "(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) {\n" + prefetches +
         "    y[i] = kTwo * x[i];\n  }\n}\n```\nthought: one product in place of eight\n";
}

// For the operators that ask for advice, told apart by the members that they want.
std::string advice(const std::string& prompt, std::uint64_t hash) {
  const auto wants = [&](const char* member) { return prompt.find(std::string("\"") + member + "\":") != prompt.npos; };
  const std::string number = std::to_string(hash % 97);
  if (wants("technique"))
    return R"([{"technique": "keep partial sums in )" + number + R"( registers", "predicted": 9}])";
  if (wants("lesson")) return R"({"lesson": "the data fitted already, )" + number + R"( times"})";
  if (wants("critical_issue"))
    return R"({"critical_issue": "a sum, )" + number + R"(", "why_it_matters": "it is", "minimal_fix_hint": "mend"})";
  if (wants("bottleneck"))
    return R"({"bottleneck": "the sum, )" + number + R"(", "optimisation_method": "fewer", "modification_plan": "k"})";
  if (wants("action")) return R"({"action": "unroll", "region": "k", "reason": "by )" + number + R"("})";
  return R"([{"name": "idea )" + number + R"(", "idea": "fewer steps", "predicted": 1.5}])";
}

std::string reply(const std::string& mode, std::uint64_t hash) {
  const std::string same = code(7);
  const std::string prose = "I would rather talk about the weather, number " + std::to_string(hash % 3) + ".\n";
  const std::string tunable = code(hash % 97, "  HONE_TUNABLE(STEPS, 8, 7, 6);\n", "STEPS");
  if (mode == "same") return same;
  if (mode == "idle") return with_idle_things();
  if (mode == "prose") return prose;
  if (mode == "tune") return tunable;
  if (mode == "smuggle")
    return code(hash % 97, "  HONE_TUNABLE(STEPS, 8, ([] { return __builtin_printf(\"out\") ? 8 : 8; }()));\n",
                "STEPS");
  if (mode == "mixed") {
    if (hash % 10 == 0) return prose;
    if (hash % 10 == 1) return same;
    if (hash % 10 == 2) return code(hash % 97, "  there is no such thing;\n");
    if (hash % 10 == 3) return tunable;
    if (hash % 10 == 4) return code(hash % 97, "  system(\"true\");\n");
  }
  return code(hash % 997);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const char* log = arguments[1];
  const double most = std::atof(arguments[2]);
  const std::string mode = count > 3 ? arguments[3] : "mixed";
  const std::string prompt{std::istreambuf_iterator<char>(std::cin), {}};
  find_function(prompt);
  const char* drawn = std::getenv("HONE_SEED");
  const std::string seed = drawn ? drawn : "0";
  const std::uint64_t hash = hash_of(prompt + seed);
  const bool shuffles = count > 4;
  const double drawn_share = static_cast<double>(hash_of(prompt + seed + (shuffles ? arguments[4] : "")) % 1000) / 1000;
  const bool advises = prompt.find("Answer with JSON only") != std::string::npos;
  const std::size_t before = note(log, "begin " + seed + " " + std::to_string(hash_of(prompt)) + "\n");
  const bool hangs = mode.starts_with("hang");
  if (hangs && before == (mode == "hang" ? 0u : 2u)) std::this_thread::sleep_for(std::chrono::hours(1));
  if (mode == "die" && before >= 8) return 1;
  const double share = shuffles ? drawn_share : 0.5 + drawn_share / 2;
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(most * share));
  const bool as_asked = mode == "mixed" || mode == "good" || hangs;
  std::cout << (advises && as_asked ? advice(prompt, hash) : reply(mode, hash)) << std::flush;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  note(log, "end " + seed + " " + std::to_string(now.count()) + "\n");
}
