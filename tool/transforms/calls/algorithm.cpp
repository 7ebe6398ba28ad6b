#include "tool/transforms/calls/algorithm.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

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

class Writer {
 public:
  Writer(const KernelContext& context, const CallPlace& place, const StableValues& stable, FreshNames& fresh)
      : context_(context), place_(place), call_(*place.call), stable_(stable), fresh_(fresh) {}

  std::optional<InlinedCall> write(const std::string& name) {
    const bool extremes = name.ends_with("_element");
    if (call_.getNumArgs() < (extremes ? 2u : 3u) || !open()) return std::nullopt;
    index_ = fresh_.take("i", "");
    if (name == "accumulate" || name == "reduce") return sum();
    if (name == "inner_product" || name == "transform_reduce") return product();
    if (name == "transform") return transform();
    if (name == "for_each") return for_each();
    if (name == "fill") return fill();
    if (name == "count" || name == "count_if") return count(name == "count");
    if (name.ends_with("_of")) return any(name);
    return extreme(name == "max_element");
  }

 private:
  bool has(unsigned arguments) const { return call_.getNumArgs() == arguments; }

  bool open() {
    first_ = sequence_at(context_, stable_, call_.getArg(0));
    const auto last = sequence_at(context_, stable_, call_.getArg(1));
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
    const std::string declared = spelled(context_.ast, call_.getType().getUnqualifiedType(), name);
    if (declared.empty()) return std::nullopt;
    return InlinedCall{declared + " = " + start + ";\n" + loop(body), name};
  }

  std::optional<InlinedCall> sum() {
    if (!call_.getType()->isArithmeticType() || call_.getNumArgs() > 4) return std::nullopt;
    std::optional<Operation> add = sign("+");
    if (has(4)) add = operation_of(context_, call_.getArg(3), {call_.getType(), first_->element});
    if (!add) return std::nullopt;
    const std::string sum = fresh_.take("sum", "");
    return with_local(sum, text_of(context_.ast, call_.getArg(2)), sum + " = " + (*add)({sum, here()}) + ";");
  }

  // Of two sequences; of one, where a function stands in the place of the second.
  std::optional<InlinedCall> product() {
    if (!call_.getType()->isArithmeticType()) return std::nullopt;
    const std::string sum = fresh_.take("sum", "");
    if (const auto second = sequence_at(context_, stable_, call_.getArg(2)); second && (has(4) || has(6))) {
      if (!second->element->isArithmeticType()) return std::nullopt;
      std::optional<Operation> add = sign("+"), multiply = sign("*");
      if (has(6)) {
        multiply = operation_of(context_, call_.getArg(5), {first_->element, second->element});
        add = added(4);
      }
      if (!add || !multiply) return std::nullopt;
      return with_local(sum, text_of(context_.ast, call_.getArg(3)),
                        sum + " = " + (*add)({sum, (*multiply)({here(), second->at(context_.ast, index_)})}) + ";");
    }
    if (!has(5)) return std::nullopt;
    const auto change = operation_of(context_, call_.getArg(4), {first_->element});
    const auto add = added(3);
    if (!add || !change) return std::nullopt;
    return with_local(sum, text_of(context_.ast, call_.getArg(2)),
                      sum + " = " + (*add)({sum, (*change)({here()})}) + ";");
  }

  // What is added has a type that only the compiler knows, so a lambda would have to take any.
  std::optional<Operation> added(unsigned argument) const {
    if (llvm::isa<clang::LambdaExpr>(as_spelled(call_.getArg(argument)))) return std::nullopt;
    return operation_of(context_, call_.getArg(argument), {call_.getType(), call_.getType()});
  }

  std::optional<InlinedCall> transform() const {
    if (!place_.alone || !(has(4) || has(5))) return std::nullopt;
    const auto second = has(5) ? sequence_at(context_, stable_, call_.getArg(2)) : std::nullopt;
    const auto out = sequence_at(context_, stable_, call_.getArg(has(5) ? 3 : 2));
    if (!out || (has(5) && !second)) return std::nullopt;
    Types types{first_->element};
    Texts texts{here()};
    if (second) {
      types.push_back(second->element);
      texts.push_back(second->at(context_.ast, index_));
    }
    const auto change = operation_of(context_, call_.getArg(has(5) ? 4 : 3), types);
    if (!change) return std::nullopt;
    return InlinedCall{loop(out->at(context_.ast, index_) + " = " + (*change)(texts) + ";"), ""};
  }

  std::optional<InlinedCall> for_each() const {
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(as_spelled(call_.getArg(2)));
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
    for (const unsigned argument : {0u, 1u})
      for (const auto* name : all_of<clang::DeclRefExpr>(call_.getArg(argument))) read.insert(name->getDecl());
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
    const clang::Expr* value = as_spelled(call_.getArg(2));
    // An element of what is filled would change.
    if (!place_.alone || !has(3) || !value->getType()->isArithmeticType() || !stable_.holds(value)) return std::nullopt;
    return InlinedCall{loop(here() + " = " + text_of(context_.ast, value) + ";"), ""};
  }

  std::optional<InlinedCall> count(bool equal) {
    if (!has(3)) return std::nullopt;
    std::optional<Operation> asked;
    if (!equal)
      asked = operation_of(context_, call_.getArg(2), {first_->element});
    else if (const clang::Expr* value = as_spelled(call_.getArg(2)); stable_.holds(value))
      asked = [text = text_of(context_.ast, value)](const Texts& texts) { return texts[0] + " == (" + text + ")"; };
    if (!asked) return std::nullopt;
    const std::string number = fresh_.take("number", "");
    return with_local(number, "0", "if (" + (*asked)({here()}) + ") ++" + number + ";");
  }

  std::optional<InlinedCall> any(const std::string& name) {
    const auto asked = has(3) ? operation_of(context_, call_.getArg(2), {first_->element}) : std::nullopt;
    if (!asked) return std::nullopt;
    const bool all = name == "all_of", start = name != "any_of";
    const std::string found = fresh_.take("found", "");
    const std::string question = (*asked)({here()});
    return with_local(
        found, start ? "true" : "false",
        fmt::format("if ({}) {{ {} = {}; break; }}", all ? "!" + question : question, found, start ? "false" : "true"));
  }

  std::optional<InlinedCall> extreme(bool largest) {
    std::optional<Operation> less = sign("<");
    if (has(3)) less = operation_of(context_, call_.getArg(2), {first_->element, first_->element});
    if (!less || call_.getNumArgs() > 3) return std::nullopt;
    const std::string best = fresh_.take("best", "");
    const std::string known = first_->at(context_.ast, best);
    const std::string question = largest ? (*less)({known, here()}) : (*less)({here(), known});
    return InlinedCall{
        fmt::format("{} {} = 0;\n", count_->type, best) + loop("if (" + question + ") " + best + " = " + index_ + ";"),
        first_->iterator(context_.ast, best)};
  }

  const KernelContext& context_;
  const CallPlace& place_;
  const clang::CallExpr& call_;
  const StableValues& stable_;
  FreshNames& fresh_;
  std::optional<Sequence> first_;
  std::optional<Count> count_;
  std::string index_;
};

}  // namespace

bool is_algorithm(const clang::FunctionDecl* called) {
  static const std::set<std::string> known = {"accumulate", "reduce",  "inner_product", "transform_reduce", "transform",
                                              "for_each",   "fill",    "count",         "count_if",         "any_of",
                                              "all_of",     "none_of", "min_element",   "max_element"};
  return called && called->isInStdNamespace() && llvm::isa<clang::NamespaceDecl>(called->getDeclContext()) &&
         called->getIdentifier() && known.contains(called->getNameAsString());
}

std::optional<InlinedCall> written_out(const KernelContext& context, const CallPlace& place, const StableValues& stable,
                                       FreshNames& fresh) {
  if (!is_algorithm(place.call->getDirectCallee()) || !place.before) return std::nullopt;
  return Writer(context, place, stable, fresh).write(place.call->getDirectCallee()->getNameAsString());
}

}  // namespace hone::frontend
