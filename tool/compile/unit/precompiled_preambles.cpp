#include "tool/compile/unit/precompiled_preambles.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "tool/compile/unit/compile_folder.h"
#include "tool/compile/unit/compile_words.h"
#include "tool/compile/unit/frozen_text.h"
#include "tool/os/files/scratch_file.h"

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

// Compiles that go without, so many that they would have saved what the preamble costs. g++ takes as long for one as
// for three compiles of a small text behind it, Clang as for one and a half.
unsigned compiles_without(const Toolchain& toolchain) {
  return toolchain.clang ? 2 : 4;
}

// Below, reading the text takes no longer than reading what was made of it.
constexpr std::size_t smallest = 100'000;
// A precompiled header of g++'s takes up to 150 MB. What is written elsewhere must not find the disk full for that.
constexpr std::uintmax_t space_left = std::uintmax_t{2} << 30;

std::string_view preamble_of(const FrozenUnit& unit) {
  return std::string_view(unit.prologue).substr(0, unit.preamble);
}

Result<PrecompiledPreamble> empty_folder() {
  HONE_TRY(os::TemporaryFolder folder, folder_for_sandbox("hone-preamble"));
  return PrecompiledPreamble{std::move(folder), {}};
}

// Every later compile reads it: from here on nobody in the sandbox may change it.
bool take_back(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!keep_for_reading(entry.path())) return false;
  return !error && keep_for_reading(folder);
}

bool is_full(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return error || space.available < space_left;
}

}  // namespace

struct PrecompiledPreambles::Entry {
  enum class State { counting, at_work, ready, none };
  std::string preamble;
  std::vector<std::string> flags;
  State state = State::counting;
  unsigned compiles = 0;
  CompileSample sample = {};
  std::shared_ptr<const PrecompiledPreamble> precompiled = nullptr;
};

PrecompiledPreambles::PrecompiledPreambles(os::ProcessRunner& runner) : runner_(runner) {}
PrecompiledPreambles::~PrecompiledPreambles() = default;

PrecompiledPreambles::Entry& PrecompiledPreambles::entry_of(const FrozenUnit& unit,
                                                            const std::vector<std::string>& flags) {
  const std::string_view preamble = preamble_of(unit);
  const auto found = std::ranges::find_if(
      entries_, [&](const auto& entry) { return entry->flags == flags && entry->preamble == preamble; });
  if (found != entries_.end()) return **found;
  return *entries_.emplace_back(std::make_unique<Entry>(std::string(preamble), flags));
}

std::shared_ptr<const PrecompiledPreamble> PrecompiledPreambles::find(const CompileSetup& setup, const FrozenUnit& unit,
                                                                      const std::vector<std::string>& flags,
                                                                      std::stop_token stop) {
  if (unit.preamble < smallest) return nullptr;
  std::unique_lock lock(mutex_);
  Entry& entry = entry_of(unit, flags);
  if (entry.state != Entry::State::counting) return entry.precompiled;
  if (entry.compiles++ < compiles_without(setup.toolchain) || entry.sample.object.empty()) return nullptr;
  entry.state = Entry::State::at_work;
  lock.unlock();
  auto precompiled = precompile(setup, unit, entry, stop);
  lock.lock();
  entry.precompiled = std::move(precompiled);
  entry.state = entry.precompiled       ? Entry::State::ready
                : stop.stop_requested() ? Entry::State::counting
                                        : Entry::State::none;
  entry.sample = {};
  return entry.precompiled;
}

void PrecompiledPreambles::learn(const FrozenUnit& unit, const std::vector<std::string>& flags, CompileSample sample) {
  if (unit.preamble < smallest) return;
  const std::lock_guard lock(mutex_);
  if (Entry& entry = entry_of(unit, flags); entry.state == Entry::State::counting) entry.sample = std::move(sample);
}

void PrecompiledPreambles::drop(const std::shared_ptr<const PrecompiledPreamble>& preamble) {
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) {
    if (entry->precompiled != preamble) continue;
    entry->precompiled = nullptr;
    entry->state = Entry::State::none;
  }
}

// Only the thread that set the entry to work reads it here.
std::shared_ptr<const PrecompiledPreamble> PrecompiledPreambles::precompile(const CompileSetup& setup,
                                                                            const FrozenUnit& unit, const Entry& entry,
                                                                            std::stop_token stop) const {
  auto made = empty_folder();
  if (!made || is_full(made->folder.path())) return nullptr;
  const fs::path folder = made->folder.path();
  if (!os::write_scratch_file(folder / preamble_source, entry.preamble)) return nullptr;
  os::Process process = compile_process(setup, setup.toolchain.program, folder, stop);
  append(process.arguments, setup.flags.unit);
  append(process.arguments, words_for_preamble(setup.toolchain, unit, entry.flags));
  const auto exit = runner_.run(process);
  if (!exit || !exit->ok()) return nullptr;
  made->path = preamble_path(setup.toolchain, folder);
  // g++ would read the text where it does not take what it made of it.
  std::error_code error;
  if (!setup.toolchain.clang) fs::remove(folder / preamble_source, error);
  if (!take_back(folder) || !gives_sample(setup, unit, entry.sample, *made, stop)) return nullptr;
  return std::make_shared<const PrecompiledPreamble>(std::move(*made));
}

bool PrecompiledPreambles::gives_sample(const CompileSetup& setup, const FrozenUnit& unit, const CompileSample& sample,
                                        const PrecompiledPreamble& preamble, std::stop_token stop) const {
  if (sample.bytes.empty()) return true;
  const auto folder = lay_out(unit, sample.source);
  if (!folder || !write_text_behind_preamble(*folder, unit, sample.source)) return false;
  os::Process process = compile_process(setup, setup.toolchain.program, folder->path(), stop);
  append(process.arguments, setup.flags.unit);
  append(process.arguments, words_behind_preamble(setup.toolchain, unit, sample.words, preamble.path));
  process.sandbox->readable.push_back(preamble.folder.path());
  const auto exit = runner_.run(process);
  if (!exit || !exit->ok()) return false;
  const auto bytes = read_object(folder->path() / sample.object);
  return bytes && *bytes == sample.bytes;
}

}  // namespace hone::compile
