#include "tool/frontend/infer/inference.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "tool/frontend/describe/loop_bounds.h"
#include "tool/frontend/infer/array_accesses.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The largest of some ends, as C++; of two that may each be the larger, what is when the function is called. "": none,
// or too many to say.
std::string extent_of(const ArrayUse& access, const Bounds& bounds) {
  std::vector<Polynomial> largest;
  for (const Polynomial& end : access.ends) {
    if (std::ranges::any_of(largest, [&](const Polynomial& other) { return bounds.is_larger(other, end); })) continue;
    std::erase_if(largest, [&](const Polynomial& other) { return bounds.is_larger(end, other); });
    largest.push_back(end);
  }
  if (largest.empty() || largest.size() > 2) return "";
  const std::string first = bounds.text(bounds.plain(largest.front())),
                    last = bounds.text(bounds.plain(largest.back()));
  if (first.empty() || last.empty() || largest.size() == 1) return last;
  return "(" + first + " > " + last + " ? " + first + " : " + last + ")";
}

// The parameter that by its name says how long another one is: x_len, num_x, or n right behind x. null: none.
const ParmVarDecl* length_by_name(const FunctionDecl& function, const ParmVarDecl& array) {
  const std::string name = array.getNameAsString();
  constexpr std::array<std::string_view, 10> kUsual = {"n",   "len", "length", "size", "count",
                                                       "num", "sz",  "nbytes", "N",    "bytes"};
  for (const ParmVarDecl* other : function.parameters()) {
    if (!other->getType()->isIntegerType()) continue;
    const std::string own = other->getNameAsString();
    const bool next = other->getFunctionScopeIndex() == array.getFunctionScopeIndex() + 1;
    if (next && std::ranges::count(kUsual, own) > 0) return other;
    for (const std::string& part :
         {std::string("len"), std::string("length"), std::string("size"), std::string("count")})
      if (own == name + part || own == name + "_" + part) return other;
    if (own == "n_" + name || own == "num_" + name) return other;
  }
  return nullptr;
}

// How large a guessed problem's scalar is: what names usually mean, else a few million steps for so deep a nest.
std::string guessed_size(const std::string& name, unsigned depth) {
  constexpr std::array<std::pair<std::string_view, int>, 12> kUsual{{{"w", 640},
                                                                     {"width", 640},
                                                                     {"cols", 640},
                                                                     {"columns", 640},
                                                                     {"stride", 640},
                                                                     {"pitch", 640},
                                                                     {"h", 480},
                                                                     {"height", 480},
                                                                     {"rows", 480},
                                                                     {"channels", 3},
                                                                     {"radius", 3},
                                                                     {"taps", 16}}};
  for (const auto& [usual, size] : kUsual)
    if (name == usual) return std::to_string(size);
  constexpr std::array<int, 5> kByDepth{1 << 16, 1 << 16, 512, 128, 32};
  return std::to_string(kByDepth[std::min<std::size_t>(depth, kByDepth.size() - 1)]);
}

std::string instantiate_clause(const FunctionDecl& function) {
  const FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate();
  if (!pattern) return "";
  for (const FunctionDecl* instance : pattern->specializations()) {
    const TemplateArgumentList* arguments = instance->getTemplateSpecializationArgs();
    if (!arguments || arguments->size() != pattern->getTemplateParameters()->size()) continue;
    std::string list;
    for (unsigned i = 0; i < arguments->size(); ++i)
      list += (i ? ", " : "") + pattern->getTemplateParameters()->getParam(i)->getNameAsString() + "=" +
              spelled(arguments->get(i), function.getASTContext());
    return " instantiate(" + list + ")";
  }
  return "";
}

}  // namespace

Inferred infer(const FunctionDecl& function) {
  Inferred inferred;
  const ArrayAccesses accesses = array_accesses(function);

  std::map<std::string, std::string> sections;  // by role
  std::string extents;
  for (const ParmVarDecl* parameter : function.parameters()) {
    if (!parameter->getType()->isPointerType()) continue;
    const std::string name = parameter->getNameAsString();
    const ArrayUse* access = accesses.find(*parameter);
    std::string extent = access && access->open.empty() ? extent_of(*access, accesses.bounds) : "";
    if (extent.empty()) {
      const std::string why = !access                 ? "the function does not use it"
                              : !access->open.empty() ? access->open
                              : access->ends.empty()  ? "nothing says how long it is"
                                                      : "its length is no sum of products";
      const ParmVarDecl* named = access ? length_by_name(function, *parameter) : nullptr;
      extent = named ? named->getNameAsString() : "?";
      (named ? inferred.guesses : inferred.open)
          .push_back("'" + name + "': " + why + (named ? "; '" + extent + "' is its length by its name" : ""));
    }
    const bool constant = parameter->getType()->getPointeeType().isConstQualified();
    const bool written = access && access->written && !constant;
    const char* role = !written ? "in" : access->read || access->partly ? "inout" : "out";
    sections[role] += (sections[role].empty() ? "" : ", ") + name + "[0:" + extent + "]";
    extents += ' ' + extent + ' ';
  }

  inferred.pragma = "#pragma hone kernel";
  for (const char* role : {"in", "out", "inout"})
    if (!sections[role].empty()) inferred.pragma += std::string(" ") + role + "(" + sections[role] + ")";
  inferred.pragma += instantiate_clause(function);

  const std::set<const ParmVarDecl*> bounds = loop_bounds(function);
  std::string problem;
  for (const ParmVarDecl* parameter : function.parameters()) {
    const std::string name = parameter->getNameAsString();
    const auto is_part = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
    bool needed = bounds.contains(parameter);
    for (std::size_t at = extents.find(name); !name.empty() && at != std::string::npos && !needed;
         at = extents.find(name, at + 1))
      needed = !is_part(extents[at - 1]) && !is_part(extents[at + name.size()]);
    if (!needed || !parameter->getType()->isIntegerType()) continue;
    problem += (problem.empty() ? "" : ", ") + name + "=" + guessed_size(name, accesses.deepest);
  }
  inferred.guessed_sizes = !problem.empty();
  if (!problem.empty()) inferred.pragma += " problem(" + problem + ")";
  return inferred;
}

}  // namespace hone::frontend
