// Values of dear functions in a table in front of the loops that ask for them again and again.
//
//   for y, x { for dy, dx  s += exp(-(dx*dx + dy*dy) * g) * in[y + dy][x + dx]; … }
//   → for dy, dx table[…] = exp(…);  for y, x { for dy, dx  s += table[…] * in[…]; … }
//
// A call's value is tabulated in front of the outermost loop around it in which it hangs on nothing but either the
// counters of loops inside, whose bounds stay, or one integer made of counters (pow(up, 2*j - i)), between the least
// and the greatest value that these reach. The values are the same; that of a table that is larger than what is asked
// for is the judge's to say.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

using Variables = std::set<const clang::ValueDecl*>;

// A function of the library that takes more than a few instructions.
bool is_dear(const clang::CallExpr* call) {
  static const std::set<std::string_view> dear{"acos",  "asin", "atan", "atan2", "cbrt",  "cos",    "cosh", "erf",
                                               "erfc",  "exp",  "exp2", "expm1", "hypot", "lgamma", "log",  "log10",
                                               "log1p", "log2", "pow",  "sin",   "sinh",  "tan",    "tanh", "tgamma"};
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || !call->getType()->isRealFloatingType()) return false;
  llvm::StringRef name = function->getName();
  if (!dear.contains(name)) name.consume_back("f") || name.consume_back("l");
  return dear.contains(name) && !effects_of(call).calls_unknown;
}

// A variable's only value, where it has one that could as well be written in its place.
const clang::Expr* only_value(const clang::ValueDecl* declaration, const Variables& written) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  const bool plain = variable && variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
                     variable->getType()->isArithmeticType() && variable->hasInit();
  return plain && !written.contains(variable) ? variable->getInit() : nullptr;
}

// What a tabulated value is found by.
struct Key {
  std::vector<const Loop*> counters;    // the loops whose counters it hangs on, from outside inwards; or else
  const clang::Expr* number = nullptr;  // the integer that it hangs on,
  IndexPolynomial least, greatest;      // and between which ones that is
};

class Tables {
 public:
  Tables(const KernelContext& context, LoopNest& nest, const Loop& outer)
      : context_(context),
        nest_(nest),
        outer_(outer),
        written_(written_in(context.kernel->getBody())),
        names_(context) {
    inside_ = declared_in_set(outer.statement);
    for (const Loop& loop : nest.loops())
      if (loop.counted && holds(outer.statement, loop.statement)) counters_[loop.variable] = &loop;
    for (const auto* call : all_of<clang::CallExpr>(outer.body)) {
      const bool in_another = std::ranges::any_of(calls_, [&](const auto& one) { return holds(one.first, call); });
      if (in_another || !is_dear(call) || !range_of(context.ast, call)) continue;
      if (const auto key = key_of(call)) calls_.emplace_back(call, *key);
    }
  }

  bool any() const { return !calls_.empty(); }

  std::optional<std::string> text(Edits& edits) {
    Substitution inside(context_.ast);
    std::string tables;
    std::map<std::string, std::string> known;  // what is in a table, by its text
    for (const auto& [call, key] : calls_) {
      const std::string value = value_text(call);
      const std::string type = plain_type(context_.ast, call->getType().getCanonicalType());
      if (value.empty() || type.empty()) return std::nullopt;
      auto [table, is_new] = known.emplace(value + ranges_of(key), "");
      if (is_new) {
        table->second = names_.make("table");
        tables += key.number ? by_number(key, call, type, table->second) : by_counters(key, value, type, table->second);
      }
      inside.replace(call, table->second + "[" + place_in(key) + "]");
    }
    const std::string loop = inside.text(outer_.statement);
    if (inside.spoiled() || spoiled_) return std::nullopt;
    edits.include("<vector>");
    return braces(tables + loop);
  }

 private:
  static Variables declared_in_set(const clang::Stmt* statement) {
    const auto declared = declared_in(statement);
    return {declared.begin(), declared.end()};
  }

  bool changes(const clang::ValueDecl* variable) const {
    return inside_.contains(variable) || written_.contains(variable);
  }

  // The variables that change within the outer loop and that the value hangs on, locals looked through. nullopt: it
  // hangs on something else that may change.
  std::optional<Variables> leaves_of(const clang::Expr* value, unsigned depth = 0) const {
    constexpr unsigned most = 6;
    if (depth > most || effects_of(value).calls_unknown || !accesses_in(context_.ast, value).empty() ||
        !all_of<clang::MemberExpr>(value).empty() || may_trap(value))
      return std::nullopt;
    Variables leaves;
    for (const auto* reference : all_of<clang::DeclRefExpr>(value)) {
      const clang::ValueDecl* variable = reference->getDecl();
      if (llvm::isa<clang::FunctionDecl>(variable) || (!changes(variable) && !counters_.contains(variable))) continue;
      if (counters_.contains(variable)) {
        leaves.insert(variable);
        continue;
      }
      const clang::Expr* is = only_value(variable, written_);
      const auto further = is ? leaves_of(is, depth + 1) : std::nullopt;
      if (!further) return std::nullopt;
      leaves.insert(further->begin(), further->end());
    }
    return leaves;
  }

  std::optional<Key> key_of(const clang::CallExpr* call) const {
    const auto leaves = leaves_of(call);
    if (!leaves || leaves->empty()) return std::nullopt;
    if (auto key = key_by_counters(*leaves)) return key;
    return key_by_number(call, *leaves);
  }

  bool stays(const clang::Expr* bound) const {
    const auto leaves = leaves_of(bound);
    return leaves && leaves->empty();
  }

  // In front of the outer loop, too, where its own locals are not declared yet.
  bool stands_in_front(const clang::Expr* bound) const { return stays(bound) && !mentions_any(bound, inside_); }

  // Counters of loops inside, each of which runs over the same numbers whenever it runs.
  std::optional<Key> key_by_counters(const Variables& leaves) const {
    if (leaves.contains(outer_.variable)) return std::nullopt;
    Key key;
    for (const Loop& loop : nest_.loops()) {
      if (!loop.counted || !leaves.contains(loop.variable) || !holds(outer_.statement, loop.statement)) continue;
      if (loop.step != 1 || !stands_in_front(loop.lower) || !stands_in_front(loop.upper)) return std::nullopt;
      key.counters.push_back(&loop);
    }
    return key.counters.size() == leaves.size() ? std::optional(key) : std::nullopt;
  }

  // The smallest integer in the call that everything which changes is part of.
  std::optional<Key> key_by_number(const clang::CallExpr* call, const Variables& leaves) const {
    const clang::Expr* number = nullptr;
    for (const auto* part : all_of<clang::Expr>(call)) {
      const clang::Expr* bare = part->IgnoreParenImpCasts();
      const bool wraps = bare->getType()->isUnsignedIntegerType() &&
                         context_.ast.getTypeSize(bare->getType()) < 64;  // other differences than the table's
      if (!bare->getType()->isIntegerType() || bare->getType()->isBooleanType() || wraps) continue;
      if (const auto of = leaves_of(bare); of && *of == leaves) number = bare;
    }
    if (!number || leaves.size() < 2) return std::nullopt;  // as many values as there are calls
    const bool all_else_stays =
        std::ranges::all_of(all_of<clang::DeclRefExpr>(call), [&](const clang::DeclRefExpr* one) {
          return holds(number, one) || llvm::isa<clang::FunctionDecl>(one->getDecl()) || stays(one);
        });
    const auto value = IndexPolynomial::of(context_.ast, number);
    if (!all_else_stays || !value) return std::nullopt;
    const auto least = limit(*value, false), greatest = limit(*value, true);
    if (!least || !greatest) return std::nullopt;
    return Key{{}, number, *least, *greatest};
  }

  // The value with each counter at the end of its range that makes it greatest, or least.
  std::optional<IndexPolynomial> limit(IndexPolynomial value, bool greatest) const {
    for (unsigned round = 0; round < 8; ++round) {
      const Loop* next = nullptr;
      for (const auto& [monomial, factor] : value.terms())
        for (const auto* variable : monomial)
          if (const auto counter = counters_.find(variable); counter != counters_.end())
            if (!next || counter->second->depth > next->depth) next = counter->second;
      if (!next)
        return std::ranges::none_of(value.terms(),
                                    [&](const auto& term) {
                                      return std::ranges::any_of(term.first,
                                                                 [&](auto* variable) { return changes(variable); });
                                    })
                   ? std::optional(value)
                   : std::nullopt;
      const auto slope = value.stride(next->variable);
      const auto steep = slope ? slope->as_constant() : std::nullopt;
      auto lower = IndexPolynomial::of(context_.ast, next->lower),
           upper = IndexPolynomial::of(context_.ast, next->upper);
      constexpr long long steepest = 16;  // else most of the table is never asked for
      if (!steep || std::abs(*steep) > steepest || !lower || !upper) return std::nullopt;
      if (!next->inclusive) upper = *upper - IndexPolynomial::constant(1);
      const IndexPolynomial end = (*steep > 0) == greatest ? *upper : *lower;
      value = value + (end - IndexPolynomial::variable(next->variable)) * IndexPolynomial::constant(*steep);
    }
    return std::nullopt;
  }

  // Signed, so that differences are what they seem.
  static std::string signed_text(const clang::ValueDecl* variable) {
    const std::string name = variable->getNameAsString();
    return variable->getType()->isUnsignedIntegerType() ? "static_cast<long long>(" + name + ")" : name;
  }

  // "2 * steps - 1"
  static std::string text_of_sum(const IndexPolynomial& sum) {
    std::string text;
    for (auto term = sum.terms().rbegin(); term != sum.terms().rend(); ++term) {
      const auto& [monomial, factor] = *term;
      std::string product = std::abs(factor) != 1 || monomial.empty() ? std::to_string(std::abs(factor)) : "";
      for (const auto* variable : monomial) product += (product.empty() ? "" : " * ") + signed_text(variable);
      text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
      text += product;
    }
    return text.empty() ? "0" : text;
  }

  // The value with locals of the loop replaced by what they are.
  std::string value_text(const clang::Expr* value, unsigned depth = 0) {
    return value_text(value, Substitution(context_.ast), depth);
  }

  std::string value_text(const clang::Expr* value, Substitution locals, unsigned depth = 0) {
    for (const auto* reference : all_of<clang::DeclRefExpr>(value)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable || !inside_.contains(variable) || counters_.contains(variable) || depth > 6) continue;
      const clang::Expr* is = only_value(variable, written_);
      const std::string type = plain_type(context_.ast, variable->getType());
      if (!is || type.empty()) return spoiled_ = true, "";
      locals.replace(reference, converted(context_.ast, type, value_text(is, depth + 1)));
    }
    std::string text = locals.text(value);
    spoiled_ |= locals.spoiled();
    return text;
  }

  // From the loop's first iteration on.
  static std::string above(const Loop& loop, const std::string& what) {
    return loop.lower_text == "0" ? what : "(" + what + " - " + loop.lower_text + ")";
  }

  std::string filled(const std::string& type, const std::string& name,
                     const std::function<std::string(std::string)>& fill) {
    const std::string values = names_.make(name + "_values");
    return "std::vector<" + type + "> " + values + ";\n" + fill(values) + "\nconst " + type + "* const " + name +
           " = " + values + ".data();\n";
  }

  // In the order in which the loops ask for it.
  std::string by_counters(const Key& key, const std::string& value, const std::string& type, const std::string& name) {
    return filled(type, name, [&](const std::string& values) {
      std::string fill = values + ".push_back(" + value + ");";
      for (auto loop = key.counters.rbegin(); loop != key.counters.rend(); ++loop) fill = header(**loop) + "\n" + fill;
      return fill;
    });
  }

  std::string by_number(const Key& key, const clang::CallExpr* call, const std::string& type, const std::string& name) {
    const std::string number = names_.make("number");
    Substitution in_front(context_.ast);
    in_front.replace(key.number, converted(context_.ast, plain_type(context_.ast, key.number->getType()), number));
    const std::string value = value_text(call, in_front);
    return filled(type, name, [&](const std::string& values) {
      return "for (long long " + number + " = " + text_of_sum(key.least) + "; " + number +
             " <= " + text_of_sum(key.greatest) + "; ++" + number + ") " + values + ".push_back(" + value + ");";
    });
  }

  // Two loops of other ranges have other tables.
  std::string ranges_of(const Key& key) const {
    if (key.number) return "\n" + text_of_sum(key.least) + "\n" + text_of_sum(key.greatest);
    std::string ranges;
    for (const Loop* loop : key.counters) ranges += "\n" + header(*loop);
    return ranges;
  }

  std::string place_in(const Key& key) {
    if (key.number) return "(" + value_text(key.number) + ") - (" + text_of_sum(key.least) + ")";
    std::string place;
    for (const Loop* loop : key.counters) {
      const std::string here = above(*loop, loop->variable->getNameAsString());
      place = place.empty() ? here : "(" + place + ") * " + above(*loop, loop->upper_text) + " + " + here;
    }
    return place;
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& outer_;
  const Variables written_;  // anywhere in the function
  NewNames names_;
  Variables inside_;  // declared in the outer loop
  std::map<const clang::ValueDecl*, const Loop*> counters_;
  std::vector<std::pair<const clang::CallExpr*, Key>> calls_;
  bool spoiled_ = false;
};

class Tabulate final : public Transformation {
 public:
  std::string_view name() const override { return "tabulate"; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(places(context, nest).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    const auto found = places(context, nest);
    return site < found.size() ? found[site]->statement : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    LoopNest nest(context);
    const auto found = places(context, nest);
    if (site >= found.size()) return std::nullopt;
    Edits edits(context);
    const auto text = Tables(context, nest, *found[site]).text(edits);
    const auto range = range_with_pragmas(context.ast, found[site]->statement);
    if (!text || !range) return std::nullopt;
    edits.replace(range, *text);
    return edits.candidate();
  }

 private:
  // The outermost loops in front of which there is something to tabulate.
  static std::vector<const Loop*> places(const KernelContext& context, LoopNest& nest) {
    std::vector<const Loop*> found;
    if (is_c(context.ast)) return found;  // whose tables would be the caller's to release
    for (const Loop& loop : nest.loops()) {
      const bool in_one =
          std::ranges::any_of(found, [&](const Loop* one) { return holds(one->statement, loop.statement); });
      if (loop.counted && !loop.innermost() && !in_one && Tables(context, nest, loop).any()) found.push_back(&loop);
    }
    return found;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_tabulate() {
  return std::make_unique<Tabulate>();
}

}  // namespace hone::frontend
