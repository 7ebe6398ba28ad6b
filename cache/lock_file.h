// hone.lock: which variant is linked for which kernel. Sorted JSON, committed with the source. One member a line, but
// for three that belong together: on one line a merge takes all of them from one side, or none.
//
//   { "version": 1,
//     "kernels": [
//       { "name": "blur3x3",            display name, from the annotation
//         "file": "src/blur.cpp",       relative to the lock file, '/' always
//         "target": "x86_64 …",
//         "compiled_with": "gcc -O3",   compiler family and options that it was measured with; earlier ones wrote none
//         "measured_on": "sm_90",       the CUDA device's architecture; of a processor's kernels there is none
//         "build_target": "app",        of the build system, where it has such; one source may be in several
//         "key": "<64 hex>",            request key: the entry applies only to it
//         "variant": "<64 hex>" | null, digest of the variant's blob; null: searched, the original is kept
//         "seal": "<64 hex>",           over what must belong together (seal.h)
//         "key_parts": "<64 hex>",      digest of what went into the key (key_parts.h); earlier ones wrote none
//         "speedup": { "median": 3.1, "low": 3.0, "high": 3.2 },
//         "verified": "cpu: g++ 12.2, 428 runs",
//         "signed_by": "ed25519:…",     where it was locked on the word of that key, and not judged
//         "unconfirmed": true,          where the figure is the search's own, and nobody measured the variant afresh
//         "unfinished": true,           where the search ended early: the next tuning goes on
//         "held_on": { "AMD EPYC 9V74": { "of": "<16 hex>", "median": … }, … },   how it did elsewhere (held_on.h)
//         "tried": { "sizes": "n 0 to 320000; 412 cases", … },   what the verdict rests on, for a reader
//         "sum": "<24 hex>" } ] }       over what the seal leaves out (seal.h); earlier ones wrote none
//
// Sorted by (name, file, target, compiled_with, key, measured_on). A kernel may have an entry for each compiler and set
// of options: a build links its own. A member or an entry that is there twice is an error. Hone 0.1
// wrote no seals: a file without any is used as it is, and what is put into it seals all of it (decision 14). Unknown
// members are kept on rewrite, at the top and in entries. Written atomically and only when something changed (build
// tools look at its time); a symbolic link stays one. Two writers at once lose nothing: update() re-reads under a lock
// on the file. Speedups are kept to four digits, so that it diffs well.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/digest.h"
#include "cache/held_on.h"
#include "tool/base/result.h"

namespace hone::cache {

// It says nothing that the other members do not, so entries that differ in it alone are equal.
struct LockSum {
  std::string text;     // as the file has it; "": none
  bool broken = false;  // it was not that of its entry when the file was read to be changed, and so it stays
  bool operator==(const LockSum&) const { return true; }
};

struct LockEntry {
  std::string name;
  std::string file;
  Digest key;
  std::string target;
  std::optional<Digest> variant;
  double speedup = 1, speedup_low = 1, speedup_high = 1;
  std::string evidence;
  std::string extra;                                       // unknown members as a JSON object text, "" for none
  std::string build_target;                                // "": none
  std::string measured_on;                                 // "": a processor, or nobody said
  std::vector<std::pair<std::string, std::string>> tried;  // label and text, in order
  Digest seal;                                             // as the file has it; "": none
  bool unconfirmed = false, unfinished = false;
  std::string compiled_with;  // "gcc -O3"; "": nobody said (before key schema 3)
  std::string signed_by;      // the public key on whose word it was locked; "": it was judged where it was locked
  HeldOn held_on;             // figures of kinds of machines, sorted; of earlier variants, too
  Digest key_parts;           // of the blob with what went into the key (key_parts.h); "": nobody kept it
  LockSum sum;
  bool operator==(const LockEntry&) const = default;
};

struct LockFile {
  std::vector<LockEntry> entries;
  std::string extra;  // unknown members at the top, as a JSON object text, "" for none

  // A missing file is an empty LockFile; a file that is not a whole lock file is an Error with line and column.
  static Result<LockFile> read(const std::filesystem::path& path);
  // Parses a lock file's text, with errors as read() has them. `name` stands in errors.
  static Result<LockFile> parse(const std::string& text, const std::string& name);

  // The first of the key's entries: the only one, where the target is compiled for one family of architectures.
  const LockEntry* find(const Digest& key) const;
  // All of the key's entries, in order: one for each family that the kernel was measured on
  // (command/cuda_architecture.h).
  std::vector<const LockEntry*> find_all(const Digest& key) const;
  // "" where the entry may be used; else a sentence on why it is not as it was locked.
  std::string why_not(const LockEntry& entry) const;
  // Has any entry a seal? Without one it is Hone 0.1's.
  bool is_sealed() const;
  // Entries of the same name and file under other keys: the kernel was edited, or it was measured for another target or
  // with another compiler.
  std::vector<const LockEntry*> find_others(const std::string& name, const std::string& file, const Digest& key) const;

  // To be called before entries that were read are changed: one that is not as it was locked stays so when it is
  // written. Of all others the sum is written anew.
  void keep_broken_sums();

  // Seals the entry, and replaces the entry of the same key that was measured on the same family or does not say where,
  // and those of the same name, file, target, compiler, options and build target, whose source was another. (One that
  // does not say what it was compiled with gives way, too. A source that two build targets compile with different flags
  // has an entry for each.) Keeps the order, the replaced entry's
  // unknown members where the new one brings none, and the figures of the same variant that the new one has none for.
  // `stays`: which entries of other keys give way in no case.
  void put(LockEntry entry, const std::function<bool(const LockEntry& other)>& stays = {});

  std::string text() const;

  // Read, change, write, under an exclusive lock.
  static Result<void> update(const std::filesystem::path& path, const std::function<void(LockFile&)>& change);
};

}  // namespace hone::cache
