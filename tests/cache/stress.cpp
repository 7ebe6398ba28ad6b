#include "tests/cache/stress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "cache/store.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kStandstill = std::chrono::minutes(1);

enum class Did : std::uint32_t { begin, begin_put, stored, found, missed, pruned, fault };

// A whole note is one write().
struct Note {
  std::int64_t at = 0;
  Did did = Did::begin;
  std::uint32_t worker = 0;
  std::uint32_t record = 0;  // else a blob
  std::uint32_t number = 0;
  char what[104] = {};  // of a fault
};

std::string filling(unsigned number) {
  std::mt19937 random(number);
  std::string text(number % 20 == 0 ? 20'000 : 100 + random() % 4'000, ' ');
  for (char& letter : text) letter = static_cast<char>('a' + random() % 26);
  return text;
}

std::string blob_text(unsigned number) {
  return "blob " + std::to_string(number) + ' ' + filling(number);
}

Digest record_key(unsigned number) {
  return sha256("record " + std::to_string(number));
}

std::string record_text(unsigned number, unsigned version) {
  return "{\"number\": " + std::to_string(number) + ", \"version\": " + std::to_string(version) + ", \"filling\": \"" +
         filling(number + version) + "\"}";
}

// Any version will do, whole.
bool is_record(const std::string& text, unsigned number) {
  unsigned of = 0, version = 0;
  return std::sscanf(text.c_str(), "{\"number\": %u, \"version\": %u,", &of, &version) == 2 && of == number &&
         text == record_text(number, version);
}

// What parent and workers share; a killed worker leaves it whole.
struct Progress {
  std::atomic<unsigned> operations = 0;
  std::atomic<bool> end = false;
};

class Worker {
 public:
  Worker(const Stress& stress, Progress& progress, unsigned number, unsigned seed)
      : stress_(stress),
        progress_(progress),
        number_(number),
        random_(seed),
        notes_(::open((stress.folder.string() + ".notes").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)),
        store_({{stress.folder}}, [this](const std::string& message) { fault(message); }) {}

  void run() {
    note(Did::begin);
    for (; !progress_.end; ++progress_.operations) {
      const unsigned choice = random_() % 100, number = random_() % stress_.entries;
      const bool record = random_() % 3 == 0;
      if (choice < 2 && stress_.most_bytes > 0)
        prune();
      else if (choice < 60)
        put(record, number);
      else
        get(record, number);
    }
  }

 private:
  void note(Did did, bool record = false, unsigned number = 0, const std::string& what = {}) {
    Note note{Clock::now().time_since_epoch().count(), did, number_, record, number};
    std::strncpy(note.what, what.c_str(), sizeof note.what - 1);
    if (::write(notes_.get(), &note, sizeof note) != sizeof note) ::_exit(2);
  }
  // The end of a path says more than its beginning.
  void fault(const std::string& what) {
    note(Did::fault, false, 0, what.size() < 100 ? what : what.substr(what.size() - 100));
  }

  void put(bool record, unsigned number) {
    note(Did::begin_put, record, number);
    const auto stored = record ? store_.put_record(record_key(number), record_text(number, random_() % 100))
                               : store_.put_blob(blob_text(number)).map([](const Digest&) {});
    if (!stored) return fault(stored.error().message());
    note(Did::stored, record, number);
  }

  void get(bool record, unsigned number) {
    const auto text = record ? store_.record(record_key(number)) : store_.blob(sha256(blob_text(number)));
    if (text && !(record ? is_record(*text, number) : *text == blob_text(number))) return fault("wrong bytes");
    note(text ? Did::found : Did::missed, record, number);
  }

  // Soon enough to take staged files from writers at work, who have to bear it.
  void prune() {
    Store::PruneOptions options;
    options.max_bytes = stress_.most_bytes;
    options.temporary_age = std::chrono::seconds(1);
    if (const auto pruned = store_.prune(0, options); !pruned) return fault(pruned.error().message());
    note(Did::pruned);
  }

  const Stress& stress_;
  Progress& progress_;
  const unsigned number_;
  std::mt19937 random_;
  const os::Descriptor notes_;
  Store store_;
};

class Overseer {
 public:
  Overseer(const Stress& stress, Progress& progress) : stress_(stress), progress_(progress), random_(stress.seed) {
    for (unsigned i = 0; i < stress.workers; ++i) workers_.push_back(start(i));
  }

  // "" or why it did not come to its end. `killed`: how many were.
  std::string oversee(unsigned& killed) {
    auto last_move = Clock::now();
    for (unsigned before = 0; before < stress_.operations || killed < stress_.kills;) {
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 2000));
      const unsigned now = progress_.operations;
      if (now != before) last_move = Clock::now();
      if (Clock::now() - last_move > kStandstill) return give_up();
      const bool due = std::uint64_t{killed} * stress_.operations < std::uint64_t{now} * stress_.kills;
      if (due && killed < stress_.kills) replace(random_() % stress_.workers), ++killed;
      before = now;
    }
    return end();
  }

 private:
  pid_t start(unsigned number) {
    const unsigned seed = random_();
    const pid_t child = ::fork();
    if (child != 0) return child;
    Worker(stress_, progress_, number, seed).run();
    ::_exit(0);
  }

  void replace(unsigned number) {
    ::kill(workers_[number], SIGKILL);
    ::waitpid(workers_[number], nullptr, 0);
    workers_[number] = start(number);
  }

  std::string end() {
    progress_.end = true;
    const auto until = Clock::now() + kStandstill;
    for (pid_t& worker : workers_) {
      int status = 0;
      while (::waitpid(worker, &status, WNOHANG) == 0) {
        if (Clock::now() > until) return give_up();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      worker = -1;
      if (status != 0) return "a worker ended by itself, status " + std::to_string(status);
    }
    return "";
  }

  std::string give_up() {
    for (const pid_t worker : workers_)
      if (worker > 0) ::kill(worker, SIGKILL), ::waitpid(worker, nullptr, 0);
    return "nothing moved for a minute";
  }

  const Stress& stress_;
  Progress& progress_;
  std::mt19937 random_;
  std::vector<pid_t> workers_;
};

std::vector<Note> notes_of(const Stress& stress) {
  const std::string bytes = os::read_file(stress.folder.string() + ".notes").value_or("");
  std::vector<Note> notes(bytes.size() / sizeof(Note));
  std::memcpy(notes.data(), bytes.data(), notes.size() * sizeof(Note));
  std::ranges::sort(notes, {}, &Note::at);
  return notes;
}

void count(const std::vector<Note>& notes, StressResult& result) {
  std::map<unsigned, Did> last;
  for (const Note& note : notes) {
    result.stored += note.did == Did::stored, result.found += note.did == Did::found;
    result.missed += note.did == Did::missed, result.prunes += note.did == Did::pruned;
    result.kills_while_storing += note.did == Did::begin && last[note.worker] == Did::begin_put;
    if (note.did == Did::fault) result.faults.push_back(note.what);
    last[note.worker] = note.did;
  }
}

using Entry = std::pair<bool, unsigned>;  // is it a record, its number

// What must be there: all that was reported as stored. With pruning only what was used last, up to half of the size:
// the other half is room for what was in the making.
std::set<Entry> owed(const Stress& stress, const std::vector<Note>& notes) {
  std::set<Entry> entries;
  std::uintmax_t bytes = 0;
  for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
    if (note->did != Did::stored && (stress.most_bytes == 0 || note->did != Did::found)) continue;
    const bool is_new = entries.emplace(note->record != 0, note->number).second;
    if (is_new) bytes += note->record != 0 ? 20'100 : blob_text(note->number).size();
    if (stress.most_bytes > 0 && bytes > stress.most_bytes / 2) break;
  }
  return entries;
}

void hold_to(const Stress& stress, const std::set<Entry>& entries, StressResult& result) {
  Store store({{stress.folder}}, [&](const std::string& message) { result.faults.push_back(message); });
  for (const auto& [record, number] : entries)
    if (!(record ? store.record(record_key(number)) : store.blob(sha256(blob_text(number)))))
      result.faults.push_back((record ? "record " : "blob ") + std::to_string(number) + " was stored and is lost");
  for (const Store::Fault& fault : store.verify()) result.faults.push_back(fault.path.string() + ": " + fault.what);
  if (store.stats().front().corrupt > 0) result.faults.emplace_back("something was set aside");
  result.held_to = static_cast<unsigned>(entries.size());
}

}  // namespace

StressResult run(const Stress& stress) {
  void* const shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Progress& progress = *new (shared) Progress;
  StressResult result;
  fs::create_directories(stress.folder.parent_path());
  if (const std::string why = Overseer(stress, progress).oversee(result.kills); !why.empty())
    result.faults.push_back(why);
  result.operations = progress.operations;
  ::munmap(shared, sizeof(Progress));
  const std::vector<Note> notes = notes_of(stress);
  count(notes, result);
  hold_to(stress, owed(stress, notes), result);
  return result;
}

}  // namespace hone::cache
