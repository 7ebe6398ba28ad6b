// Distributes a loop's statements over loops of their own, a strip of iterations at a time: locals that pass from one
// to the next live in small arrays. Each of the loops is simple enough to vectorize where the whole was not.
#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

class Distribution {
 public:
  Distribution(const KernelContext& context, const Loop& loop, int width)
      : context_(context), loop_(loop), distances_(loop), width_(width) {
    lane_ = fresh_name(context, "lane");
    strip_ = fresh_name(context, loop.variable->getNameAsString() + "_strip");
  }

  std::optional<std::string> text() {
    auto statements = statements_of(loop_.body);
    for (auto* statement : statements) {
      auto effects = effects_of(statement);
      if (effects.leaves || effects.continues) return std::nullopt;
    }
    group(statements);
    while (join_what_depends()) continue;
    if (groups_.size() < 2 || !choose_arrays()) return std::nullopt;
    std::string inside;
    for (const auto& [variable, array] : arrays_)
      inside += plain_type(context_.ast, variable->getType()) + " " + array + "[" + std::to_string(width_) + "];\n";
    std::string end = strip_ + " + " + std::to_string(width_ * loop_.step);
    std::string count = "(" + loop_.upper_text + " - " + strip_ + " < " + std::to_string(width_) + " ? " +
                        loop_.upper_text + " - " + strip_ + " : " + std::to_string(width_) + ")";
    for (const auto& statements_of_group : groups_) inside += group_text(statements_of_group, count);
    if (refused_) return std::nullopt;
    return "for (" + loop_.type + " " + strip_ + " = " + loop_.lower_text + "; " + strip_ + " < " + loop_.upper_text +
           "; " + strip_ + " += " + std::to_string(width_) + ") " + braces(inside);
  }

 private:
  // Declarations go with the statement that follows; every other statement is a group.
  void group(const std::vector<const clang::Stmt*>& statements) {
    std::vector<const clang::Stmt*> current;
    for (auto* statement : statements) {
      current.push_back(statement);
      auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      bool heavy = false;
      if (declared)
        for (auto* call : all_of<clang::CallExpr>(statement)) heavy |= !llvm::isa<clang::CXXOperatorCallExpr>(call);
      if (declared && !heavy) continue;
      groups_.push_back(std::move(current));
      current.clear();
    }
    if (!current.empty()) {
      if (groups_.empty()) groups_.emplace_back();
      groups_.back().insert(groups_.back().end(), current.begin(), current.end());
    }
  }

  void join(std::size_t first, std::size_t last) {
    for (std::size_t next = first + 1; next <= last; ++next)
      groups_[first].insert(groups_[first].end(), groups_[next].begin(), groups_[next].end());
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  groups_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }

  // What stays in one loop, since a later group hands something to an earlier one of the next iteration, or since all
  // iterations share a variable. False: there is no more.
  bool join_what_depends() {
    for (std::size_t first = 0; first < groups_.size(); ++first)
      for (std::size_t last = groups_.size() - 1; last > first; --last)
        if (shares_variable(first, last) || hands_back(first, last)) return join(first, last), true;
    return false;
  }

  bool shares_variable(std::size_t first, std::size_t last) const {
    const auto mentioned = [&](std::size_t group, const clang::VarDecl* variable) {
      return std::ranges::any_of(groups_[group], [&](auto* statement) { return mentions(statement, variable); });
    };
    return std::ranges::any_of(distances_.carried(), [&](const clang::VarDecl* variable) {
      return mentioned(first, variable) && mentioned(last, variable);
    });
  }

  bool hands_back(std::size_t first, std::size_t last) const {
    const std::vector<Access> earlier = accesses_of(first), later = accesses_of(last);
    return std::ranges::any_of(later, [&](const Access& from) {
      return std::ranges::any_of(earlier, [&](const Access& to) {
        const auto apart = from.writes || to.writes ? distances_.between(from, to) : std::nullopt;
        return apart && (*apart > 0 || (*apart == 0 && from.stride(loop_.variable) == Stride::zero));
      });
    });
  }

  std::vector<Access> accesses_of(std::size_t group) const {
    std::vector<Access> all;
    for (auto* statement : groups_[group])
      for (Access& access : accesses_in(context_.ast, statement)) all.push_back(std::move(access));
    return all;
  }

  bool choose_arrays() {
    for (std::size_t home = 0; home < groups_.size(); ++home) {
      for (auto* statement : groups_[home]) {
        if (!llvm::isa<clang::DeclStmt>(statement)) continue;
        for (auto* variable : declared_in(statement)) {
          bool crosses = false;
          for (std::size_t other = 0; other < groups_.size(); ++other)
            for (auto* user : groups_[other]) crosses |= other != home && mentions(user, variable);
          if (!crosses) continue;
          auto type = variable->getType();
          bool fixed = type->isReferenceType() || !writes_variable(loop_.body, variable);
          if (fixed && variable->hasInit() &&
              (type->isReferenceType() || type->isPointerType() || type->isIntegerType()))
            again_.push_back(variable);
          else if (type->isArithmeticType())
            arrays_.emplace_back(variable, fresh_name(context_, variable->getNameAsString() + "_lanes"));
          else
            return false;
        }
      }
    }
    return true;
  }

  const std::string* array_of(const clang::Decl* declaration) const {
    for (const auto& [variable, array] : arrays_)
      if (variable == declaration) return &array;
    return nullptr;
  }

  std::string once_more(const clang::VarDecl* variable) {
    std::string text = constant_like(context_.ast, variable);
    refused_ |= text.empty();
    return text;
  }

  std::string lane_text(const clang::Stmt* node) {
    Substitution substitution(context_.ast);
    for (const auto& [variable, array] : arrays_) substitution.rename(node, variable, array + "[" + lane_ + "]");
    std::string text = substitution.text(node);
    refused_ |= substitution.spoiled();
    return text;
  }

  std::string statement_text(const clang::Stmt* statement) {
    auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    bool any = false;
    if (declared)
      for (const clang::Decl* inner : declared->decls()) any |= array_of(inner) != nullptr;
    if (!any) return lane_text(statement) + "\n";
    std::string text;
    for (const clang::Decl* inner : declared->decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
      if (!variable) return refused_ = true, std::string();
      std::string init = variable->getInit() ? " = " + lane_text(variable->getInit()) : "";
      const std::string* array = array_of(variable);
      std::string type = plain_type(context_.ast, variable->getType());
      refused_ |= !array && (type.empty() || variable->getType()->isReferenceType());
      if (!array)
        text += type + " " + variable->getNameAsString() + init + ";\n";
      else if (!init.empty())
        text += *array + "[" + lane_ + "]" + init + ";\n";
    }
    return text;
  }

  std::string group_text(const std::vector<const clang::Stmt*>& statements, const std::string& count) {
    std::string inside;
    std::set<const clang::VarDecl*> own, needed;
    for (auto* statement : statements)
      for (auto* variable : declared_in(statement)) own.insert(variable);
    for (auto it = again_.rbegin(); it != again_.rend(); ++it) {
      if (own.contains(*it)) continue;
      for (auto* statement : statements)
        if (mentions(statement, *it)) needed.insert(*it);
      for (auto* other : std::set<const clang::VarDecl*>(needed))
        if (mentions(other->getInit(), *it)) needed.insert(*it);
    }
    for (auto* variable : again_)
      if (needed.contains(variable)) inside += once_more(variable) + " = " + lane_text(variable->getInit()) + ";\n";
    for (auto* statement : statements) inside += statement_text(statement);
    return "for (" + loop_.type + " " + lane_ + " = 0; " + lane_ + " < " + count + "; ++" + lane_ + ") " +
           braces("const " + loop_.type + " " + loop_.variable->getNameAsString() + " = " + strip_ + " + " + lane_ +
                  ";\n" + inside) +
           "\n";
  }

  const KernelContext& context_;
  const Loop& loop_;
  const IterationDistances distances_;
  int width_;
  std::string lane_, strip_;
  bool refused_ = false;
  std::vector<std::vector<const clang::Stmt*>> groups_;
  std::vector<std::pair<const clang::VarDecl*, std::string>> arrays_;
  std::vector<const clang::VarDecl*> again_;
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
    return Distribution(context, loop, argument(arguments, 0, 256, 8, 4096)).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_fission() {
  return std::make_unique<Fission>();
}

}  // namespace hone::frontend
