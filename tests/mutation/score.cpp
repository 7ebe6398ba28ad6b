// Judges decks of mutants and keeps the score.
//
//   hone_mutation_score [-j N] [--depth thorough] [--sample N] [--only KERNEL]… RESULTS.jsonl DECK…
//   hone_mutation_score --summary [--equivalent FILE] [--apart KERNEL]… RESULTS.jsonl
//
// What RESULTS has is left alone. Needs the project's compiler and hone-worker; no Clang.
#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/mutation/results.h"
#include "tool/os/files/files.h"

namespace hone::mutation {
namespace {

namespace fs = std::filesystem;

struct Settings {
  fs::path root = HONE_ROOT;
  fs::path results;
  std::vector<fs::path> decks;
  std::vector<std::string> only, apart;
  std::string depth = "thorough";
  fs::path equivalent = fs::path(HONE_ROOT) / "tests/mutation/equivalent.json";
  std::size_t sample = 0;  // of each deck; 0: all
  std::uint64_t seed = 15;
  unsigned at_once = 1;
  double seconds = 0;  // after which nothing is begun; 0: never
  bool summary = false;
};

bundle::Depth depth_of(const std::string& name) {
  if (name == "trial") return bundle::Depth::trial;
  return name == "held_out" ? bundle::Depth::held_out : bundle::Depth::thorough;
}

class Score {
 public:
  Score(const Settings& settings, bundle::Executor& executor, os::ProcessRunner& runner)
      : settings_(settings), executor_(executor), runner_(runner) {
    for (const Line& line : read_results(settings.results))
      if (line.outcome != "error") done_.insert(line.id);
  }

  bool judge(const fs::path& file) {
    auto deck = os::read_file(file).and_then([&](const std::string& text) { return parse_deck(text, settings_.root); });
    if (!deck) return complain(file.string(), deck.error());
    if (!wanted(deck->kernel)) return true;
    const std::vector<const Card*> cards = cards_of(*deck);
    if (cards.empty() || late()) return true;
    auto judging = Judging::open(*deck, settings_.root, depth_of(settings_.depth), runner_, executor_);
    if (!judging) return complain(deck->kernel, judging.error());
    bool fine = true;
    for (const Base& base : deck->bases)
      if (const Ending ending = (*judging)->judge(base); ending.outcome != "accepted")
        fine = complain(deck->kernel + ", " + base.of, {ending.outcome + ": " + ending.verdict.reason, {}, {}});
    return judge(*deck, **judging, cards) && fine;
  }

 private:
  bool judge(const Deck& deck, Judging& judging, const std::vector<const Card*>& cards) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < settings_.at_once; ++i)
      threads.emplace_back([&] {
        for (std::size_t at; (at = next++) < cards.size() && !late();)
          keep(line_of(deck, *cards[at], judging.judge(*cards[at])));
      });
    return true;
  }

  bool late() const {
    return settings_.seconds > 0 &&
           std::chrono::steady_clock::now() - start_ > std::chrono::duration<double>(settings_.seconds);
  }

  bool wanted(const std::string& kernel) const {
    return settings_.only.empty() || std::ranges::find(settings_.only, kernel) != settings_.only.end();
  }

  std::vector<const Card*> cards_of(const Deck& deck) const {
    std::vector<const Card*> cards;
    for (const Card& card : deck.cards) cards.push_back(&card);
    std::mt19937_64 random(settings_.seed);
    if (settings_.sample > 0 && settings_.sample < cards.size()) {
      std::ranges::shuffle(cards, random);
      cards.resize(settings_.sample);
    }
    std::erase_if(cards, [&](const Card* card) { return done_.contains(card->id); });
    return cards;
  }

  void keep(const Line& line) {
    const std::lock_guard lock(mutex_);
    if (auto kept = os::append_durably(settings_.results, serialize(line)); !kept) complain("results", kept.error());
    if (line.outcome == "accepted" || line.outcome == "error")
      fmt::print("{}: {} {} line {} {}: '{}' -> '{}' {}\n", line.outcome, line.kernel, line.of, line.line, line.kind,
                 line.before, line.after, line.outcome == "error" ? line.reason : "");
    std::fflush(stdout);
  }

  bool complain(const std::string& where, const Error& error) {
    fmt::print(stderr, "{}: {}\n", where, error.message());
    return false;
  }

  const Settings& settings_;
  bundle::Executor& executor_;
  os::ProcessRunner& runner_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::set<std::string> done_;
  std::mutex mutex_;
};

int run(const Settings& settings) {
  if (settings.summary) {
    fmt::print("{}", summary(read_results(settings.results), read_equivalent(settings.equivalent), settings.apart));
    return 0;
  }
  setenv("HONE_WORKER", HONE_WORKER, 0);
  os::PosixProcessRunner runner;
  auto executor = executor::make_executor("local", runner);
  if (!executor) {
    fmt::print(stderr, "{}\n", executor.error().message());
    return 3;
  }
  Score score(settings, **executor, runner);
  bool fine = true;
  for (const fs::path& deck : settings.decks) fine &= score.judge(deck);
  return fine ? 0 : 1;
}

// By the C library's getopt, as this is also built where the command line's library is missing.
bool read(int argc, char** argv, Settings& settings) {
  const option options[] = {{"root", 1, nullptr, 'r'},    {"only", 1, nullptr, 'o'},       {"apart", 1, nullptr, 'a'},
                            {"depth", 1, nullptr, 'd'},   {"sample", 1, nullptr, 's'},     {"seed", 1, nullptr, 'S'},
                            {"seconds", 1, nullptr, 't'}, {"equivalent", 1, nullptr, 'e'}, {"summary", 0, nullptr, 'm'},
                            {nullptr, 0, nullptr, 0}};
  for (int found; (found = getopt_long(argc, argv, "j:", options, nullptr)) != -1;) switch (found) {
      case 'r':
        settings.root = optarg;
        break;
      case 'o':
        settings.only.push_back(optarg);
        break;
      case 'a':
        settings.apart.push_back(optarg);
        break;
      case 'd':
        settings.depth = optarg;
        break;
      case 's':
        settings.sample = std::stoul(optarg);
        break;
      case 'S':
        settings.seed = std::stoull(optarg);
        break;
      case 't':
        settings.seconds = std::stod(optarg);
        break;
      case 'e':
        settings.equivalent = optarg;
        break;
      case 'm':
        settings.summary = true;
        break;
      case 'j':
        settings.at_once = static_cast<unsigned>(std::stoul(optarg));
        break;
      default:
        return false;
    }
  if (optind == argc) return fmt::print(stderr, "usage: {} [options] RESULTS.jsonl DECK...\n", argv[0]), false;
  settings.results = argv[optind];
  settings.decks.assign(argv + optind + 1, argv + argc);
  return true;
}

}  // namespace
}  // namespace hone::mutation

int main(int argc, char** argv) {
  hone::mutation::Settings settings;
  if (!hone::mutation::read(argc, argv, settings)) return 2;
  return hone::mutation::run(settings);
}
