// What a look-up costs: a record among few and among many, and a locked kernel as a build looks for it. Warm, and cold
// where this user may drop the system's caches.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/os/files/files.h"

namespace {

namespace fs = std::filesystem;
using hone::cache::Digest;
using hone::cache::LockFile;
using hone::cache::Store;

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

template <class Body>
double microseconds(Body body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

bool drop_caches() {
  std::system("sync");
  std::ofstream file("/proc/sys/vm/drop_caches");
  return static_cast<bool>(file << 3 << std::flush);
}

Digest key_of(unsigned number) {
  return hone::cache::sha256("key " + std::to_string(number));
}

// As long as the record of a short search.
std::string record_of(unsigned number) {
  std::string samples;
  for (unsigned i = 0; i < 300; ++i) samples += (i ? ", " : "") + std::to_string(number + i);
  return "{\"number\": " + std::to_string(number) + ", \"samples\": [" + samples + "]}";
}

// Not through the store: 100,000 syncs would take an hour, and leave the same files.
fs::path filled(const fs::path& folder, unsigned records) {
  fs::create_directories(folder / "ac");
  for (unsigned i = 0; i < records; ++i) std::ofstream(folder / "ac" / key_of(i)) << record_of(i);
  return folder;
}

double look_up(const Store& store, unsigned records, std::mt19937& random) {
  const unsigned number = random() % records;
  return microseconds([&] {
    if (!store.record(key_of(number))) fmt::print("record {} is missing\n", number);
  });
}

// A project whose kernels have each a variant of its own in hone/.
struct LockedProject {
  LockedProject(const fs::path& folder, unsigned kernels) : lock(folder / "hone.lock"), store({{folder / "hone"}}, {}) {
    fs::create_directories(folder);
    const auto filled = LockFile::update(lock, [&](LockFile& file) {
      for (unsigned i = 0; i < kernels; ++i) {
        const auto blob =
            store.put_blob(hone::cache::bound_blob("void f(float* x) { /* " + record_of(i) + " */ }\n", key_of(i)));
        file.put({"kernel_" + std::to_string(i), "src/a.cpp", key_of(i), "x86_64", *blob, 2, 1.5, 2.5, "cpu: g++"});
      }
    });
    if (!filled) fmt::print("{}\n", filled.error().message());
  }
  // As apply does: the lock file, the entry and its seal, the blob and the key that it names.
  double look_up(unsigned number) const {
    return microseconds([&] {
      const auto file = LockFile::read(lock);
      const auto* entry = file->find(key_of(number));
      const auto blob = file->why_not(*entry).empty() ? store.blob(*entry->variant) : std::nullopt;
      if (!blob || hone::cache::read_bound(*blob).key != entry->key) fmt::print("kernel {} is missing\n", number);
    });
  }
  fs::path lock;
  Store store;
};

void of_records(const fs::path& folder, unsigned many, unsigned rounds) {
  const unsigned few = 100;
  const Store small({{filled(folder / "few", few)}}, {}), large({{filled(folder / "many", many)}}, {});
  std::mt19937 random(1);
  std::vector<double> of_small, of_large;
  const bool cold = drop_caches();
  for (unsigned i = 0; cold && i < 50; ++i) {
    of_small.push_back(look_up(small, few, random));
    of_large.push_back(look_up(large, many, random));
  }
  if (cold)
    fmt::print("a record, cold: {:.0f} us of {}, {:.0f} us of {}: {:.2f} times\n", median(of_small), few,
               median(of_large), many, median(of_large) / median(of_small));
  of_small.clear(), of_large.clear();
  for (unsigned i = 0; i < many; ++i) (void)large.record(key_of(i));
  for (unsigned i = 0; i < rounds; ++i) {
    of_small.push_back(look_up(small, few, random));
    of_large.push_back(look_up(large, many, random));
  }
  fmt::print("a record, warm: {:.1f} us of {}, {:.1f} us of {}: {:.2f} times\n", median(of_small), few,
             median(of_large), many, median(of_large) / median(of_small));
}

void of_locked_kernels(const fs::path& folder, unsigned kernels, unsigned rounds) {
  std::vector<LockedProject> projects;
  for (unsigned i = 0; i < 9; ++i) projects.emplace_back(folder / fmt::format("{} kernels, {}", kernels, i), kernels);
  std::vector<double> warm, cold;
  if (drop_caches())
    for (const LockedProject& project : projects) cold.push_back(project.look_up(kernels / 2));
  if (!cold.empty())
    fmt::print("a locked kernel of {}, cold: {:.2f} ms, at worst {:.2f}\n", kernels, median(cold) / 1000,
               *std::ranges::max_element(cold) / 1000);
  for (unsigned i = 0; i < rounds; ++i) warm.push_back(projects.front().look_up(i % kernels));
  fmt::print("a locked kernel of {}, warm: {:.3f} ms, at best {:.3f}\n", kernels, median(warm) / 1000,
             *std::ranges::min_element(warm) / 1000);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Look-ups in a store of few and of many records, and of a locked kernel"};
  unsigned records = 100'000, rounds = 4000;
  std::string base;
  app.add_option("--records", records, "The many")->capture_default_str();
  app.add_option("--rounds", rounds)->capture_default_str();
  app.add_option("--folder", base, "Where the stores are made; else a temporary folder");
  CLI11_PARSE(app, argc, argv);
  const auto temporary = hone::os::TemporaryFolder::create("hone-store-rates");
  if (!temporary) return fmt::print(stderr, "{}\n", temporary.error().message()), 2;
  const fs::path folder = base.empty() ? temporary->path() : fs::path(base);
  for (const unsigned kernels : {10, 200}) of_locked_kernels(folder, kernels, rounds);
  of_records(folder, records, rounds);
}
