#include "tool/proof/machine.h"

#include <llvm/Demangle/Demangle.h>

namespace hone::proof {
namespace {

// Calls within calls, rounds of one loop, and z3's time for a quick question: a proof has seconds.
constexpr unsigned most_calls = 64, most_open = 300, quick_milliseconds = 3000;

}  // namespace

std::string demangled(const std::string& name) {
  const std::string whole = llvm::demangle(name);
  return whole.substr(0, whole.find('('));
}

void Effort::step() {
  if (++steps_ % 64 == 0 && left() < 0) throw OutOfTime();
}

const llvm::BasicBlock* Machine::Code::meeting(const llvm::BasicBlock* block) const {
  const auto* node = meetings.getNode(block);
  const auto* next = node ? node->getIDom() : nullptr;
  return next ? next->getBlock() : nullptr;
}

Machine::Machine(Space& space, const llvm::Module& module, Effort& effort)
    : space_(space), logic_(space.logic()), module_(module), effort_(effort) {}

Machine::Code& Machine::code_of(const llvm::Function& function) {
  auto& code = codes_[&function];
  if (code) return *code;
  code = std::make_unique<Code>();
  code->function = &function;
  const auto add = [&](const llvm::Value& value) {
    code->registers.emplace(&value, static_cast<unsigned>(code->registers.size()));
  };
  for (const llvm::Argument& argument : function.args()) add(argument);
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (!instruction.getType()->isVoidTy()) add(instruction);
  code->meetings.recalculate(const_cast<llvm::Function&>(function));
  return *code;
}

std::optional<Value> Machine::call(const llvm::Function& function, const std::vector<Value>& arguments, State& state) {
  if (function.isDeclaration()) throw Unsupported("a call of " + demangled(function.getName().str()));
  if (function.isVarArg()) throw Unsupported("a variable number of arguments");
  if (++depth_ > most_calls) throw Unsupported("deep recursion");
  const Code& code = code_of(function);
  // Branches that are open belong to one call of the function.
  auto open = std::exchange(code.open, {});
  Way way{std::vector<Value>(code.registers.size()), state.memory, state.path, false, {}};
  for (std::size_t i = 0; i < arguments.size(); ++i) way.registers[i] = arguments[i];
  std::optional<Way> end = run(code, std::move(way), &function.getEntryBlock(), nullptr);
  code.open = std::move(open);
  --depth_;
  if (!end) return std::nullopt;
  state.memory = std::move(end->memory);
  state.path = std::move(end->path);
  return std::move(end->result);
}

bool Machine::possible(const Term& condition, bool when_unknown) {
  if (condition.known()) return condition.is(true);
  const Term simple = logic_.simplified(condition);
  if (simple.known()) return simple.is(true);
  const z3::expr alike = logic_.renamed(simple.formula());
  if (const auto found = logic_.found(alike)) return *found;
  z3::solver solver(logic_.context(), "QF_BV");
  z3::params parameters(logic_.context());
  parameters.set("timeout", quick_milliseconds);
  solver.set(parameters);
  solver.add(simple.formula());
  if (solver.check() == z3::unsat) {
    logic_.keep(alike, false);
    return false;
  }
  for (const Term& fact : assumed_) solver.add(logic_.formula(fact));
  for (const Term& fact : space_.facts()) solver.add(logic_.formula(fact));
  const z3::check_result result = solver.check();
  // A formula that can be true for some inputs is taken to be so for those that are alike: that costs time and no
  // truth.
  if (result == z3::sat) logic_.keep(alike, true);
  return result == z3::sat || (result == z3::unknown && when_unknown);
}

// Blocks are entered with the values that they choose by where one comes from, all at once.
void Machine::enter(const Code& code, Machine& machine, Way& way, const llvm::BasicBlock* from,
                    const llvm::BasicBlock* to) {
  std::vector<std::pair<unsigned, Value>> chosen;
  for (const llvm::PHINode& phi : to->phis())
    chosen.emplace_back(code.registers.at(&phi), machine.operand(code, way, phi.getIncomingValueForBlock(from)));
  for (auto& [index, value] : chosen) way.registers[index] = std::move(value);
}

// Runs up to where the way enters `stop`, or returns. nullopt: no inputs get there.
std::optional<Machine::Way> Machine::run(const Code& code, Way way, const llvm::BasicBlock* block,
                                         const llvm::BasicBlock* stop) {
  while (block != stop) {
    for (const llvm::Instruction& instruction : *block) {
      if (instruction.isTerminator()) break;
      effort_.step();
      if (!execute(code, way, instruction)) return std::nullopt;
    }
    const llvm::Instruction* end = block->getTerminator();
    if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(end)) {
      if (back->getReturnValue()) way.result = operand(code, way, back->getReturnValue());
      way.returned = true;
      if (stop) throw Unsupported("its control flow");
      return way;
    }
    if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(end)) {
      if (!execute_call(code, way, *invoke)) return std::nullopt;
      enter(code, *this, way, block, invoke->getNormalDest());
      block = invoke->getNormalDest();
      continue;
    }
    if (llvm::isa<llvm::UnreachableInst>(end)) {
      happen(way, logic_.truth(true), "it comes to a place that is never to be reached");
      return std::nullopt;
    }
    const llvm::BasicBlock* meeting = code.meeting(block);
    std::optional<Way> met;
    if (const auto* jump = llvm::dyn_cast<llvm::BranchInst>(end)) {
      const llvm::BasicBlock* next = jump->getSuccessor(0);
      if (jump->isConditional()) {
        const Value chosen = operand(code, way, jump->getCondition());
        if (!chosen.is_bits()) throw Unsupported("a branch on what nothing has written");
        const Term condition = logic_.simplified(chosen.bits);
        if (!condition.known()) {
          met = branch(code, way, *jump, condition, meeting);
          next = nullptr;
        } else if (condition.is(false)) {
          next = jump->getSuccessor(1);
        }
      }
      if (next) {
        enter(code, *this, way, block, next);
        block = next;
        continue;
      }
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      const Value chosen = operand(code, way, choice->getCondition());
      if (!chosen.is_bits()) throw Unsupported("a switch on what nothing has written");
      met = take_switch(code, way, *choice, choice->case_begin(), meeting);
    } else {
      throw Unsupported(std::string("the instruction ") + end->getOpcodeName());
    }
    if (!met) return std::nullopt;
    way = std::move(*met);
    if (way.returned) return way;
    block = meeting;
  }
  return way;
}

std::optional<Machine::Way> Machine::branch(const Code& code, const Way& way, const llvm::BranchInst& jump,
                                            const Term& condition, const llvm::BasicBlock* meeting) {
  const llvm::BasicBlock *block = jump.getParent(), *then = jump.getSuccessor(0), *otherwise = jump.getSuccessor(1);
  const auto go = [&](const Term& when, const llvm::BasicBlock* to, bool narrowed) -> std::optional<Way> {
    Way one = way;
    if (narrowed) one.path = logic_.both(way.path, when);
    enter(code, *this, one, block, to);
    return run(code, std::move(one), to, meeting);
  };
  // A loop that ends by what it reads: how often it can go round has to be found out.
  unsigned& open = code.open[block];
  if (open > 0) {
    code.loops.insert(block);
    if (open > most_open) throw Unsupported("a loop whose length depends on the data");
    if (!possible(logic_.both(way.path, condition))) return go(condition, otherwise, false);
    if (!possible(logic_.both(way.path, logic_.negate(condition)))) return go(condition, then, false);
  }
  ++open;
  std::optional<Way> one = go(condition, then, true);
  std::optional<Way> other = go(logic_.negate(condition), otherwise, true);
  --code.open[block];
  return merged(condition, std::move(one), std::move(other), way.path, code.loops.contains(block));
}

// A sum that goes on in one more round is often the same where that round is left out: bits that are counted until none
// is left. Then it needs no choice, and stays a sum.
Value Machine::merged_in_loop(const Term& condition, const Term& path, const Value& then, const Value& otherwise) {
  for (const bool there : {true, false}) {
    const Value &longer = there ? then : otherwise, &shorter = there ? otherwise : then;
    if (!longer.is_bits() || !shorter.is_bits()) break;
    const auto more = logic_.difference(longer.bits, shorter.bits);
    if (!more) continue;
    const Term left_out = logic_.both(path, there ? logic_.negate(condition) : condition);
    const Term matters = logic_.compare(Relation::ne, *more, logic_.number(more->width(), 0));
    if (!possible(logic_.both(left_out, matters))) return longer;
  }
  return choose(logic_, condition, then, otherwise);
}

std::optional<Machine::Way> Machine::merged(const Term& condition, std::optional<Way> then,
                                            std::optional<Way> otherwise, const Term& path, bool loop) {
  if (!then) return otherwise;
  if (!otherwise) return then;
  Way way{{}, Memory::chosen(condition, then->memory, otherwise->memory), path, then->returned, {}};
  if (then->returned != otherwise->returned) throw Unsupported("its control flow");
  way.result = choose(logic_, condition, then->result, otherwise->result);
  way.registers.reserve(then->registers.size());
  for (std::size_t i = 0; i < then->registers.size(); ++i) {
    const Value &a = then->registers[i], &b = otherwise->registers[i];
    if (!a.defined() || !b.defined())
      way.registers.emplace_back();
    else
      way.registers.push_back(loop && !a.same(b) ? merged_in_loop(condition, path, a, b)
                                                 : choose(logic_, condition, a, b));
  }
  // Where a part of the inputs ended on the way, the rest is what comes here.
  const Term both = logic_.either(then->path, otherwise->path);
  const Term all = logic_.either(logic_.both(path, condition), logic_.both(path, logic_.negate(condition)));
  if (!both.same(all)) way.path = logic_.simplified(both);
  return way;
}

// Case by case, as a chain of branches.
std::optional<Machine::Way> Machine::take_switch(const Code& code, const Way& way, const llvm::SwitchInst& instruction,
                                                 llvm::SwitchInst::ConstCaseIt from, const llvm::BasicBlock* meeting) {
  const Term chosen = operand(code, way, instruction.getCondition()).bits;
  const auto go = [&](const Term& path, const llvm::BasicBlock* to) {
    Way one = way;
    one.path = path;
    enter(code, *this, one, instruction.getParent(), to);
    return run(code, std::move(one), to, meeting);
  };
  for (; from != instruction.case_end(); ++from) {
    const Term here = logic_.simplified(logic_.compare(Relation::eq, chosen, Term(from->getCaseValue()->getValue())));
    if (here.is(true)) return go(way.path, from->getCaseSuccessor());
    if (here.known()) continue;
    std::optional<Way> then = go(logic_.both(way.path, here), from->getCaseSuccessor());
    Way rest = way;
    rest.path = logic_.both(way.path, logic_.negate(here));
    return merged(here, std::move(then), take_switch(code, rest, instruction, std::next(from), meeting), way.path);
  }
  return go(way.path, instruction.getDefaultDest());
}

void Machine::happen(const Way& way, const Term& condition, std::string what, bool overflow) {
  const Term when = logic_.both(way.path, condition);
  if (!when.is(false)) events.push_back({when, std::move(what), overflow});
}

bool Machine::execute(const Code& code, Way& way, const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return execute_call(code, way, *call);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    this->store(way, operand(code, way, store->getPointerOperand()), operand(code, way, store->getValueOperand()),
                store->getValueOperand()->getType());
    return true;
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) return true;
  const auto found = code.registers.find(&instruction);
  if (found == code.registers.end()) throw Unsupported(std::string("the instruction ") + instruction.getOpcodeName());
  way.registers[found->second] = compute(code, way, instruction);
  return true;
}

bool Machine::execute_call(const Code& code, Way& way, const llvm::CallBase& call) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call) ||
      call.getIntrinsicID() == llvm::Intrinsic::experimental_noalias_scope_decl)
    return true;
  if (call.isInlineAsm()) throw Unsupported("inline assembly");
  const Value target = operand(code, way, call.getCalledOperand());
  if (!target.is_pointer() || target.places->size() != 1 || !functions_.contains(target.places->front().object))
    throw Unsupported("a call through a pointer");
  const llvm::Function& function = *functions_.at(target.places->front().object);
  std::vector<Value> arguments;
  for (const auto& argument : call.args())
    arguments.push_back(argument->getType()->isMetadataTy() ? Value() : operand(code, way, argument));
  std::optional<Value> result;
  if (function.isIntrinsic()) {
    result = intrinsic(way, call, arguments);
  } else if (function.isDeclaration() || call.doesNotReturn()) {
    if (call.doesNotReturn() || function.doesNotReturn()) {
      happen(way, logic_.truth(true), "it ends in " + demangled(function.getName().str()));
      return false;
    }
    result = library_call(way, function.getName().str(), arguments);
    if (!result) throw Unsupported("a call of " + demangled(function.getName().str()));
  } else {
    // Structures that are passed by value are copies.
    State state{way.memory, way.path};
    for (unsigned i = 0; i < arguments.size(); ++i)
      if (call.isByValArgument(i)) throw Unsupported("structures passed by value");
    result = this->call(function, arguments, state);
    if (!result) return false;
    way.memory = std::move(state.memory);
    way.path = std::move(state.path);
  }
  if (!call.getType()->isVoidTy()) way.registers[code.registers.at(&call)] = std::move(*result);
  return true;
}

}  // namespace hone::proof
