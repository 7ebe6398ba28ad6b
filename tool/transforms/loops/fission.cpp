// Distributes a loop's statements over loops of their own, a strip of iterations at a time. Each of the loops is simple
// enough to vectorize where the whole was not. What passes from one to the next lives in arrays as long as a strip.
//
//   for (i) { a[i] = b[i] * c[i]; b[i] = a[i] * a[i + 1]; }
//   → for (strip) {
//       for (i of the strip) a_before[i - strip] = a[i + 1];
//       for (i of the strip) { a[i] = b[i] * c[i]; b[i] = a[i] * a_before[i - strip]; }
//     }
#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_distribution.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

class DistributedText {
 public:
  DistributedText(const KernelContext& context, const Loop& loop, const LoopDistribution& distribution, int width)
      : context_(context),
        loop_(loop),
        distribution_(distribution),
        width_(width),
        counter_(loop.variable->getNameAsString()),
        names_(context) {
    strip_ = fresh_name(context, counter_ + "_strip");
    end_ = fresh_name(context, counter_ + "_end");
    set_positions();
  }

  std::optional<std::string> text() {
    if (!choose_arrays()) return std::nullopt;
    const std::string whole = std::to_string(width_);
    std::string early = early_reads(), loops;
    for (const auto& statements : distribution_.loops()) loops += loop_of(statements);
    const std::string inside = "const " + loop_.type + " " + end_ + " = " + strip_end(context_, loop_, strip_, width_) +
                               ";\n" + declarations_ + starts_ + early + loops + ends_;
    if (refused_) return std::nullopt;
    return "for (" + loop_.type + " " + strip_ + " = " + loop_.lower_text + "; " + strip_ + " < " + loop_.upper_text +
           "; " + strip_ + " += " + whole + ") " + braces(inside);
  }

 private:
  using Statements = LoopDistribution::Statements;

  void set_positions() {
    const auto source = statements_of(loop_.body);
    for (std::size_t at = 0; at < source.size(); ++at) position_[source[at]] = at;
    for (std::size_t at = 0; at < distribution_.loops().size(); ++at)
      for (const clang::Stmt* statement : distribution_.loops()[at]) home_[statement] = at;
  }

  std::string at() const { return "[" + counter_ + " - " + strip_ + "]"; }
  std::string behind() const { return "[" + counter_ + " - " + strip_ + " + 1]"; }

  // The name of a new array of one element an iteration.
  std::string array(const clang::QualType type, const std::string& stem, int more = 0) {
    const std::string spelled = plain_type(context_.ast, type);
    const std::string name = names_.make(stem);
    refused_ |= spelled.empty();
    declarations_ += spelled + " " + name + "[" + std::to_string(width_ + more) + "];\n";
    return name;
  }

  bool used_elsewhere(const clang::VarDecl* variable, std::size_t home) const {
    return std::ranges::any_of(
        home_, [&](const auto& place) { return place.second != home && mentions(place.first, variable); });
  }

  bool choose_arrays() {
    for (const clang::Stmt* statement : statements_of(loop_.body)) {
      if (!llvm::isa<clang::DeclStmt>(statement)) continue;
      const std::size_t home = home_.at(statement);
      for (auto* variable : declared_in(statement)) {
        if (std::ranges::count(distribution_.recomputed(), variable) > 0 || !used_elsewhere(variable, home)) continue;
        if (!variable->getType()->isArithmeticType()) return false;
        locals_.emplace(variable, array(variable->getType(), variable->getNameAsString() + "_lanes"));
      }
    }
    for (const auto& kept : distribution_.kept()) {
      if (!used_elsewhere(kept.variable, home_.at(kept.writer))) continue;
      const std::string variable = kept.variable->getNameAsString();
      const std::string name = array(kept.variable->getType(), variable + "_lanes", 1);
      kept_.emplace(kept.variable, name);
      starts_ += name + "[0] = " + variable + ";\n";
    }
    for (const auto& renewed : distribution_.renewed()) {
      const std::string variable = renewed.variable->getNameAsString();
      for (const clang::Stmt* assignment : renewed.assignments)
        renewed_.emplace(assignment, array(renewed.variable->getType(), variable + "_lanes"));
      ends_ += variable + " = " + renewed_.at(renewed.assignments.back()) + "[" + end_ + " - " + strip_ + " - 1];\n";
    }
    return true;
  }

  std::string early_reads() {
    std::string inside;
    std::map<std::string, std::string> array_of;
    for (const clang::Expr* read : distribution_.early_reads()) {
      const std::string text = text_of(context_.ast, read);
      refused_ |= text.empty();
      const auto [place, first] = array_of.emplace(text, "");
      if (first) {
        place->second = array(read->getType(), "before");
        inside += place->second + at() + " = " + text + ";\n";
      }
      early_.emplace(read, place->second + at());
    }
    return inside.empty() ? "" : around(inside);
  }

  std::string around(const std::string& inside) const { return header(loop_, strip_, end_) + braces(inside) + "\n"; }

  // `node`, as what stands at `statement` sees the variables.
  std::string seen_from(const clang::Stmt* node, const clang::Stmt* statement) {
    Substitution substitution(context_.ast);
    for (const auto& [read, name] : early_)
      if (holds(node, read)) substitution.replace(read, name);
    for (const auto& [variable, name] : locals_) substitution.rename(node, variable, name + at());
    for (const auto& kept : distribution_.kept()) {
      if (home_.at(kept.writer) == home_.at(statement) || !kept_.contains(kept.variable)) continue;
      const bool later = position_.at(statement) > position_.at(kept.writer);
      substitution.rename(node, kept.variable, kept_.at(kept.variable) + (later ? behind() : at()));
    }
    for (const auto& renewed : distribution_.renewed()) {
      const clang::Stmt* newest = nullptr;
      for (const clang::Stmt* assignment : renewed.assignments)
        if (position_.at(assignment) < position_.at(statement)) newest = assignment;
      if (newest) substitution.rename(node, renewed.variable, renewed_.at(newest) + at());
    }
    std::string text = substitution.text(node);
    refused_ |= substitution.spoiled();
    return text;
  }

  std::string text_of_declaration(const clang::DeclStmt* declaration) {
    std::string text;
    for (const clang::Decl* inner : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
      if (!variable) return refused_ = true, std::string();
      const std::string value = variable->getInit() ? " = " + seen_from(variable->getInit(), declaration) : "";
      const auto place = locals_.find(variable);
      const std::string type = plain_type(context_.ast, variable->getType());
      const bool alone = place == locals_.end();
      refused_ |= alone && (type.empty() || variable->getType()->isReferenceType());
      if (alone)
        text += type + " " + variable->getNameAsString() + value + ";\n";
      else if (!value.empty())
        text += place->second + at() + value + ";\n";
    }
    return text;
  }

  std::string text_of_statement(const clang::Stmt* statement) {
    if (const auto place = renewed_.find(statement); place != renewed_.end())
      return place->second + at() + " = " +
             seen_from(llvm::cast<clang::BinaryOperator>(statement)->getRHS(), statement) + ";\n";
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    const auto declared = declared_in(statement);
    const bool passes =
        declaration && std::ranges::any_of(declared, [&](auto* variable) { return locals_.contains(variable); });
    return passes ? text_of_declaration(declaration) : seen_from(statement, statement) + "\n";
  }

  // Variables that are computed once more where `statements` need them, and what those need.
  std::string computed_once_more(const Statements& statements) {
    std::set<const clang::VarDecl*> needed;
    const auto& all = distribution_.recomputed();
    for (auto variable = all.rbegin(); variable != all.rend(); ++variable) {
      const bool own = std::ranges::any_of(statements, [&](auto* statement) { return declares(statement, *variable); });
      if (own) continue;
      bool wanted = std::ranges::any_of(statements, [&](auto* statement) { return mentions(statement, *variable); });
      for (auto* other : needed) wanted |= mentions(other->getInit(), *variable);
      if (wanted) needed.insert(*variable);
    }
    std::string text;
    for (auto* variable : all) {
      if (!needed.contains(variable)) continue;
      const std::string declared = constant_like(context_.ast, variable);
      refused_ |= declared.empty();
      text += declared + " = " + seen_from(variable->getInit(), statement_of(variable)) + ";\n";
    }
    return text;
  }

  const clang::Stmt* statement_of(const clang::VarDecl* variable) const {
    return std::ranges::find_if(home_, [&](const auto& place) { return declares(place.first, variable); })->first;
  }

  std::string loop_of(const Statements& statements) {
    std::string inside = computed_once_more(statements);
    for (const clang::Stmt* statement : statements) inside += text_of_statement(statement);
    for (const auto& kept : distribution_.kept())
      if (std::ranges::count(statements, kept.writer) > 0 && kept_.contains(kept.variable))
        inside += kept_.at(kept.variable) + behind() + " = " + kept.variable->getNameAsString() + ";\n";
    return around(inside);
  }

  const KernelContext& context_;
  const Loop& loop_;
  const LoopDistribution& distribution_;
  const int width_;
  std::string counter_, strip_, end_;
  std::string declarations_, starts_, ends_;
  bool refused_ = false;
  NewNames names_;
  std::map<const clang::Stmt*, std::size_t> position_, home_;
  std::map<const clang::VarDecl*, std::string> locals_, kept_;
  std::map<const clang::Stmt*, std::string> renewed_;  // by assignment
  std::map<const clang::Expr*, std::string> early_;
};

class Fission final : public LoopTransformation {
 public:
  std::string_view name() const override { return "fission"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{256, 64, 1024}};
  }

 protected:
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override {
    return loop.step == 1 && statements_of(loop.body).size() > 1;
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const LoopDistribution distribution(context.ast, loop);
    if (!distribution.splits()) return std::nullopt;
    return DistributedText(context, loop, distribution, argument(arguments, 0, 256, 8, 4096)).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_fission() {
  return std::make_unique<Fission>();
}

}  // namespace hone::frontend
