#include "tool/frontend/place/variant_functions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

using namespace clang;

// Words in front of brackets that are no function's parameters.
constexpr std::array<std::string_view, 11> kNoNames = {
    "__launch_bounds__", "__align__", "alignas",  "__attribute__", "__cluster_dims__", "__block_size__",
    "__maxnreg__",       "decltype",  "noexcept", "explicit",      "requires"};

class Reader {
 public:
  explicit Reader(const std::string& text) : tokens_(text, permissive_language()) {}

  std::vector<VariantFunction> run() {
    for (std::size_t at = next(0); at < tokens_.size();) at = next(item(at));
    return std::move(functions_);
  }

 private:
  // The first token at or behind `index` that is no directive's.
  std::size_t next(std::size_t index) const {
    while (index < tokens_.size() && tokens_[index].directive) ++index;
    return index;
  }

  // Index behind the item that begins at `first`: a scope's opening or closing brace is an item of its own.
  std::size_t item(std::size_t first) {
    if (tokens_.is(first, "}")) {
      depth_ -= depth_ > 0;
      return first + 1;
    }
    const bool scope = opens_scope(first);
    VariantFunction function;
    bool assigned = false;
    for (std::size_t at = first; at < tokens_.size(); at = next(at + 1)) {
      if (tokens_.is(at, ";")) return finish(function, first, at);
      if (tokens_.is(at, "{") && scope) {
        ++depth_;
        return at + 1;
      }
      if (tokens_.is(at, "template") && tokens_.is(at + 1, "<")) {
        at = tokens_.behind_brackets(at + 1) - 1;
        continue;
      }
      assigned = assigned || tokens_.is(at, "=");
      if (!tokens_.is(at, "(") && !tokens_.is(at, "[") && !tokens_.is(at, "{")) continue;
      if (tokens_.is(at, "(") && !assigned) take_name(at, first, function);
      const std::size_t behind = tokens_.behind_brackets(at);
      if (const auto declared = old_style_declarations(at, behind); declared && !function.name.empty() && !assigned) {
        at = *declared;
        continue;
      }
      if (tokens_.is(at, "{") && !function.name.empty() && !assigned) {
        function.body = tokens_[at].begin;
        function.body_end = tokens_[behind - 1].begin;
        return finish(function, first, behind - 1);
      }
      at = behind - 1;
    }
    return tokens_.size();
  }

  // `(x, n) const float* x; int n; {`, as C was written before 1989: the last semicolon in front of the body.
  std::optional<std::size_t> old_style_declarations(std::size_t bracket, std::size_t behind) const {
    std::set<std::string> names;
    for (std::size_t at = bracket + 1; at + 1 < behind; ++at) {
      const bool name = tokens_[at].kind == tok::raw_identifier;
      if (name != ((at - bracket) % 2 == 1) || (!name && !tokens_.is(at, ","))) return std::nullopt;
      if (name) names.insert(tokens_.spelling(at));
    }
    bool declares = false;
    for (std::size_t at = behind; at + 1 < tokens_.size() && !names.empty(); ++at) {
      if (tokens_.is(at, "{") || tokens_.is(at, "}") || tokens_.is(at, "=")) break;
      declares = declares || names.contains(tokens_.spelling(at));
      if (!tokens_.is(at, ";")) continue;
      if (!declares) break;
      if (tokens_.is(at + 1, "{")) return at;
    }
    return std::nullopt;
  }

  // namespace … {, inline namespace … {, extern "C" {
  bool opens_scope(std::size_t first) const {
    const std::size_t word = next(tokens_.is(first, "inline") ? first + 1 : first);
    if (word >= tokens_.size()) return false;
    if (tokens_.is(word, "extern"))
      return next(word + 1) + 1 < tokens_.size() && tokens_.is(next(next(word + 1) + 1), "{");
    return tokens_.is(word, "namespace");
  }

  // Sets the name of the function whose parameters open at `bracket`: scale(…), inst<float>(…).
  void take_name(std::size_t bracket, std::size_t first, VariantFunction& function) const {
    if (bracket == first) return;
    std::size_t at = bracket - 1;
    if (tokens_.is(at, ">")) at = before_arguments(at, first);
    if (at < first || tokens_[at].kind != tok::raw_identifier) return;
    const std::string name = tokens_.spelling(at);
    if (std::ranges::count(kNoNames, std::string_view(name)) > 0) return;
    function.name = name;
    function.name_at = tokens_[at].begin;
  }

  // The token in front of the < that belongs to the > at `at`.
  std::size_t before_arguments(std::size_t at, std::size_t first) const {
    int open = 0;
    for (;; --at) {
      const std::string word = tokens_.spelling(at);
      if (word == ">" || word == ">>") open += static_cast<int>(word.size());
      if (word == "<") --open;
      if (at == first) return at;
      if (open == 0) return at - 1;
    }
  }

  std::size_t finish(VariantFunction& function, std::size_t first, std::size_t last) {
    if (function.name.empty() || last >= tokens_.size()) return last + 1;
    function.begin = tokens_[first].begin;
    function.end = tokens_[last].end;
    function.nested = depth_ > 0;
    bool device = false, host = false;
    for (std::size_t i = first; i <= last && tokens_[i].begin < function.name_at; ++i) {
      function.global = function.global || tokens_.is(i, "__global__");
      device = device || tokens_.is(i, "__device__");
      host = host || tokens_.is(i, "__host__");
      if ((tokens_.is(i, "__cluster_dims__") || tokens_.is(i, "__block_size__")) && tokens_.is(i + 1, "("))
        function.newer.emplace_back(tokens_[i].begin, tokens_[tokens_.behind_brackets(i + 1) - 1].end);
    }
    function.device_alone = device && !host;
    functions_.push_back(std::move(function));
    return last + 1;
  }

  SourceTokens tokens_;
  std::vector<VariantFunction> functions_;
  unsigned depth_ = 0;
};

// app::grid<2>::scale<float> is called scale there.
std::string_view last_name(std::string_view qualified) {
  if (qualified.ends_with('>')) {
    int open = 0;
    std::size_t at = qualified.size();
    do {
      --at;
      open += qualified[at] == '>' ? 1 : qualified[at] == '<' ? -1 : 0;
    } while (open > 0 && at > 0);
    qualified = qualified.substr(0, at);
  }
  const std::size_t colons = qualified.rfind("::");
  return colons == qualified.npos ? qualified : qualified.substr(colons + 2);
}

bool is_word(std::string_view name) {
  return !name.empty() && !name.starts_with("operator") && std::ranges::all_of(name, [](char c) {
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c | 32) >= 'a' && (c | 32) <= 'z' || (c & 128) != 0;
  });
}

// Somewhere in code, where the text has macros of its own.
bool may_be_made_by_a_macro(const std::string& text, std::string_view name) {
  const SourceTokens tokens(text, permissive_language());
  bool macros = false, named = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    macros = macros || (tokens[i].directive && tokens.is(i, "define"));
    named = named || tokens.is(i, name);
  }
  return macros && named;
}

}  // namespace

std::vector<VariantFunction> functions_of(const std::string& variant) {
  return Reader(variant).run();
}

std::optional<VariantFunction> kernel_function(const KernelIdentity& kernel, const std::string& variant) {
  return kernel_function(last_name(kernel.qualified_name), variant);
}

std::optional<VariantFunction> kernel_function(std::string_view name, const std::string& variant) {
  std::optional<VariantFunction> found;
  for (VariantFunction& one : functions_of(variant)) {
    if (one.body_end == 0 || one.name != name) continue;
    if (found) return std::nullopt;
    found = std::move(one);
  }
  return found;
}

bool defines_kernel(const KernelSpec& spec, const std::string& variant) {
  const std::string_view name = last_name(spec.qualified_name);
  if (!is_word(name)) return true;  // an operator's tokens say nothing
  return std::ranges::any_of(functions_of(variant),
                             [&](const VariantFunction& one) { return one.body_end > 0 && one.name == name; }) ||
         may_be_made_by_a_macro(variant, name);
}

}  // namespace hone::frontend
