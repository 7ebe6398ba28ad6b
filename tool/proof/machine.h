// Runs functions of an LLVM module on values that may be formulas: one run stands for all inputs of one size.
//
// Calls and loops are followed; where a branch depends on the inputs, both ways are taken up to where they meet, and
// what they leave is merged. What the language leaves undefined (overflow, a place outside of an array) is not taken
// for anything: it is kept as an event, with the condition under which it happens. Throws Unsupported for what it does
// not know (floating-point arithmetic, calls of functions that the module lacks, data-dependent loops without end) and
// OutOfTime. One thread.
#pragma once

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "tool/proof/object_memory.h"

namespace hone::proof {

struct OutOfTime : std::runtime_error {
  OutOfTime() : std::runtime_error("it took too long") {}
};

// How long all of it may take, in seconds of this process' own: a busy machine proves as much as an idle one. Who
// started it ends it where that takes too long.
class Effort {
 public:
  explicit Effort(double seconds) : end_(now() + seconds) {}
  double left() const { return end_ - now(); }
  void step();

 private:
  static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  double end_;
  unsigned steps_ = 0;
};

// undefined: what no compiler has to make sense of. overflow: of signed numbers, which processors wrap.
struct Event {
  Term when;
  std::string what;
  bool overflow = false;
};

struct State {
  Memory memory;
  Term path;  // the condition under which it comes here
};

class Machine {
 public:
  Machine(Space& space, const llvm::Module& module, Effort& effort);

  // Runs a function. nullopt: it never returns.
  std::optional<Value> call(const llvm::Function& function, const std::vector<Value>& arguments, State& state);

  // Says what is true of the inputs.
  void assume(std::vector<Term> facts) { assumed_ = std::move(facts); }
  // Whether there are inputs for which it is true, as far as can be told quickly.
  bool possible(const Term& condition, bool when_unknown = true);

  std::vector<Event> events;

 private:
  struct Way;  // from a branch to where both meet
  struct Code;
  struct Loaded;

  Code& code_of(const llvm::Function& function);
  std::optional<Way> run(const Code& code, Way way, const llvm::BasicBlock* block, const llvm::BasicBlock* stop);
  std::optional<Way> branch(const Code& code, const Way& way, const llvm::BranchInst& jump, const Term& condition,
                            const llvm::BasicBlock* meeting);
  std::optional<Way> merged(const Term& condition, std::optional<Way> then, std::optional<Way> otherwise,
                            const Term& path, bool loop = false);
  Value merged_in_loop(const Term& condition, const Term& path, const Value& then, const Value& otherwise);
  std::optional<Way> take_switch(const Code& code, const Way& way, const llvm::SwitchInst& instruction,
                                 llvm::SwitchInst::ConstCaseIt from, const llvm::BasicBlock* meeting);
  static void enter(const Code& code, Machine& machine, Way& way, const llvm::BasicBlock* from,
                    const llvm::BasicBlock* to);
  bool execute(const Code& code, Way& way, const llvm::Instruction& instruction);  // false: the path ends
  bool execute_call(const Code& code, Way& way, const llvm::CallBase& call);

  // constant.cpp
  Value constant(const llvm::Constant& constant);
  unsigned global(const llvm::GlobalValue& global);
  Value operand(const Code& code, const Way& way, const llvm::Value* value);

  // arithmetic.cpp
  Value compute(const Code& code, Way& way, const llvm::Instruction& instruction);
  Value binary(Way& way, const llvm::BinaryOperator& instruction, const Value& a, const Value& b);
  Value floating(const llvm::Instruction& instruction, const std::vector<Value>& operands);
  Value compare(const llvm::CmpInst& instruction, const Value& a, const Value& b);
  Value compare_floating(const llvm::CmpInst& instruction, const Value& a, const Value& b);
  Value convert(const llvm::CastInst& instruction, const Value& value);
  Value reinterpreted(const Value& value, llvm::Type* from, llvm::Type* to);
  Term bits(const Value& value);  // a pointer's address, too
  template <class Function, class... Values>
  Value each(const Value& first, Function&& function, const Values&... more);

  // intrinsic.cpp
  std::optional<Value> intrinsic(Way& way, const llvm::CallBase& call, const std::vector<Value>& arguments);
  std::optional<Value> intrinsic_of_x86(const std::string& name, const std::vector<Value>& arguments);
  std::optional<Value> library_call(Way& way, const std::string& name, const std::vector<Value>& arguments);
  void copy(Way& way, const Value& to, const Value& from, const Value& bytes);
  void fill(Way& way, const Value& to, const Value& byte, const Value& bytes);
  Value allocated(std::size_t bytes, std::string name, std::uint64_t alignment, bool zero);

  // access.cpp
  Value load(Way& way, const Value& pointer, llvm::Type* type);
  void store(Way& way, const Value& pointer, const Value& value, llvm::Type* type);
  Value load_bytes(Way& way, const Value& pointer, std::size_t bytes);
  void store_bytes(Way& way, const Value& pointer, const Value& value, std::size_t bytes);
  Value moved_pointer(const Code& code, Way& way, const llvm::Instruction& instruction);
  Value ahead(const Value& pointer, std::int64_t bytes);
  std::vector<std::int64_t> possible_places(const Place& place, std::size_t bytes) const;
  bool check_bounds(Way& way, const Place& place, std::size_t bytes, bool writes);

  void happen(const Way& way, const Term& condition, std::string what, bool overflow = false);
  Term fits(const Place& place, std::size_t bytes);

  Space& space_;
  Logic& logic_;
  const llvm::Module& module_;
  Effort& effort_;
  std::vector<Term> assumed_;
  std::unordered_map<const llvm::Function*, std::unique_ptr<Code>> codes_;
  std::unordered_map<const llvm::GlobalValue*, unsigned> globals_;
  std::unordered_map<unsigned, const llvm::Function*> functions_;  // by object
  std::unordered_map<const llvm::Constant*, Value> constants_;
  std::vector<Loaded> loaded_;
  unsigned depth_ = 0;
};

// A function, as it is run.
struct Machine::Code {
  const llvm::Function* function = nullptr;
  std::unordered_map<const llvm::Value*, unsigned> registers;
  llvm::PostDominatorTree meetings;
  mutable std::map<const llvm::BasicBlock*, unsigned> open;  // branches on the way, by block
  mutable std::set<const llvm::BasicBlock*> loops;           // ends of loops that depend on the inputs

  const llvm::BasicBlock* meeting(const llvm::BasicBlock* block) const;
};

struct Machine::Way {
  std::vector<Value> registers;
  Memory memory;
  Term path;
  bool returned = false;
  Value result;
};

// A read at a place that depended on the inputs. Where a write goes to the same place, what was read is known for each
// place that it may be: that keeps counters in tables simple.
struct Machine::Loaded {
  Term value, moving;
  unsigned object = 0;
  std::int64_t fixed = 0;
  std::vector<std::pair<std::int64_t, Term>> at;
};

template <class Function, class... Values>
Value Machine::each(const Value& first, Function&& function, const Values&... more) {
  if (!first.is_list()) return function(first, more...);
  std::vector<Value> items;
  for (std::size_t i = 0; i < first.items->size(); ++i)
    items.push_back(function((*first.items)[i], (more.is_list() ? (*more.items)[i] : Value())...));
  return Value::list(std::move(items));
}

std::string demangled(const std::string& name);

}  // namespace hone::proof
