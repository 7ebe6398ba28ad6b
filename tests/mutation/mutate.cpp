// Writes a deck for each kernel file: its description, and a sample of the mutants of its original and its variants.
//
//   hone_mutate [--most N] [--seed S] OUT KERNEL_FILE…
//
// A variant is a file of the kernel file's name in another folder. Nothing is compiled or run here.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <random>

#include "cache/digest.h"
#include "tests/mutation/deck.h"
#include "tests/mutation/mutator.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/unit/double_unit.h"
#include "tool/os/files/files.h"

namespace hone::mutation {
namespace {

namespace fs = std::filesystem;

struct Settings {
  fs::path root = HONE_ROOT;
  fs::path out;
  std::vector<fs::path> variants = {fs::path(HONE_ROOT) / "tests/mutation/variants",
                                    fs::path(HONE_ROOT) / "tests/benchmarks/cuda/good"};
  std::vector<fs::path> files;
  std::size_t most = 60;  // of each text
  std::uint64_t seed = 15;
};

std::vector<std::string> arguments_for(const fs::path& file) {
  const std::string place = "@ROOT@/" + file.string();
  if (file.extension() == ".cu")
    return {"/usr/local/cuda/bin/nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-c", place, "-o", "kernel.o"};
  return {"g++", "-std=c++17", "-O2", "-march=native", "-c", place, "-o", "kernel.o"};
}

// So many of them, every kind in its turn, drawn by the seed; in the order of the text.
std::vector<Mutant> sample(std::vector<Mutant> all, std::size_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::string, std::vector<std::size_t>> by_kind;
  for (std::size_t i = 0; i < all.size(); ++i) by_kind[all[i].kind].push_back(i);
  for (auto& [kind, places] : by_kind) std::ranges::shuffle(places, random);
  std::vector<std::size_t> chosen;
  for (std::size_t round = 0; chosen.size() < std::min(most, all.size()); ++round)
    for (const auto& [kind, places] : by_kind)
      if (round < places.size() && chosen.size() < most) chosen.push_back(places[round]);
  std::ranges::sort(chosen);
  std::vector<Mutant> some;
  for (std::size_t place : chosen) some.push_back(std::move(all[place]));
  return some;
}

Result<void> add(Deck& deck, Base base, const CompileCommand& command, frontend::Gate& gate, const Settings& settings) {
  if (std::string why = gate.check(base.text); !why.empty())
    return failure("the gate refuses what is to be mutated: " + why, base.of);
  HONE_TRY(std::vector<Mutant> mutants, mutants_of(base.text, deck.spec, command));
  const std::size_t all = mutants.size();
  mutants = sample(std::move(mutants), settings.most, settings.seed);
  for (Mutant& mutant : mutants)
    deck.cards.push_back({.id = cache::sha256(deck.kernel + '\n' + mutant.text).substr(0, 12),
                          .of = base.of,
                          .gate = gate.check(mutant.text),
                          .mutant = std::move(mutant)});
  fmt::print("{} {}: {} of {} mutants\n", deck.kernel, base.of, mutants.size(), all);
  deck.bases.push_back(std::move(base));
  return {};
}

Result<void> write_deck(const fs::path& file, const Settings& settings) {
  Deck deck{.file = fs::relative(file, settings.root), .arguments = arguments_for(fs::relative(file, settings.root))};
  const CompileCommand command = command_of(deck, settings.root);
  HONE_TRY(frontend::FoundKernels found, frontend::find_kernels(command, {}));
  if (!found.diagnostics.empty()) return failure(found.diagnostics.front().rendered);
  if (found.kernels.size() != 1) return failure("it has not exactly one kernel", file);
  deck.spec = std::move(found.kernels.front().spec);
  deck.kernel = (file.extension() == ".cu" ? "cuda." : "") + file.stem().string();
  if (!deck.spec.cuda) deck.precise = frontend::widened(deck.spec, command, {}).spec;
  HONE_TRY(frontend::Gate gate, frontend::Gate::open(deck.spec, command, {}));
  HONE_TRY(std::string original, original_as_candidate(deck.spec, command));
  HONE_CHECK(add(deck, {"original", std::move(original)}, command, gate, settings));
  for (const fs::path& folder : settings.variants)
    if (auto variant = os::read_file(folder / file.filename()))
      HONE_CHECK(add(deck, {"variant", std::move(*variant)}, command, gate, settings));
  return os::write_file_atomically(settings.out / (deck.kernel + ".deck"), serialize(deck));
}

}  // namespace
}  // namespace hone::mutation

int main(int argc, char** argv) {
  hone::mutation::Settings settings;
  CLI::App app{"Writes decks of mutants"};
  app.add_option("--root", settings.root, "The project's folder");
  app.add_option("--most", settings.most, "Mutants of each text");
  app.add_option("--seed", settings.seed, "Which ones");
  app.add_option("--variants", settings.variants, "Folders of variants, each by its kernel's file name");
  app.add_option("OUT", settings.out, "Folder for the decks")->required();
  app.add_option("FILE", settings.files, "Files of one annotated kernel")->required();
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(settings.out);
  int failed = 0;
  for (const auto& file : settings.files)
    if (const auto written = write_deck(std::filesystem::absolute(file), settings); !written) {
      fmt::print(stderr, "{}: {}\n", file.string(), written.error().message());
      failed = 1;
    }
  return failed;
}
