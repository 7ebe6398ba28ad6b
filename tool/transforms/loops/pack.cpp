// What a loop appends to arrays where a condition holds is packed without a branch: each value is written behind the
// packed ones, which grow only where the condition holds. A strip of them at a time is copied to where they belong.
//
//   for (i) if (b[i] > 0) a[k++] = b[i];
//   → for (strip) {
//       float a_packed[256]; int packed = 0;
//       for (i of the strip) { a_packed[packed] = b[i]; packed += b[i] > 0 ? 1 : 0; }
//       memcpy(a + k, a_packed, packed * sizeof *a_packed); k += packed;
//     }
// Values are computed whether kept or not: a load that the condition guarded may then read what it must not.
#include <algorithm>
#include <map>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

// A value that goes to the next place of an array.
struct Appended {
  std::string array;  // as text; "" where the cursor itself points to the place
  clang::QualType type;
  const clang::Expr* value = nullptr;
  bool behind_cursor = false;  // the place is one behind where the cursor stands in front of the statement
};

using Statements = std::vector<const clang::Stmt*>;

// What appends to arrays and moves the cursor by one: a branch, or statements behind one another.
struct Append {
  Statements statements;
  const clang::Expr* condition = nullptr;  // null: it always does
  std::vector<Appended> values;
};

struct Packing {
  const clang::VarDecl* cursor = nullptr;
  std::vector<Append> appends;
};

// The cursor's next value may be asked for in passing.
struct Position {
  const clang::VarDecl* cursor = nullptr;
  bool moves = false, moves_first = false;
};

Position position_of(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression); unary && unary->isIncrementOp())
    return {local_variable(unary->getSubExpr()), true, unary->isPrefix()};
  return {local_variable(expression), false, false};
}

// Reads statements that append one after the other.
class AppendReader {
 public:
  AppendReader(const clang::ASTContext& ast, const Loop& loop) : ast_(ast), loop_(loop) {}

  // One that begins with the first of `statements`.
  std::optional<Append> read(const Statements& statements) {
    cursor_ = nullptr;
    moved_ = false;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statements.front())) return read_branch(*branch);
    Append append;
    for (const clang::Stmt* step : statements) {
      // What has moved already ends where another one begins.
      const bool whole = moved_ && !append.values.empty();
      if (whole || !read_step(step, append)) break;
      append.statements.push_back(step);
    }
    return moved_ && cursor_ ? std::optional(append) : std::nullopt;
  }

  // Of the statements that were read.
  const clang::VarDecl* cursor() const { return cursor_; }

 private:
  std::optional<Append> read_branch(const clang::IfStmt& branch) {
    if (branch.getElse() || branch.hasInitStorage() || branch.getConditionVariable()) return std::nullopt;
    Append append{.statements = {&branch}, .condition = branch.getCond()};
    for (const clang::Stmt* step : statements_of(branch.getThen()))
      if (!read_step(step, append)) return std::nullopt;
    return moved_ && cursor_ ? std::optional(append) : std::nullopt;
  }

  bool is_cursor(const Position& position) {
    const clang::VarDecl* variable = position.cursor;
    if (!variable || declares(loop_.statement, variable) || (cursor_ && variable != cursor_)) return false;
    if (!variable->getType()->isIntegerType() && !variable->getType()->isPointerType()) return false;
    cursor_ = variable;
    return true;
  }

  bool moves(const Position& position) { return !position.moves || !std::exchange(moved_, true); }

  bool read_step(const clang::Stmt* step, Append& append) {
    if (const auto* alone = llvm::dyn_cast<clang::Expr>(step)) {
      const Position position = position_of(alone);
      if (position.moves) return is_cursor(position) && moves(position);
    }
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(step);
    if (!assignment) return false;
    if (assignment->getOpcode() == clang::BO_AddAssign) {
      const auto by = IndexPolynomial::of(ast_, assignment->getRHS());
      const Position position{local_variable(assignment->getLHS()), true, true};
      return by && by->as_constant() == 1 && is_cursor(position) && moves(position);
    }
    return assignment->getOpcode() == clang::BO_Assign && read_value(*assignment, append);
  }

  bool read_value(const clang::BinaryOperator& assignment, Append& append) {
    const clang::Expr* place = assignment.getLHS()->IgnoreParens();
    Appended value{.type = place->getType(), .value = assignment.getRHS()};
    Position position;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      if (!llvm::isa<clang::DeclRefExpr>(base)) return false;
      value.array = text_of(ast_, base);
      position = position_of(subscript->getIdx());
      if (value.array.empty() || local_variable(subscript->getIdx()) == local_variable(base)) return false;
    } else if (const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(place);
               pointed && pointed->getOpcode() == clang::UO_Deref) {
      position = position_of(pointed->getSubExpr());
    }
    if (!is_cursor(position) || !value.type->isArithmeticType()) return false;
    if (value.array.empty() != position.cursor->getType()->isPointerType()) return false;
    value.behind_cursor = moved_ || position.moves_first;
    append.values.push_back(value);
    return moves(position);
  }

  const clang::ASTContext& ast_;
  const Loop& loop_;
  const clang::VarDecl* cursor_ = nullptr;
  bool moved_ = false;
};

// Can it be computed where the original would not?
bool may_be_computed(const clang::ASTContext& ast, const clang::Expr* value) {
  if (effects_of(value).calls_unknown) return false;
  for (auto* unary : all_of<clang::UnaryOperator>(value))
    if (unary->isIncrementDecrementOp()) return false;
  for (auto* binary : all_of<clang::BinaryOperator>(value))
    if (binary->isAssignmentOp() || ((binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_Rem) &&
                                     binary->getType()->isIntegerType()))
      return false;
  const auto accesses = accesses_in(ast, value);
  return std::ranges::all_of(accesses, [](const Access& access) { return access.base && access.index; });
}

bool fill_alike(const std::vector<Append>& appends) {
  return std::ranges::all_of(appends, [&](const Append& append) {
    return append.values.size() == appends.front().values.size() &&
           std::ranges::equal(append.values, appends.front().values, [](const Appended& one, const Appended& other) {
             return one.array == other.array && one.behind_cursor == other.behind_cursor;
           });
  });
}

std::size_t mentions_of(const clang::Stmt* statement, const clang::VarDecl* variable) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all_of<clang::DeclRefExpr>(statement), [&](auto* reference) { return reference->getDecl() == variable; }));
}

// Nothing but the appends speaks of the cursor, and those only to say where they write.
bool keeps_to_itself(const Loop& loop, const Packing& packing) {
  std::size_t inside = 0;
  for (const Append& append : packing.appends) {
    for (const clang::Stmt* statement : append.statements) inside += mentions_of(statement, packing.cursor);
    if (append.condition && mentions(append.condition, packing.cursor)) return false;
    for (const Appended& value : append.values)
      if (mentions(value.value, packing.cursor)) return false;
  }
  return inside == mentions_of(loop.statement, packing.cursor);
}

std::vector<Packing> packings_of(const KernelContext& context, const Loop& loop) {
  std::vector<Packing> found;
  const Effects effects = effects_of(loop.body);
  if (!loop.innermost() || loop.step != 1 || effects.leaves || effects.continues) return found;
  AppendReader reader(context.ast, loop);
  for (Statements left = statements_of(loop.body); !left.empty();) {
    const auto append = reader.read(left);
    left.erase(left.begin(), left.begin() + (append ? std::ssize(append->statements) : 1));
    if (!append) continue;
    auto place = std::ranges::find(found, reader.cursor(), &Packing::cursor);
    if (place == found.end()) place = found.insert(found.end(), Packing{reader.cursor(), {}});
    place->appends.push_back(*append);
  }
  std::erase_if(found, [&](const Packing& packing) {
    const bool chooses = std::ranges::any_of(packing.appends, [](auto& append) { return append.condition != nullptr; });
    const bool computable = std::ranges::all_of(packing.appends, [&](const Append& append) {
      return !append.condition || (may_be_computed(context.ast, append.condition) &&
                                   std::ranges::all_of(append.values, [&](const Appended& value) {
                                     return may_be_computed(context.ast, value.value);
                                   }));
    });
    return !chooses || !computable || packing.appends.front().values.empty() || !fill_alike(packing.appends) ||
           !keeps_to_itself(loop, packing);
  });
  return found;
}

class PackedText {
 public:
  PackedText(const KernelContext& context, const Loop& loop, int width)
      : context_(context), loop_(loop), width_(width), body_(context.ast), names_(context) {
    counter_ = loop.variable->getNameAsString();
    strip_ = fresh_name(context, counter_ + "_strip");
    end_ = fresh_name(context, counter_ + "_end");
  }

  void add(const Packing& packing) {
    const std::string cursor = packing.cursor->getNameAsString(), count = fresh_name(context_, cursor + "_packed");
    starts_ += "int " + count + " = 0;\n";
    std::vector<std::string> arrays;
    for (const Appended& value : packing.appends.front().values) {
      const std::string type = plain_type(context_.ast, value.type);
      const std::string stem = (value.array.empty() ? cursor : value.array) + "_values";
      const std::string name = names_.make(stem);
      refused_ |= type.empty();
      starts_ += type + " " + name + "[" + std::to_string(width_ * static_cast<int>(packing.appends.size())) + "];\n";
      const std::string place =
          (value.array.empty() ? "" : value.array + " + ") + cursor + (value.behind_cursor ? " + 1" : "");
      ends_ += "__builtin_memcpy(" + place + ", " + name + ", " + count + " * sizeof *" + name + ");\n";
      arrays.push_back(name);
    }
    ends_ += cursor + " += " + count + ";\n";
    for (const Append& append : packing.appends) {
      std::string text;
      for (std::size_t at = 0; at < arrays.size(); ++at)
        text += arrays[at] + "[" + count + "] = " + text_of(context_.ast, append.values[at].value) + ";\n";
      text += append.condition ? count + " += (" + text_of(context_.ast, append.condition) + ") ? 1 : 0;"
                               : "++" + count + ";";
      body_.replace(append.statements.front(), text);
      for (std::size_t at = 1; at < append.statements.size(); ++at) body_.replace(append.statements[at], "");
    }
  }

  std::optional<std::string> text() const {
    std::string inside;
    for (const clang::Stmt* statement : statements_of(loop_.body)) inside += body_.text(statement) + "\n";
    if (refused_ || body_.spoiled()) return std::nullopt;
    const std::string whole = std::to_string(width_);
    return "for (" + loop_.type + " " + strip_ + " = " + loop_.lower_text + "; " + strip_ + " < " + loop_.upper_text +
           "; " + strip_ + " += " + whole + ") " +
           braces("const " + loop_.type + " " + end_ + " = " + strip_end(context_, loop_, strip_, width_) + ";\n" +
                  starts_ + header(loop_, strip_, end_) + braces(inside) + "\n" + ends_);
  }

 private:
  const KernelContext& context_;
  const Loop& loop_;
  const int width_;
  Substitution body_;
  std::string counter_, strip_, end_, starts_, ends_;
  NewNames names_;
  bool refused_ = false;
};

class Pack final : public LoopTransformation {
 public:
  std::string_view name() const override { return "pack"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{256, 64, 1024}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return !packings_of(context, loop).empty();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const auto packings = packings_of(context, loop);
    if (packings.empty()) return std::nullopt;
    PackedText text(context, loop, argument(arguments, 0, 256, 8, 4096));
    for (const Packing& packing : packings) text.add(packing);
    return text.text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_pack() {
  return std::make_unique<Pack>();
}

}  // namespace hone::frontend
