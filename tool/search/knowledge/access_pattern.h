// What a kernel's subscripts do along its loops, each access by itself and beside the others of its array. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tool/search/knowledge/index_form.h"
#include "tool/search/knowledge/shape.h"

namespace hone::search {

// Something that counts: a loop's variable, or "threadIdx.x".
struct Counter {
  std::string name;
  bool by_one = true;  // else it goes on by tiles, or doubles
};

struct Access {
  std::string array;
  IndexForm form;
  std::vector<Counter> counters;  // of the loops around it, outermost first
  bool stored = false;
  std::string member;  // of an element that is a structure

  bool depends_on(std::string_view name) const { return form.names.contains(name); }
};

// The counters that an access depends on.
std::set<std::string> counters_of(const Access& access);

// Whether it stays in a row while `along` counts, and another row begins with the next of `across`.
bool is_along_row(const Access& access, std::string_view along, std::string_view across);

// "dst[j * rows + i] = src[i * columns + j]"
bool turns(const Access& to, const Access& from);

// The sum of products of two elements, by the counters that choose each.
void add_product(Shape& shape, const std::set<std::string>& one, const std::set<std::string>& other);

// Window, pairs, strided, members and the like.
void add_accesses(Shape& shape, const std::vector<Access>& accesses, bool device);

}  // namespace hone::search
