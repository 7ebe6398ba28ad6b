// Sums modulo a number whose remainders are taken once for a block of elements.
//
//   for (int i = 0; i < n; ++i) { a = (a + x[i]) % 65521; b = (b + a) % 65521; }      // bytes
// becomes
//   for (int i_block = 0, i_end; i_block < n; i_block = i_end) {
//     i_end = n - i_block < 4096 ? n : i_block + 4096;                                 // 5552 would still fit 32 bits
//     for (int i = i_block; i < i_end; ++i) { a += x[i]; b += a; }
//     a %= 65521;
//     b %= 65521;
//   }
//
// How long a block may be is shown for any data (modular_sums.h). What cannot be known before the loop runs is asked
// there, and where the answer is no the loop runs as it was: a modulus that is no constant may be too large, and a sum
// may begin above it. Where the sums' own types have no room, blocks add up in wider ones.
#include <algorithm>
#include <cstdint>

#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/values/modular_sums.h"

namespace hone::frontend {
namespace {

constexpr std::uint64_t shortest_block = 4;    // below, little is gained
constexpr std::uint64_t shortest_narrow = 16;  // below, wider sums are worth it
constexpr std::uint64_t shortest_open = 64;    // below, blocks have a fixed length, and loops in them are written out

std::string join(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " && ") + text;
  return all;
}

// Unsigned where int is too small, so that no warning is due.
std::string number_text(std::uint64_t number) {
  const char* suffix = number > UINT32_MAX ? "UL" : number > INT32_MAX ? "U" : "";
  return std::to_string(number) + suffix;
}

class DeferredText {
 public:
  DeferredText(const KernelContext& context, const Loop& loop, int longest, bool widen)
      : context_(context), ast_(context.ast), loop_(loop), sums_(context, loop), names_(context) {
    if (!sums_.any()) return;
    const bool fits_32 = largest_of(ast_, modulus_type()) <= UINT32_MAX || sums_.constant();
    const bool small = fits_32 && std::ranges::all_of(sums_.sums(), [&](const clang::VarDecl* sum) {
                         return largest_of(ast_, sum->getType()) <= UINT32_MAX;
                       });
    if (small && !widen) set_type(ast_.UnsignedIntTy, longest);
    if (block_.iterations < std::min<std::uint64_t>(shortest_narrow, longest))
      set_type(ast_.getTypeSize(ast_.UnsignedLongTy) == 64 ? ast_.UnsignedLongTy : ast_.UnsignedLongLongTy, longest);
  }

  bool is_worth_it() const { return sums_.any() && block_.iterations >= shortest_block; }

  // "": it cannot be written.
  std::string text() {
    if (!set_modulus()) return "";
    const std::string blocks = blocks_text(), guard = join(conditions());
    const std::string original = text_of(ast_, loop_.statement);
    if (blocks.empty() || original.empty()) return "";
    return guard.empty() ? blocks : "if (" + guard + ") {\n" + blocks + "\n} else {\n" + original + "\n}";
  }

 private:
  clang::QualType modulus_type() const { return sums_.modulus()->IgnoreParenImpCasts()->getType(); }

  void set_type(clang::QualType type, int longest) {
    if (largest_of(ast_, type) > sums_.largest_converted()) return;
    const auto block = sums_.block(largest_of(ast_, type), static_cast<std::uint64_t>(longest));
    if (block.iterations <= block_.iterations) return;
    block_ = block;
    constexpr std::uint64_t whole_vectors = 16;
    if (block_.iterations >= shortest_open) block_.iterations -= block_.iterations % whole_vectors;
    in_place_ = std::ranges::all_of(sums_.sums(), [&](const clang::VarDecl* sum) {
      return sum->getType()->isUnsignedIntegerType() && largest_of(ast_, sum->getType()) == largest_of(ast_, type);
    });
    const clang::VarDecl* first = sums_.sums().front();
    type_ = in_place_ ? plain_type(ast_, first->getType()) : plain_type(ast_, type);
  }

  // Does it have a name that means the same outside of the loop?
  bool is_named_outside() const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(sums_.modulus()->IgnoreParenImpCasts());
    return name && llvm::isa<clang::VarDecl>(name->getDecl()) && !declares(loop_.statement, name->getDecl());
  }

  // As it was written, where the result is unsigned or a constant.
  bool set_modulus() {
    const std::string text = text_of(ast_, sums_.modulus());
    const bool literal = llvm::isa<clang::IntegerLiteral>(sums_.modulus()->IgnoreParenImpCasts());
    if (sums_.constant() && (text.empty() || !(literal || is_named_outside()))) {
      modulus_ = number_text(*sums_.constant());
      return true;
    }
    const bool as_it_is = literal || (is_named_outside() && modulus_type()->isUnsignedIntegerType());
    modulus_ = as_it_is ? text : converted(ast_, type_, text);
    return !text.empty();
  }

  std::vector<std::string> conditions() const {
    std::vector<std::string> all;
    if (!sums_.constant()) add_conditions_of_modulus(all);
    for (const clang::VarDecl* sum : sums_.sums()) {
      if (!sums_.starts_anywhere(sum)) continue;
      const std::string name = sum->getNameAsString();
      const bool is_signed = sum->getType()->isSignedIntegerType();
      if (is_signed) all.push_back(name + " >= 0");
      all.push_back((is_signed ? converted(ast_, type_, name) : name) + " < " + modulus_);
    }
    return all;
  }

  void add_conditions_of_modulus(std::vector<std::string>& all) const {
    const std::string text = text_of(ast_, sums_.modulus());
    if (modulus_type()->isSignedIntegerType()) all.push_back((is_named_outside() ? text : "(" + text + ")") + " > 0");
    if (sums_.least_modulus() > 2) all.push_back(modulus_ + " >= " + number_text(sums_.least_modulus()));
    if (block_.largest_modulus < largest_of(ast_, modulus_type()))
      all.push_back(modulus_ + " <= " + number_text(block_.largest_modulus));
  }

  std::string name_of(const clang::VarDecl* sum) {
    if (in_place_) return sum->getNameAsString();
    std::string& name = wide_[sum];
    if (name.empty()) name = names_.make(sum->getNameAsString() + "_sum");
    return name;
  }

  // a = (a + x[i]) % m becomes a += x[i].
  std::string step_text(const ModularSums::Step& step, const Substitution& renamed) {
    if (!step.sum || step.adds) return renamed.text(step.statement) + "\n";
    if (!step.value) return "";
    const clang::Expr* value = step.value->IgnoreParenCasts();
    const std::string name = name_of(step.sum);
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value); sum && sum->getOpcode() == clang::BO_Add)
      for (const auto& [one, other] : {std::pair{sum->getLHS(), sum->getRHS()}, {sum->getRHS(), sum->getLHS()}})
        if (local_variable(one) == step.sum && !mentions(other, step.sum))
          return name + " += " + renamed.text(other) + ";\n";
    return name + " = " + renamed.text(value) + ";\n";
  }

  std::string additions() {
    Substitution renamed(ast_);
    if (!in_place_)
      for (const clang::VarDecl* sum : sums_.sums()) renamed.rename(loop_.body, sum, name_of(sum));
    std::string text;
    int lines = 0;
    for (const ModularSums::Step& step : sums_.steps()) {
      const std::string line = step_text(step, renamed);
      lines += !line.empty();
      text += line;
    }
    if (renamed.spoiled() || text.empty()) return "";
    return lines == 1 ? text : braces(text) + "\n";
  }

  std::string beginnings() {
    std::string text;
    if (in_place_) return text;
    for (const clang::VarDecl* sum : sums_.sums()) {
      const std::string name = sum->getNameAsString();
      const bool is_signed = sum->getType()->isSignedIntegerType();
      text += type_ + " " + name_of(sum) + " = " + (is_signed ? converted(ast_, type_, name) : name) + ";\n";
    }
    return text;
  }

  std::string remainders() {
    std::string text;
    for (const clang::VarDecl* sum : sums_.sums()) {
      const std::string name = sum->getNameAsString(), type = plain_type(ast_, sum->getType());
      text += in_place_ ? name + " %= " + modulus_ + ";\n"
                        : name + " = " + converted(ast_, type, name_of(sum) + " % " + modulus_) + ";\n";
    }
    return text;
  }

  std::string blocks_text() {
    const std::string inside = additions();
    if (inside.empty()) return "";
    const std::string counter = loop_.variable->getNameAsString(), block = names_.make(counter + "_block");
    const auto length = static_cast<long long>(block_.iterations);
    const auto of_block = [&](const std::string& end, const std::string& set_end) {
      return beginnings() + set_end + header(loop_, block, end) + inside + remainders();
    };
    if (block_.iterations < shortest_open && never_below_zero(context_, loop_))
      return braces(strips_header(loop_, block, length) + braces(of_block(block + " + " + std::to_string(length), "")) +
                    "\n" + tail_header(loop_, length) + text_of(ast_, loop_.body));
    const std::string end = names_.make(counter + "_end");
    return "for (" + loop_.type + " " + block + " = " + loop_.lower_text + ", " + end + "; " + block + " < " +
           loop_.upper_text + "; " + block + " = " + end + ") " +
           braces(of_block(end, end + " = " + strip_end(context_, loop_, block, length) + ";\n"));
  }

  const KernelContext& context_;
  const clang::ASTContext& ast_;
  const Loop& loop_;
  ModularSums sums_;
  NewNames names_;
  ModularSums::Block block_;
  bool in_place_ = false;
  std::string type_, modulus_;
  std::map<const clang::VarDecl*, std::string> wide_;
};

// Does the loop run as it was, where blocks of it are not allowed?
bool is_left_over(const KernelContext& context, const Loop& loop) {
  const auto changed = changed_from_outside(loop);
  return std::ranges::any_of(all_of<clang::IfStmt>(context.kernel->getBody()), [&](const clang::IfStmt* branch) {
    const auto asked = [&](const clang::VarDecl* sum) { return mentions(branch->getCond(), sum); };
    return branch->getElse() && holds(branch->getElse(), loop.statement) && std::ranges::any_of(changed, asked);
  });
}

class DeferredModulo final : public LoopTransformation {
 public:
  std::string_view name() const override { return "deferred_modulo"; }

  // The longest block, and whether sums of 64 bits are taken in any case.
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4096, 1024, 8192, 256}, {0, 1}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    if (loop.constant_trips(context.ast).value_or(shortest_block) < static_cast<long long>(shortest_block))
      return false;
    if (is_left_over(context, loop)) return false;
    return DeferredText(context, loop, shortest_block, false).is_worth_it();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    constexpr int longest = 1 << 16;
    DeferredText deferred(context, loop, argument(arguments, 0, 4096, shortest_block, longest),
                          argument(arguments, 1, 0, 0, 1) == 1);
    const std::string text = deferred.is_worth_it() ? deferred.text() : "";
    return text.empty() ? std::nullopt : std::optional(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_deferred_modulo() {
  return std::make_unique<DeferredModulo>();
}

}  // namespace hone::frontend
