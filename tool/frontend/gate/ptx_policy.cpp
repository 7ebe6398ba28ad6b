#include "tool/frontend/gate/ptx_policy.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include "tool/frontend/gate/ptx_tokens.h"
#include "tool/frontend/gate/ptx_words.h"

namespace hone::frontend {
namespace {

using Kind = PtxToken::Kind;

constexpr unsigned kMostRegisters = 1024;  // of a statement
constexpr std::size_t kDeepestScope = 32;

struct PtxBranch {
  std::string label;
  std::size_t at;
};

// What stands between braces.
struct PtxScope {
  std::size_t at;
  std::set<std::string, std::less<>> registers, labels;
  std::vector<PtxBranch> branches;  // whose labels have not been found in the scopes within
};

class PtxReader {
 public:
  PtxReader(std::string_view text, std::size_t operands) : text_(read_ptx(text, operands)) {}

  std::optional<PtxObjection> read() {
    while (here() && !objection_) statement();
    if (!objection_ && !text_.wrong.empty()) objection_ = {text_.wrong, text_.wrong_at};
    if (!objection_ && !scopes_.empty()) objection_ = {"a '{' in assembly is not closed", scopes_.back().at};
    return std::move(objection_);
  }

 private:
  const PtxToken* here(std::size_t ahead = 0) const {
    return at_ + ahead < text_.tokens.size() ? &text_.tokens[at_ + ahead] : nullptr;
  }
  bool is(Kind kind, std::size_t ahead = 0) const { return here(ahead) && here(ahead)->kind == kind; }
  bool is(std::string_view mark, std::size_t ahead = 0) const {
    return is(Kind::mark, ahead) && here(ahead)->text == mark;
  }

  // At the token at hand, or at the last.
  void object(std::string why) {
    const PtxToken* place = here() ? here() : text_.tokens.empty() ? nullptr : &text_.tokens.back();
    if (!objection_ && !why.empty()) objection_ = {std::move(why), place ? place->at : 0};
  }

  void statement() {
    if (is(";")) return skip();
    if (is("{")) return open();
    if (is("}")) return close();
    if (is(Kind::modifier)) return directive();
    if (is(Kind::word) && is(":", 1)) return label();
    if (is("@")) guard();
    instruction();
  }

  void skip() { ++at_; }

  void open() {
    if (scopes_.size() == kDeepestScope) return object("braces in assembly nest too deep");
    scopes_.push_back({here()->at, {}, {}, {}});
    ++at_;
  }

  void close() {
    if (scopes_.empty()) return object("a '}' in assembly closes more than the statement opens");
    PtxScope inner = std::move(scopes_.back());
    scopes_.pop_back();
    for (PtxBranch& branch : inner.branches) {
      if (inner.labels.contains(branch.label)) continue;
      if (scopes_.empty()) {
        objection_ = {"the label '" + branch.label + "' does not stand in the assembly that branches to it", branch.at};
        return;
      }
      scopes_.back().branches.push_back(std::move(branch));
    }
    ++at_;
  }

  void label() {
    if (scopes_.empty()) return object("a label in assembly must stand within { }: copies of it would collide");
    scopes_.back().labels.emplace(here()->text);
    at_ += 2;
  }

  // .reg .b32 a, b<4>;
  void directive() {
    const std::string name(here()->text);
    if (name != "reg")
      return object("'." + name + "' in assembly is not allowed: of PTX's directives a candidate may use .reg alone");
    if (scopes_.empty()) return object("'.reg' in assembly must stand within { }: copies of it would collide");
    for (++at_; is(Kind::modifier); ++at_)
      if (!is_ptx_type(here()->text) && here()->text != "v2" && here()->text != "v4")
        return object("'." + std::string(here()->text) + "' in assembly is no type of registers");
    do {
      declare();
    } while (!objection_ && is(",") && (skip(), true));
    end_of_statement();
  }

  void declare() {
    if (!is(Kind::word) && !is_short_special())
      return object("'.reg' in assembly must name registers of its own, without '%'");
    const std::string name = own_name();
    ++at_;
    unsigned count = 1;
    const bool several = is("<");
    if (several && (name.starts_with('%') || !is_count(count) || !is(">", 2)))
      return object("'" + name + "<' in assembly needs the number of registers, as in r<4>");
    if (count > kMostRegisters - std::min(declared_, kMostRegisters))
      return object("assembly declares more than " + std::to_string(kMostRegisters) + " registers");
    declared_ += count;
    if (!several) return void(scopes_.back().registers.insert(name));
    for (unsigned i = 0; i < count; ++i) scopes_.back().registers.insert(name + std::to_string(i));
    at_ += 3;
  }

  // %rx and %px, as CUTLASS calls its own. The compiler's registers have numbers, and PTX's more letters.
  bool is_short_special() const {
    return is(Kind::special) && here()->text.size() <= 2 &&
           std::ranges::all_of(here()->text, [](unsigned char c) { return std::isalpha(c); });
  }

  // Of a register that the text declares: "p", "%px".
  std::string own_name() const { return (is(Kind::special) ? "%" : "") + std::string(here()->text); }

  // The token behind the one at hand.
  bool is_count(unsigned& count) const {
    if (!is(Kind::number, 1)) return false;
    const std::string_view text = here(1)->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc() && end == text.data() + text.size();
  }

  void guard() {
    ++at_;
    if (is("!")) ++at_;
    if (!(is(Kind::word) || is(Kind::special)) || !is_declared(own_name()))
      return object("'@' in assembly needs a predicate that a .reg of the same { } declares");
    ++at_;
  }

  void instruction() {
    if (objection_) return;
    if (!is(Kind::word)) {
      if (here() || text_.wrong.empty()) object("assembly has no instruction where one should begin");
      return;
    }
    const std::size_t begin = at_;
    const std::string_view name = here()->text;
    std::vector<std::string_view> modifiers;
    for (++at_; is(Kind::modifier); ++at_) modifiers.push_back(here()->text);
    if (std::string why = object_to_ptx(name, modifiers); !why.empty()) {
      at_ = begin;
      return object(std::move(why));
    }
    name == "bra" ? target() : operands();
    end_of_statement();
  }

  void target() {
    if (!is(Kind::word)) return object("'bra' in assembly needs a label of the same statement");
    if (scopes_.empty()) return object("'bra' in assembly must stand within { }, with its label");
    scopes_.back().branches.push_back({std::string(here()->text), here()->at});
    ++at_;
  }

  void operands() {
    std::string open;  // brackets
    for (; here() && !is(";") && !objection_; ++at_) {
      if (is(Kind::mark))
        mark(open);
      else if (is(Kind::word))
        name();
      else if (is(Kind::special))
        special();
      else if (is(Kind::modifier))
        object("'." + std::string(here()->text) + "' in assembly stands behind no name");
    }
    if (!objection_ && !open.empty() && here()) object("a bracket in assembly is not closed");
  }

  void mark(std::string& open) {
    const char c = here()->text.front();
    if (c == '{' || c == '[') {
      if (c == '[' && is(Kind::number, 1)) object("a fixed address in assembly is not allowed");
      open.push_back(c == '{' ? '}' : ']');
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) return object("a bracket in assembly closes nothing");
      open.pop_back();
    } else if (std::string_view(",|!+-").find(c) == std::string_view::npos) {
      object("'" + std::string(1, c) + "' in assembly stands where an operand should");
    }
  }

  void name() {
    const std::string_view word = here()->text;
    if (word != "_" && word != "WARP_SZ" && !is_declared(word))
      return object("'" + std::string(word) + "' in assembly is no register that a .reg of the same { } declares");
    if (is(Kind::modifier, 1)) ++at_;  // an element of a vector
  }

  void special() {
    if (!is_declared(own_name())) object(object_to_special_register(here()->text));
    if (is(Kind::modifier, 1) && here(1)->text.size() == 1) ++at_;  // %tid.x
  }

  void end_of_statement() {
    if (objection_) return;
    if (is(";")) return skip();
    if (here() || text_.wrong.empty()) object("a statement of assembly does not end with ';'");
  }

  bool is_declared(std::string_view name) const {
    return std::ranges::any_of(scopes_, [&](const PtxScope& scope) { return scope.registers.contains(name); });
  }

  const PtxText text_;
  std::size_t at_ = 0;
  std::vector<PtxScope> scopes_;
  unsigned declared_ = 0;
  std::optional<PtxObjection> objection_;
};

}  // namespace

std::optional<PtxObjection> object_to_ptx_text(std::string_view text, std::size_t operands) {
  return PtxReader(text, operands).read();
}

}  // namespace hone::frontend
