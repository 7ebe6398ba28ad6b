// What a compile put into an object for an annotated kernel: its variant, or the original and why.
//
// The object says so itself, in an ELF note for each kernel and variant (owner "Hone", type 1, section .note.hone):
//
//   name \0 file \0 key \0 variant \0 reason \0 built_for \0
//
// `file` is as hone.lock names it. `variant` is a digest, or empty: then `reason` is one of the words below. Later
// versions may write more fields behind these. Allocated, so that the program itself can read it and `strip` keeps it;
// nothing refers to it, so that code is the same without it. annotations/include/hone/linked.h reads the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::linked {

inline constexpr std::string_view note_owner = "Hone";
inline constexpr std::uint32_t kernel_note = 1;

enum class Reason {
  none,          // a variant is there
  untuned,       // the lock file does not have it
  stale,         // it has it in another state
  elsewhere,     // it has it for another compiler or other options
  distrusted,    // its entry does not hold
  kept,          // searched, and nothing faster was found
  slower,        // the variant is slower on a kind of machine that the build is for
  missing,       // the variant is in no store, or is not this kernel's
  unfit,         // the variant does not fit the file
  refused,       // the gate refuses the variant
  uncompilable,  // the compiler refuses it
  unreadable,    // the lock file is broken
  captured,      // the original records its calls
};
const char* to_string(Reason reason);  // "" for none
// What the word means, for a sentence: "it is not tuned"; the word itself where it is a later version's.
std::string in_words(std::string_view reason);

struct LinkedKernel {
  std::string name, file;
  std::string key;
  std::string variant;    // digest; "": the original
  std::string reason;     // why the original
  std::string built_for;  // the family of GPUs that the variant runs on, "sm_9x"; "": any
  bool operator==(const LinkedKernel&) const = default;
};

}  // namespace hone::linked
