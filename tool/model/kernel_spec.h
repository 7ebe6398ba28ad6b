// One annotated function, as everything but the frontend sees it: what to call, on what data, how to compare,
// what to write it into, and the key under which its variants are kept. Plain values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/element_type.h"

namespace hone {

enum class Role { in, out, inout };
enum class Distribution { uniform, normal, index, sorted, permutation, constant, zeros, file };

// Clause expressions are compiled into every unit's harness and are known here by number: hone_evaluate() of the
// loaded object gives their values for given scalars (runner/abi.h).
using ExpressionId = unsigned;

struct Init {
  Distribution distribution = Distribution::uniform;
  std::vector<ExpressionId>
      arguments;     // uniform: low, high; normal: mean, deviation; index: low, high (exclusive); constant: value
  std::string path;  // of file("x.npy"), absolute
};

// |got - expected| <= atol + rtol * scale(expected). Absent members take the element type's default.
struct Tolerance {
  std::optional<double> rtol;
  std::optional<double> atol;
  std::optional<double> ulp;
  bool exact = false;
};

struct Dimension {
  std::optional<ExpressionId> start;  // absent: 0
  ExpressionId length = 0;
  std::optional<ExpressionId> stride;  // in elements, from one to the next; absent: what the dimensions behind it take
};

// How one member of a struct's elements is drawn.
struct MemberInit {
  std::string member;  // as in ElementType::fields
  Init init;
};

// One of the things that the judge draws or compares. Those of the function's own parameters come first, one for each;
// behind them what else its arguments are made of (members, sizes) and the variables that it reads or writes.
struct Parameter {
  std::string name;  // as clauses have it: x, g->cells, x.size()
  std::string type;  // canonical spelling, for messages
  bool pointer = false;
  bool stream = false;            // the CUDA stream that the kernel works on: neither drawn nor compared
  bool composed = false;          // the harness makes it of others: neither drawn nor compared
  ElementType element;            // what it points to; for a scalar, the scalar itself
  Role role = Role::in;           // pointers only
  std::vector<Dimension> extent;  // pointers only; outermost first; elements [start, start+length) of the product
  std::optional<Init> init;       // absent: the default of the element type
  std::vector<MemberInit> member_inits;
  bool null = false;           // a pointer that may be null
  bool null_declared = false;  // its clause says so
  Tolerance tolerance;
  std::vector<long long> enumerators;  // a scalar of enum type is drawn from these
  int alias_group = -1;                // parameters of one group may overlap; -1: none may
  bool fixed = false;                  // a scalar that is judged with its problems' values alone
};

struct Problem {
  std::vector<unsigned> assigned;  // indices of the scalar parameters that hone_problem() sets
  double weight = 1;
};

// The kernel's translation unit, reduced to what the kernel reaches, cut where a variant goes in:
//   prologue | includes of the variant | opening | definition | closing | harness
// `opening` is "" at global scope, else it starts at the outermost namespace around the kernel. The text carries
// #line directives, so that diagnostics and __LINE__ are those of the original file.
struct KernelUnit {
  std::string prologue;
  std::string opening;
  std::string definition;        // the original's text, from `template<…>`/attributes to the closing brace
  std::string without_branches;  // where it differs, the definition without the branches of #if that are not taken
  std::string closing;
  std::string harness;  // extern "C" hone_call, hone_problem, hone_evaluate
  unsigned definition_line = 0;

  // What candidates are made from.
  const std::string& active() const { return without_branches.empty() ? definition : without_branches; }
};

// A piece of another source of the project, with definitions that the kernel or its workload uses.
struct CalledUnit {
  std::string file;                    // absolute
  std::string directory;               // that its compiler runs in
  std::vector<std::string> arguments;  // the source's compile command
  std::string text;                    // the source, reduced to what is used
  std::string whole;                   // the same as it is, but for main(): for where that does not compile by itself
};

// By which a variant of a __global__ kernel may bring launches of its own (docs/decisions/0007): a host function that
// it defines beside the kernel, which takes the kernel's arguments and the stream and is called in place of the launch.
struct OwnLaunch {
  std::string name;        // "hone_launch_scale"; "" of any other function
  std::string signature;   // "static void hone_launch_scale(float *x, int n, cudaStream_t stream)"
  std::string definition;  // one that launches the kernel as annotated
  std::string replaced;    // the annotated launch: "grid((n + 255) / 256), block(256)"
  std::string why_not;     // a sentence where the kernel keeps its launch; "" where a variant may bring one
};

// Which kernel it is: what people and the linker call it, where it is, and under what its variants are kept.
struct KernelIdentity {
  std::string name;            // name() clause, else the qualified name
  std::string qualified_name;  // app::blur3x3
  std::string mangled_name;
  std::string signature;  // "void app::blur3x3(const float *, float *, int, int)"
  std::string file;       // absolute
  unsigned line = 0;      // of the pragma
  std::string language;   // "c++17"
  std::string target;     // resolved, e.g. "x86_64 avx2 fma …"; part of the key
  std::string key;        // request key, 64 hex digits
};

// What it is called with and what comes of it: all that the judge knows of a kernel beside its objects.
struct KernelData {
  std::vector<Parameter> parameters;
  std::optional<ElementType> result;  // a non-void return value is one more output
  Tolerance result_tolerance;
  std::vector<Problem> problems;
  unsigned expression_count = 0;
  std::vector<ExpressionId> conditions;  // not zero for scalars that the kernel may be called with
  unsigned threads = 1;
  std::vector<double> constants;  // numbers in the text of the function and of what it reaches: data are drawn at them
  bool asks_for_nan = false;      // the text of either tests whether a value is a number: that answer is meant
  bool cuda = false;              // its arrays lie in a CUDA device's memory, where its work is done
  bool built = false;  // its arguments are not its first parameters as they are: the harness builds some of them
};

// One part of what is hashed for the request key, and where it stands today.
struct KeyField {
  std::string name;  // "definition", "reaches app::clamp", "target"
  std::string value;
  std::string file;  // absolute; "": it stands in no file, as flags
  unsigned line = 0;
  bool operator==(const KeyField&) const = default;
};

// All of it. A function takes the part that it needs; what leaves the machine is a part too (tool/bundle/bundle.h).
struct KernelSpec : KernelIdentity, KernelData {
  KernelUnit unit;
  std::vector<CalledUnit> called;  // compiled beside the unit
  OwnLaunch own_launch;
  // Of integers that extents multiply in 64 bits, the least degree of such a product (describe/wide_products.h).
  std::map<std::string, unsigned> wide_factors;
  bool global = false;   // a __global__ kernel, launched by the harness: a candidate is device code, if it likes
  std::string key_dump;  // what was hashed for the key, for a person
  std::vector<KeyField> key_fields;  // the same in parts, in order
  std::string captures;              // the folder with what was captured of it, absolute; "": none is looked for
  // A sentence where no problem is known to judge it on, neither the annotation's nor a captured one; else "".
  std::string lacks_problem;
};

}  // namespace hone
