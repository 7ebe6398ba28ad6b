#include "tool/search/knowledge/knowledge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "tool/search/text/embedded_texts.h"
#include "tool/search/text/fenced_text.h"

namespace hone::search {
namespace {

constexpr double kAskedFor = 3;  // weight of a tag that was named, against 2 for a shape that is certain

// Tags that say where a note holds, and nothing about what a kernel needs.
const std::set<std::string, std::less<>>& places() {
  static const std::set<std::string, std::less<>> words{"x86", "avx2", "avx512", "neon", "cuda"};
  return words;
}

// Tags that say what a kernel computes and how it goes through its arrays.
std::vector<std::string> split_tags(std::string_view text) {
  std::set<std::string> tags;
  std::string word;
  for (const char c : lower_case(text) + " ") {
    if (c != ' ' && c != ',' && c != '\t' && c != '[' && c != ']') {
      word += c;
    } else if (!word.empty()) {
      tags.insert(word);
      word.clear();
    }
  }
  return {tags.begin(), tags.end()};
}

std::string next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string line(text.substr(0, end));
  if (line.ends_with('\r')) line.pop_back();
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

double weight_of(const Traits& traits, const std::string& tag) {
  const auto found = traits.find(tag);
  return found == traits.end() ? 0 : found->second;
}

bool holds_here(const Note& note, const Traits& traits) {
  const bool cuda = std::ranges::find(note.tags, "cuda") != note.tags.end();
  if (cuda != (weight_of(traits, "cuda") > 0)) return false;
  return std::ranges::all_of(
      note.tags, [&](const std::string& tag) { return !places().contains(tag) || weight_of(traits, tag) > 0; });
}

bool is_asked_for(const std::string& tag, const std::vector<std::string>& tags) {
  return std::ranges::find(tags, tag) != tags.end();
}

// Sums what matches; a note that claims everything is worth less for each claim. What a kernel is counts twice as much
// as what it costs: nearly every kernel waits for memory, and few are sums of prefixes. A note on another shape than
// the kernel's hardly holds.
double relevance(const Note& note, const Traits& traits, const std::vector<std::string>& tags) {
  constexpr double of_shape = 2, of_other_shape = 0.5;
  double sum = 0, claims = 0;
  bool has_shape = false, fits = false;
  for (const std::string& tag : note.tags) {
    if (places().contains(tag)) continue;
    const bool is_shape = shape_tags().contains(tag), asked = is_asked_for(tag, tags);
    claims += 1;
    sum += weight_of(traits, tag) * (is_shape ? of_shape : 1) + (asked ? kAskedFor : 0);
    has_shape = has_shape || is_shape;
    fits = fits || (is_shape && weight_of(traits, tag) > 0) || asked;
  }
  return claims == 0 ? 0 : sum / std::sqrt(claims) * (has_shape && !fits ? of_other_shape : 1);
}

struct Synonym {
  std::string_view stem;  // what a word of the text begins with
  std::string_view tag;
  bool whole = false;  // the word is this
};
constexpr Synonym kSynonyms[] = {
    {"tile", "tiling"},
    {"tiling", "tiling"},
    {"block", "tiling"},
    {"cache", "cache"},
    {"tlb", "tlb"},
    {"page", "tlb"},
    {"prefetch", "prefetch"},
    {"bandwidth", "memory"},
    {"memory", "memory"},
    {"stream", "memory"},
    {"vector", "vectorisation"},
    {"simd", "vectorisation"},
    {"branch", "branch"},
    {"mispredict", "branch"},
    {"select", "branch"},
    {"latenc", "latency"},
    {"launch", "launch"},
    {"bank", "banks"},
    {"depend", "latency"},
    {"accumulat", "reduction"},
    {"reduc", "reduction"},
    {"unroll", "unroll"},
    {"register", "gemm"},
    {"pack", "packing"},
    {"transpos", "transpose"},
    {"gather", "gather"},
    {"histogram", "histogram"},
    {"scan", "scan"},
    {"prefix", "scan"},
    {"sort", "sort"},
    {"exp", "exp", true},
    {"expf", "exp", true},
    {"exponential", "exp"},
    {"tanh", "exp"},
    {"log", "log", true},
    {"logf", "log", true},
    {"logarithm", "log"},
    {"sqrt", "root"},
    {"rsqrt", "root"},
    {"approxim", "transcendental"},
    {"divi", "division"},
    {"recipro", "division"},
    {"alias", "aliasing"},
    {"restrict", "aliasing"},
    {"align", "alignment"},
    {"border", "border"},
    {"boundary", "border"},
    {"peel", "border"},
    {"mask", "tail"},
    {"tail", "tail"},
    {"remainder", "tail"},
    {"thread", "threads"},
    {"parallel", "threads"},
    {"fus", "fusion"},
    {"fission", "fusion"},
    {"hoist", "hoisting"},
    {"invariant", "hoisting"},
    {"interchang", "interchange"},
    {"stride", "interchange"},
    {"byte", "bytes"},
    {"narrow", "bytes"},
    {"widen", "bytes"},
    {"lookup", "lookup"},
    {"table", "lookup"},
    {"stencil", "stencil"},
    {"layout", "layout"},
    {"soa", "layout"},
    {"denormal", "denormal"},
    {"occupan", "occupancy"},
    {"coalesc", "memory"},
    {"coalesc", "strided"},
    {"diverg", "uneven"},
    {"atomic", "histogram"},
    {"argm", "extreme"},
    {"shared", "cache"},
    {"compute", "compute"},
    {"fma", "compute"},
};

}  // namespace

const std::vector<Note>& builtin_notes() {
  static const std::vector<Note> notes = [] {
    std::vector<Note> known;
    for (const EmbeddedText& text : embedded_notes()) {
      auto note = parse_note(text.name, text.text);
      assert(note && "a built-in note without a front matter");
      if (note) known.push_back(std::move(*note));
    }
    return known;
  }();
  return notes;
}

const std::set<std::string, std::less<>>& shape_tags() {
  static const std::set<std::string, std::less<>> words{
      "border",    "bytes", "copy", "elementwise", "extreme", "gather",  "gemm",    "histogram", "layout", "pairwise",
      "reduction", "rows",  "scan", "short",       "sort",    "stencil", "strided", "transpose", "uneven"};
  return words;
}

const std::vector<std::string>& tag_words() {
  static const std::vector<std::string> words{
      "aliasing",  "alignment", "avx2",     "avx512",        "banks",     "border",   "branch",      "bytes",
      "cache",     "compute",   "copy",     "cuda",          "denormal",  "division", "elementwise", "exp",
      "extreme",   "fusion",    "gather",   "gemm",          "histogram", "hoisting", "interchange", "latency",
      "launch",    "layout",    "log",      "lookup",        "memory",    "neon",     "numeric",     "occupancy",
      "packing",   "pairwise",  "prefetch", "reduction",     "root",      "rows",     "scan",        "short",
      "sort",      "stencil",   "strided",  "tail",          "threads",   "tiling",   "tlb",         "transcendental",
      "transpose", "uneven",    "unroll",   "vectorisation", "x86"};
  return words;
}

Result<Note> parse_note(std::string_view name, std::string_view text) {
  const std::string where = std::string(name) + ".md";
  const std::string advice = "a note begins with ---, title: …, tags: …, ---";
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (trimmed(next_line(text)) != "---") return failure("the note has no front matter", where, advice);
  Note note{std::string(name), "", {}, ""};
  bool closed = false;
  while (!text.empty() && !closed) {
    const std::string line = next_line(text);
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string key = lower_case(trimmed(std::string_view(line).substr(0, colon)));
    const std::string_view value =
        colon < line.size() ? trimmed(std::string_view(line).substr(colon + 1)) : std::string_view();
    if (trimmed(line) == "---") closed = true;
    if (key == "title") note.title = std::string(value);
    if (key == "tags") note.tags = split_tags(value);
  }
  if (!closed) return failure("the note's front matter is not closed", where, advice);
  if (note.title.empty()) return failure("the note has no title", where, advice);
  if (note.tags.empty()) return failure("the note has no tags", where, advice);
  note.text = std::string(trimmed(text)) + "\n";
  return note;
}

std::vector<Note> merge_notes(std::vector<Note> notes, std::vector<Note> own) {
  for (Note& note : own) {
    const auto same = std::ranges::find(notes, note.name, &Note::name);
    if (same != notes.end())
      *same = std::move(note);
    else
      notes.push_back(std::move(note));
  }
  std::ranges::sort(notes, {}, &Note::name);
  return notes;
}

std::vector<std::string> mentioned_tags(std::string_view text) {
  std::set<std::string> tags;
  std::string word;
  for (const char c : lower_case(text) + " ") {
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    for (const Synonym& synonym : kSynonyms)
      if (synonym.whole ? word == synonym.stem : std::string_view(word).starts_with(synonym.stem))
        tags.emplace(synonym.tag);
    word.clear();
  }
  return {tags.begin(), tags.end()};
}

std::vector<Note> retrieve(std::span<const Note> notes, const Traits& traits, const std::vector<std::string>& tags,
                           std::size_t count) {
  struct Found {
    double relevance;
    const Note* note;
  };
  std::vector<Found> found;
  for (const Note& note : notes) {
    const double value = holds_here(note, traits) ? relevance(note, traits, tags) : 0;
    if (value > 0) found.push_back({value, &note});
  }
  std::ranges::sort(found, [](const Found& a, const Found& b) {
    return a.relevance != b.relevance ? a.relevance > b.relevance : a.note->name < b.note->name;
  });
  std::vector<Note> best;
  for (std::size_t i = 0; i < std::min(count, found.size()); ++i) best.push_back(*found[i].note);
  return best;
}

std::optional<Example> example_of(const Note& note) {
  const FencedText parts = split_fences(note.text);
  if (parts.blocks.size() < 2) return {};
  const std::size_t first = parts.blocks[0].prose;
  const std::string before = lower_case(std::string_view(parts.prose).substr(0, first));
  const std::string after = lower_case(std::string_view(parts.prose).substr(first, parts.blocks[1].prose - first));
  if (before.find("before") == std::string::npos || after.find("after") == std::string::npos) return {};
  const std::size_t sentence = parts.prose.find(". ");
  const std::string why(
      trimmed(std::string_view(parts.prose).substr(0, sentence == std::string::npos ? first : sentence + 1)));
  return Example{note.title, parts.blocks[0].text, parts.blocks[1].text, "", why};
}

}  // namespace hone::search
