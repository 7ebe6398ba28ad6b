// What a look-up costs: a record among few and among many, and a locked kernel as a build looks for it. Warm, and cold
// where this user may drop the system's caches, or has a command that does so for the folder: each cold look-up is then
// the first after it. Where others work on the machine, mount a file system of its own and let the command mount it
// anew:
//
//     truncate -s 3G disk && mkfs.ext4 -q disk && mkdir at && mount -o loop disk at
//     hone_store_rates --folder at --cool 'umount at && mount -o loop disk at'
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "tool/os/files/descriptor.h"
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

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <class Body>
double microseconds(Body body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

constexpr unsigned coolings = 25;
std::string cooling;  // the command

bool drop_caches() {
  if (!cooling.empty()) return std::system(cooling.c_str()) == 0;
  std::system("sync");
  std::ofstream file("/proc/sys/vm/drop_caches");
  return static_cast<bool>(file << 3 << std::flush);
}

// That this process waited for from a disk, so far.
double kilobytes_read() {
  std::ifstream file("/proc/self/io");
  for (std::string word; file >> word;)
    if (double bytes = 0; word == "read_bytes:" && file >> bytes) return bytes / 1000;
  return 0;
}

// A block of a file at random, past the system's caches: what the disk takes now, whatever else is asked of it.
double read_block(const fs::path& file, std::mt19937& random) {
  constexpr std::size_t block = 4096, blocks = 16384;
  if (std::error_code error; fs::file_size(file, error) != block * blocks || error)
    std::ofstream(file, std::ios::binary) << std::string(block * blocks, 'x');
  const hone::os::Descriptor opened(::open(file.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  alignas(4096) static char bytes[block];
  const auto at = static_cast<off_t>(block * (random() % blocks));
  return microseconds([&] {
    if (::pread(opened.get(), bytes, block, at) < 0) fmt::print("a block cannot be read\n");
  });
}

// Cold look-ups: their times, and what each read from the disk.
struct Cold {
  fs::path disk;  // a file there
  std::vector<double> microseconds = {}, kilobytes = {}, blocks = {};
  std::mt19937 random{1};
  bool add(const std::function<double()>& look_up) {
    if (!drop_caches()) return false;
    for (int i = 0; i < 5; ++i) blocks.push_back(read_block(disk, random));
    const double before = kilobytes_read();
    microseconds.push_back(look_up());
    kilobytes.push_back(kilobytes_read() - before);
    return true;
  }
  std::string text(double unit, const char* name) const {
    return fmt::format("{:.3f} {}, at worst {:.3f}, {:.0f} kB read, as long as {:.1f} blocks",
                       median(microseconds) / unit, name, *std::ranges::max_element(microseconds) / unit,
                       median(kilobytes), mean(microseconds) / mean(blocks));
  }
};

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
  Cold cold_small{folder / "disk"}, cold_large{folder / "disk"};
  for (unsigned i = 0; i < coolings; ++i)
    if (!cold_small.add([&] { return look_up(small, few, random); }) ||
        !cold_large.add([&] { return look_up(large, many, random); }))
      break;
  if (!cold_large.kilobytes.empty())
    fmt::print("a record, cold: of {} {}; of {} {}: {:.2f} times\n", few, cold_small.text(1, "us"), many,
               cold_large.text(1, "us"), median(cold_large.microseconds) / median(cold_small.microseconds));
  for (unsigned i = 0; i < many; ++i) (void)large.record(key_of(i));
  for (unsigned i = 0; i < rounds; ++i) {
    of_small.push_back(look_up(small, few, random));
    of_large.push_back(look_up(large, many, random));
  }
  fmt::print("a record, warm: {:.1f} us of {}, {:.1f} us of {}: {:.2f} times\n", median(of_small), few,
             median(of_large), many, median(of_large) / median(of_small));
}

void of_locked_kernels(const fs::path& folder, unsigned kernels, unsigned rounds) {
  const LockedProject project(folder / fmt::format("{} kernels", kernels), kernels);
  std::vector<double> warm;
  Cold cold{folder / "disk"};
  for (unsigned i = 0; i < coolings && cold.add([&] { return project.look_up(i * 7 % kernels); }); ++i) continue;
  if (!cold.kilobytes.empty()) fmt::print("a locked kernel of {}, cold: {}\n", kernels, cold.text(1000, "ms"));
  for (unsigned i = 0; i < rounds; ++i) warm.push_back(project.look_up(i % kernels));
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
  app.add_option("--cool", cooling, "A command after which nothing of the folder is in memory");
  CLI11_PARSE(app, argc, argv);
  const auto temporary = hone::os::TemporaryFolder::create("hone-store-rates");
  if (!temporary) return fmt::print(stderr, "{}\n", temporary.error().message()), 2;
  const fs::path folder = base.empty() ? temporary->path() : fs::path(base);
  for (const unsigned kernels : {10, 200}) of_locked_kernels(folder, kernels, rounds);
  of_records(folder, records, rounds);
}
