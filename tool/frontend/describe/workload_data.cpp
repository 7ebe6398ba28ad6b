#include "tool/frontend/describe/workload_data.h"

#include <utility>

#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

// Numbers of the expressions.
enum : ExpressionId { kZero, kManySeeds, kGrain, kOne, kCounts, kFirstRoom };

const char* const kStreamNames[kResultStreams] = {"exact bytes",     "exact results",   "exact reals",
                                                  "close floats 1",  "close floats 2",  "close floats 3",
                                                  "close doubles 1", "close doubles 2", "close doubles 3"};

ElementType element(const char* spelling, ScalarKind kind, unsigned size) {
  return {spelling, size, size, {{"", {kind, size}, 0, 1}}};
}

ElementType element_of(unsigned stream) {
  if (stream == 0) return element("unsigned char", ScalarKind::unsigned_integer, 1);
  if (stream == 1) return element("long long", ScalarKind::signed_integer, 8);
  if (stream >= 3 && stream < 6) return element("float", ScalarKind::floating, 4);
  return element("double", ScalarKind::floating, 8);
}

Parameter array(std::string name, ElementType element, Role role, ExpressionId length) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.type = element.spelling + (role == Role::in ? " const *" : " *");
  parameter.pointer = true;
  parameter.element = std::move(element);
  parameter.role = role;
  parameter.extent.push_back({std::nullopt, length});
  return parameter;
}

}  // namespace

std::vector<annotations::Expression> workload_expressions(annotations::Location location) {
  std::vector<annotations::Expression> expressions;
  const auto add = [&](std::string text) { expressions.push_back({std::move(text), location}); };
  add("0");
  add("9007199254740992");
  add("hone_sizes.hone_grain");
  add("1");
  add(std::to_string(kResultCounts));
  for (unsigned i = 0; i < kResultStreams; ++i) add("hone_sizes.hone_rooms[" + std::to_string(i) + "]");
  return expressions;
}

void add_workload_data(KernelData& data) {
  const ElementType number = element("unsigned long long", ScalarKind::unsigned_integer, 8);
  data.parameters.push_back(array("seed", number, Role::in, kOne));
  data.parameters.back().init = Init{Distribution::index, {kZero, kManySeeds}, ""};
  data.parameters.push_back(array("call's sizes", number, Role::in, kGrain));
  data.parameters.back().init = Init{Distribution::zeros, {}, ""};
  for (unsigned i = 0; i < kResultStreams; ++i) {
    data.parameters.push_back(array(std::string("room of ") + kStreamNames[i], number, Role::in, kOne));
    data.parameters.back().init = Init{Distribution::constant, {kFirstRoom + i}, ""};
  }
  for (unsigned i = 0; i < kResultStreams; ++i) {
    data.parameters.push_back(array(kStreamNames[i], element_of(i), Role::out, kFirstRoom + i));
    data.parameters.back().tolerance.exact = i < 3;
  }
  data.parameters.push_back(array(kResultCountsName, number, Role::out, kCounts));
  data.parameters.back().tolerance.exact = true;
}

}  // namespace hone::frontend
