#include "tool/proof/equivalence.h"

#include "tool/proof/inputs.h"
#include "tool/proof/questions.h"

namespace hone::proof {
namespace {

constexpr double overflow_question = 0.2;  // seconds

const llvm::Function& harness_function(const llvm::Module& module, const char* name) {
  const llvm::Function* function = module.getFunction(name);
  if (!function) throw Unsupported("a unit without its harness");
  return *function;
}

struct Run {
  State state;
  std::vector<Event> events;
  bool returned = false;
  std::string beyond;  // what it came to that is not known; "": nothing
};

Run call(Space& space, const Inputs& inputs, const llvm::Module& module, Effort& effort, std::vector<Term> facts) {
  Machine machine(space, module, effort);
  machine.assume(std::move(facts));
  Run run{{Memory(space), space.logic().truth(true)}, {}, false, {}};
  try {
    run.returned =
        machine.call(harness_function(module, "hone_call"), {inputs.slots(), inputs.result()}, run.state).has_value();
  } catch (const Unsupported& unsupported) {
    run.beyond = unsupported.what();
  }
  run.events = std::move(machine.events);
  return run;
}

struct Difference {
  Term when;
  std::string what;
};

class Comparison {
 public:
  Comparison(Logic& logic, const KernelData& spec, const Modules& modules, const Given& given, Effort& effort,
             bool ask_overflow)
      : spec_(spec),
        modules_(modules),
        effort_(effort),
        ask_overflow_(ask_overflow),
        logic_(logic),
        space_(logic_),
        inputs_(space_, spec, given) {}

  Outcome run() {
    inputs_.add_arrays(modules_.original, effort_);
    std::vector<Term> facts = inputs_.facts();
    const Run original = call(space_, inputs_, modules_.original, effort_, facts);
    if (!original.beyond.empty()) throw Unsupported(original.beyond);
    if (!original.returned) return {.kind = Outcome::Kind::undefined};
    for (const Event& event : original.events) facts.push_back(logic_.simplified(logic_.negate(event.when)));
    facts.push_back(original.state.path);
    for (const Term& fact : facts)
      if (fact.is(false)) return {.kind = Outcome::Kind::undefined};
    const Run candidate = call(space_, inputs_, modules_.candidate, effort_, facts);
    for (const Event& event : candidate.events)
      if (!event.overflow) differences_.push_back({event.when, event.what});
    // A read outside of the candidate's arrays leads to the strangest places; what it did before that is known.
    if (!candidate.beyond.empty())
      beyond_ = candidate.beyond;
    else if (candidate.returned)
      compare_outputs(original.state.memory, candidate.state.memory);
    else
      differences_.push_back({logic_.truth(true), "it does not return"});
    facts.insert(facts.end(), space_.facts().begin(), space_.facts().end());
    return decide(std::move(facts), candidate.events);
  }

 private:
  void compare_bytes(const Memory& original, const Memory& candidate, unsigned object, std::size_t at,
                     std::size_t bytes, const std::string& what) {
    const Value expected = original.read(object, at, bytes), got = candidate.read(object, at, bytes);
    if (expected.same(got) && expected.defined()) return;
    if (!expected.is_bits()) throw Unsupported("an output that nothing has written");
    const Term other = got.is_bits() ? got.bits : logic_.fresh(expected.bits.width(), "undefined");
    differences_.push_back({logic_.compare(Relation::ne, expected.bits, other), what + " differs"});
  }

  void compare_fields(const Memory& original, const Memory& candidate, unsigned object, std::size_t at,
                      const ElementType& element, const std::string& what) {
    for (const Field& field : element.fields)
      for (std::size_t k = 0; k < field.count; ++k)
        compare_bytes(original, candidate, object, at + field.offset + k * field.type.size, field.type.size, what);
  }

  void compare_outputs(const Memory& original, const Memory& candidate) {
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      const Parameter& parameter = spec_.parameters[i];
      if (!parameter.pointer || parameter.role == Role::in) continue;
      for (const std::size_t element : inputs_.compared(i))
        compare_fields(original, candidate, inputs_.array(i), element * parameter.element.size, parameter.element,
                       parameter.name + "[" + std::to_string(element) + "]");
    }
    if (spec_.result) compare_fields(original, candidate, inputs_.result_object(), 0, *spec_.result, "the result");
  }

  std::string bytes_of(Questions& questions, unsigned object, std::size_t count) {
    std::string bytes;
    const Memory before(space_);
    for (std::size_t i = 0; i < count; ++i)
      bytes += static_cast<char>(questions.example(before.read(object, i, 1).bits).getZExtValue());
    return bytes;
  }

  Example example(Questions& questions, const std::string& what) {
    Example example{.what = what};
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      const bool array = spec_.parameters[i].pointer;
      const unsigned object = array ? inputs_.array(i) : inputs_.scalar(i);
      example.scalars.push_back(array ? "" : bytes_of(questions, object, space_[object].bytes));
      example.arrays.push_back(array ? bytes_of(questions, object, space_[object].bytes) : "");
    }
    return example;
  }

  Outcome decide(std::vector<Term> facts, const std::vector<Event>& events) {
    Questions questions(logic_, effort_, std::move(facts));
    Outcome outcome{.kind = Outcome::Kind::equal};
    for (const Difference& difference : differences_) {
      const Possible answer = questions.ask(difference.when);
      if (answer == Possible::yes)
        return {.kind = Outcome::Kind::differs, .example = example(questions, difference.what)};
      if (answer == Possible::unknown)
        outcome = {.kind = Outcome::Kind::unknown, .why = "formulas that z3 did not decide in time"};
    }
    if (!beyond_.empty()) throw Unsupported(beyond_);
    if (outcome.kind != Outcome::Kind::equal || !ask_overflow_) return outcome;
    Term overflow = logic_.truth(false);
    for (const Event& event : events)
      if (event.overflow) overflow = logic_.either(overflow, event.when);
    outcome.wraps = questions.ask(overflow, overflow_question) != Possible::no;
    return outcome;
  }

  const KernelData& spec_;
  const Modules& modules_;
  Effort& effort_;
  const bool ask_overflow_;
  Logic& logic_;
  Space space_;
  Inputs inputs_;
  std::vector<Difference> differences_;
  std::string beyond_;  // what the candidate came to that is not known
};

}  // namespace

Outcome compare(Logic& logic, const KernelData& spec, const Modules& modules, const Given& given, Effort& effort,
                bool ask_overflow) {
  try {
    return Comparison(logic, spec, modules, given, effort, ask_overflow).run();
  } catch (const NoSuchSize&) {
    return {.kind = Outcome::Kind::undefined};
  } catch (const Unsupported& beyond) {
    return {.kind = Outcome::Kind::unknown, .why = beyond.what()};
  } catch (const z3::exception& exception) {
    return {.kind = Outcome::Kind::unknown, .why = std::string("formulas that z3 refuses: ") + exception.msg()};
  }
}

bool sizes_known(const KernelData& spec, const llvm::Module& original, const Given& given, Effort& effort) {
  try {
    Logic logic;
    Space space(logic);
    Inputs(space, spec, given).add_arrays(original, effort);
    return true;
  } catch (const NoSuchSize&) {
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

Given declared(const KernelData& spec, const llvm::Module& original, unsigned problem, Effort& effort) {
  Logic logic;
  Space space(logic);
  Inputs inputs(space, spec, {});
  Machine machine(space, original, effort);
  State state{Memory(space), logic.truth(true)};
  Given given;
  machine.call(harness_function(original, "hone_problem"), {Value::of(logic.number(32, problem)), inputs.slots()},
               state);
  for (const unsigned index : spec.problems[problem].assigned) {
    const ScalarType& type = spec.parameters[index].element.fields.front().type;
    const Value value = state.memory.read(inputs.scalar(index), 0, type.size);
    if (type.kind != ScalarKind::floating && value.is_bits() && value.bits.known())
      given[index] = type.kind == ScalarKind::signed_integer
                         ? value.bits.number().getSExtValue()
                         : static_cast<long long>(value.bits.number().getZExtValue());
  }
  return given;
}

}  // namespace hone::proof
