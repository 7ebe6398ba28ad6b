#include "tool/transforms/calls/algorithm.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tool/transforms/calls/callee.h"
#include "tool/transforms/calls/lambda_text.h"
#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/calls/sequence.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

// std::plus<> and its kin.
std::optional<Operation> of_library(const clang::Expr* object, const Types& arguments) {
  static const std::map<std::string, std::string> signs = {
      {"plus", "+"},        {"minus", "-"},          {"multiplies", "*"},   {"divides", "/"},
      {"modulus", "%"},     {"bit_and", "&"},        {"bit_or", "|"},       {"bit_xor", "^"},
      {"equal_to", "=="},   {"not_equal_to", "!="},  {"less", "<"},         {"greater", ">"},
      {"less_equal", "<="}, {"greater_equal", ">="}, {"logical_and", "&&"}, {"logical_or", "||"}};
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(object->getType()->getAsCXXRecordDecl());
  if (!made || !made->isInStdNamespace() || arguments.size() != 2) return std::nullopt;
  const auto sign = signs.find(made->getNameAsString());
  const clang::TemplateArgument& type = made->getTemplateArgs().get(0);
  if (sign == signs.end() || type.getKind() != clang::TemplateArgument::Type) return std::nullopt;
  for (const clang::QualType argument : arguments)
    if (!type.getAsType()->isVoidType() && !is_alike(type.getAsType(), argument)) return std::nullopt;
  return [sign = sign->second](const Texts& texts) { return fmt::format("({} {} {})", texts[0], sign, texts[1]); };
}

std::optional<Operation> operation_of(const KernelContext& context, const clang::Expr* object, const Types& arguments) {
  object = as_spelled(object);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(object)) return of_lambda(context, *lambda, arguments);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object))
    return [name = text_of(context.ast, name)](const Texts& texts) {
      return fmt::format("{}({})", name, fmt::join(texts, ", "));
    };
  return of_library(object, arguments);
}

Operation sign(std::string text) {
  return [text](const Texts& texts) { return fmt::format("{} {} {}", texts[0], text, texts[1]); };
}

// std::ranges::transform and its kin are objects.
bool is_of_ranges(const clang::CallExpr& call) {
  if (!llvm::isa<clang::CXXOperatorCallExpr>(call) || call.getNumArgs() == 0) return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(call.getArg(0)));
  const auto* object = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const auto* space =
      object ? llvm::dyn_cast<clang::NamespaceDecl>(object->getDeclContext()->getRedeclContext()) : nullptr;
  if (space && space->isInlineNamespace()) space = llvm::dyn_cast<clang::NamespaceDecl>(space->getParent());
  return space && space->getName() == "ranges" && space->getDeclContext()->getRedeclContext()->isStdNamespace();
}

class Writer {
 public:
  Writer(const KernelContext& context, const CallPlace& place, const StableValues& stable, FreshNames& fresh)
      : context_(context), place_(place), call_(*place.call), stable_(stable), fresh_(fresh) {}

  std::optional<InlinedCall> write(const std::string& name) {
    const bool extremes = name.ends_with("_element") || name == "max" || name == "min";
    if (!find_arguments() || arguments() < (extremes ? 2u : 3u) || !open()) return std::nullopt;
    index_ = fresh_.take("i", "");
    if (name == "accumulate" || name == "reduce") return sum();
    if (name == "inner_product" || name == "transform_reduce") return product();
    if (name == "transform") return transform();
    if (name == "for_each") return for_each();
    if (name == "fill") return fill();
    if (name == "count" || name == "count_if") return count(name == "count");
    if (name.ends_with("_of")) return any(name);
    return extreme(name.starts_with("max"), !name.ends_with("_element"));
  }

 private:
  // One range in place of two iterators counts as both.
  bool find_arguments() {
    arguments_ = arguments_of(&call_);
    while (!arguments_.empty() && llvm::isa<clang::CXXDefaultArgExpr>(arguments_.back()))  // projections
      arguments_ = arguments_.drop_back();
    range_ = !arguments_.empty() && element_of_container(context_.ast, arguments_[0]->getType());
    return !range_ || is_of_ranges(call_);
  }
  unsigned arguments() const { return static_cast<unsigned>(arguments_.size()) + range_; }
  const clang::Expr* argument(unsigned number) const { return arguments_[number - (range_ && number > 0)]; }
  bool has(unsigned number) const { return arguments() == number; }

  // The whole of a container that has a name.
  bool open_range() {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(argument(0)));
    if (!name || !stable_.names(name)) return false;
    Sequence last;
    last.base = name->getDecl();
    last.element = *element_of_container(context_.ast, name->getType());
    last.container = true;
    first_ = last;
    last.at_end = true;
    count_ = count_between(context_.ast, *first_, last);
    return count_ && first_->element->isArithmeticType();
  }

  bool open() {
    if (range_) return open_range();
    first_ = sequence_at(context_, stable_, argument(0));
    const auto last = sequence_at(context_, stable_, argument(1));
    if (!first_ || !last || !first_->element->isArithmeticType()) return false;
    count_ = count_between(context_.ast, *first_, *last);
    return count_ && !count_->type.empty();
  }

  std::string here() const { return first_->at(context_.ast, index_); }

  std::string loop(const std::string& body) const {
    return fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {3}\n", count_->type, index_, count_->text, body);
  }

  // The call's value grows in a local of that name.
  std::optional<InlinedCall> with_local(const std::string& name, const std::string& start, const std::string& body) {
    clang::QualType type = call_.getType().getUnqualifiedType();
    if (range_) type = type.getCanonicalType();  // range_difference_t<…>
    const std::string declared = spelled(context_.ast, type, name);
    if (declared.empty()) return std::nullopt;
    return InlinedCall{declared + " = " + start + ";\n" + loop(body), name};
  }

  std::optional<InlinedCall> sum() {
    if (!call_.getType()->isArithmeticType() || arguments() > 4) return std::nullopt;
    std::optional<Operation> add = sign("+");
    if (has(4)) add = operation_of(context_, argument(3), {call_.getType(), first_->element});
    if (!add) return std::nullopt;
    const std::string sum = fresh_.take("sum", "");
    return with_local(sum, text_of(context_.ast, argument(2)), sum + " = " + (*add)({sum, here()}) + ";");
  }

  // Of two sequences; of one, where a function stands in the place of the second.
  std::optional<InlinedCall> product() {
    if (!call_.getType()->isArithmeticType()) return std::nullopt;
    const std::string sum = fresh_.take("sum", "");
    if (const auto second = sequence_at(context_, stable_, argument(2)); second && (has(4) || has(6))) {
      if (!second->element->isArithmeticType()) return std::nullopt;
      std::optional<Operation> add = sign("+"), multiply = sign("*");
      if (has(6)) {
        multiply = operation_of(context_, argument(5), {first_->element, second->element});
        add = added(4);
      }
      if (!add || !multiply) return std::nullopt;
      return with_local(sum, text_of(context_.ast, argument(3)),
                        sum + " = " + (*add)({sum, (*multiply)({here(), second->at(context_.ast, index_)})}) + ";");
    }
    if (!has(5)) return std::nullopt;
    const auto change = operation_of(context_, argument(4), {first_->element});
    const auto add = added(3);
    if (!add || !change) return std::nullopt;
    return with_local(sum, text_of(context_.ast, argument(2)), sum + " = " + (*add)({sum, (*change)({here()})}) + ";");
  }

  // What is added has a type that only the compiler knows, so a lambda would have to take any.
  std::optional<Operation> added(unsigned number) const {
    if (llvm::isa<clang::LambdaExpr>(as_spelled(argument(number)))) return std::nullopt;
    return operation_of(context_, argument(number), {call_.getType(), call_.getType()});
  }

  std::optional<InlinedCall> transform() const {
    if (!place_.alone || !(has(4) || has(5))) return std::nullopt;
    if (range_ && has(5)) return std::nullopt;  // a projection, or another range
    const auto second = has(5) ? sequence_at(context_, stable_, argument(2)) : std::nullopt;
    const auto out = sequence_at(context_, stable_, argument(has(5) ? 3 : 2));
    if (!out || (has(5) && !second)) return std::nullopt;
    Types types{first_->element};
    Texts texts{here()};
    if (second) {
      types.push_back(second->element);
      texts.push_back(second->at(context_.ast, index_));
    }
    const auto change = operation_of(context_, argument(has(5) ? 4 : 3), types);
    if (!change) return std::nullopt;
    return InlinedCall{loop(out->at(context_.ast, index_) + " = " + (*change)(texts) + ";"), ""};
  }

  std::optional<InlinedCall> for_each() const {
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(as_spelled(argument(2)));
    if (!place_.alone || !has(3) || !lambda || !is_transparent(*lambda) || !takes(*lambda, {first_->element}))
      return std::nullopt;
    const clang::Stmt* body = lambda->getBody();
    const auto range = range_of(context_.ast, body);
    const clang::ParmVarDecl* parameter = lambda->getCallOperator()->getParamDecl(0);
    if (!range || !all_of<clang::ReturnStmt>(body).empty() || !all_of<clang::LambdaExpr>(body).empty() ||
        !all_of<clang::GotoStmt>(body).empty() || hides_names(body) || is_read_by_walk(parameter))
      return std::nullopt;
    for (const auto* call : all_of<clang::CallExpr>(body))
      if (!call->getDirectCallee() || !is_pure(call->getDirectCallee())) return std::nullopt;
    if (changes_walk(body)) return std::nullopt;
    Substitution text(context_.ast);
    std::string value;
    if (parameter->getType()->isReferenceType()) {
      replace_parameter(text, body, parameter, here());
    } else {
      const std::string declared =
          spelled(context_.ast, first_->element.getUnqualifiedType(), parameter->getNameAsString());
      value = declared + " = " + here() + ";\n";
    }
    const std::string written = text.text(*range);
    return InlinedCall{loop(value.empty() ? written : "{\n" + value + written + "\n}"), ""};
  }

  // A local of the body with such a name.
  bool hides_names(const clang::Stmt* body) const {
    for (const auto* statement : all_of<clang::DeclStmt>(body))
      for (const clang::Decl* declared : statement->decls())
        if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(declared))
          for (const clang::ValueDecl* read : read_by_walk())
            if (named->getNameAsString() == read->getNameAsString()) return true;
    return false;
  }

  // What says where the elements are.
  std::set<const clang::ValueDecl*> read_by_walk() const {
    std::set<const clang::ValueDecl*> read{first_->base};
    for (const unsigned number : {0u, 1u})
      for (const auto* name : all_of<clang::DeclRefExpr>(argument(number))) read.insert(name->getDecl());
    return read;
  }

  // Its name would hide that.
  bool is_read_by_walk(const clang::ParmVarDecl* parameter) const {
    return std::ranges::any_of(read_by_walk(), [&](const clang::ValueDecl* read) {
      return read->getNameAsString() == parameter->getNameAsString();
    });
  }

  // Whether it writes what says where the elements are.
  bool changes_walk(const clang::Stmt* body) const {
    const std::set<const clang::ValueDecl*> read = read_by_walk();
    const auto writes = [&](const clang::Expr* lvalue) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(lvalue->IgnoreParenImpCasts());
      return name && read.contains(name->getDecl());
    };
    return std::ranges::any_of(all_of<clang::BinaryOperator>(body),
                               [&](const auto* one) { return one->isAssignmentOp() && writes(one->getLHS()); }) ||
           std::ranges::any_of(all_of<clang::UnaryOperator>(body), [&](const auto* one) {
             return (one->isIncrementDecrementOp() || one->getOpcode() == clang::UO_AddrOf) &&
                    writes(one->getSubExpr());
           });
  }

  std::optional<InlinedCall> fill() const {
    const clang::Expr* value = as_spelled(argument(2));
    // An element of what is filled would change.
    if (!place_.alone || !has(3) || !value->getType()->isArithmeticType() || !stable_.holds(value)) return std::nullopt;
    return InlinedCall{loop(here() + " = " + text_of(context_.ast, value) + ";"), ""};
  }

  std::optional<InlinedCall> count(bool equal) {
    if (!has(3)) return std::nullopt;
    std::optional<Operation> asked;
    if (!equal)
      asked = operation_of(context_, argument(2), {first_->element});
    else if (const clang::Expr* value = as_spelled(argument(2)); stable_.holds(value))
      asked = [text = text_of(context_.ast, value)](const Texts& texts) { return texts[0] + " == (" + text + ")"; };
    if (!asked) return std::nullopt;
    const std::string number = fresh_.take("number", "");
    return with_local(number, "0", "if (" + (*asked)({here()}) + ") ++" + number + ";");
  }

  std::optional<InlinedCall> any(const std::string& name) {
    const auto asked = has(3) ? operation_of(context_, argument(2), {first_->element}) : std::nullopt;
    if (!asked) return std::nullopt;
    const bool all = name == "all_of", start = name != "any_of";
    const std::string found = fresh_.take("found", "");
    const std::string question = (*asked)({here()});
    return with_local(
        found, start ? "true" : "false",
        fmt::format("if ({}) {{ {} = {}; break; }}", all ? "!" + question : question, found, start ? "false" : "true"));
  }

  // Its place, or what stands there.
  std::optional<InlinedCall> extreme(bool largest, bool value) {
    std::optional<Operation> less = sign("<");
    if (has(3)) less = operation_of(context_, argument(2), {first_->element, first_->element});
    if (!less || arguments() > 3 || (value && !range_)) return std::nullopt;
    const std::string best = fresh_.take("best", "");
    const std::string known = first_->at(context_.ast, best);
    const std::string question = largest ? (*less)({known, here()}) : (*less)({here(), known});
    return InlinedCall{
        fmt::format("{} {} = 0;\n", count_->type, best) + loop("if (" + question + ") " + best + " = " + index_ + ";"),
        value ? known : first_->iterator(context_.ast, best)};
  }

  const KernelContext& context_;
  const CallPlace& place_;
  const clang::CallExpr& call_;
  const StableValues& stable_;
  FreshNames& fresh_;
  llvm::ArrayRef<const clang::Expr*> arguments_;
  bool range_ = false;
  std::optional<Sequence> first_;
  std::optional<Count> count_;
  std::string index_;
};

}  // namespace

std::string algorithm_of(const clang::CallExpr& call) {
  static const std::set<std::string> known = {"accumulate", "reduce",  "inner_product", "transform_reduce", "transform",
                                              "for_each",   "fill",    "count",         "count_if",         "any_of",
                                              "all_of",     "none_of", "min_element",   "max_element"};
  const clang::FunctionDecl* called = call.getDirectCallee();
  if (!called) return "";
  std::string name;
  if (is_of_ranges(call))
    name = llvm::cast<clang::DeclRefExpr>(as_spelled(call.getArg(0)))->getDecl()->getNameAsString();
  else if (called->isInStdNamespace() && llvm::isa<clang::NamespaceDecl>(called->getDeclContext()) &&
           called->getIdentifier())
    name = called->getNameAsString();
  const bool of_range = is_of_ranges(call) && (name == "max" || name == "min");
  return known.contains(name) || of_range ? name : "";
}

std::optional<InlinedCall> written_out(const KernelContext& context, const CallPlace& place, const StableValues& stable,
                                       FreshNames& fresh) {
  const std::string name = algorithm_of(*place.call);
  return name.empty() || !place.before ? std::nullopt : Writer(context, place, stable, fresh).write(name);
}

}  // namespace hone::frontend
