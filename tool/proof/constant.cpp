// Constants, global variables and operands.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "tool/proof/machine.h"

namespace hone::proof {

Value Machine::operand(const Code& code, const Way& way, const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return this->constant(*constant);
  const auto found = code.registers.find(value);
  if (found == code.registers.end()) throw Unsupported("an operand of another kind");
  return way.registers[found->second];
}

unsigned Machine::global(const llvm::GlobalValue& global) {
  const auto [found, added] = globals_.try_emplace(&global, 0);
  if (!added) return found->second;
  Object object{.name = demangled(global.getName().str()), .writable = false};
  object.initial = std::make_shared<const Content>();
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&global)) {
    globals_[&global] = space_.add(std::move(object));
    functions_[globals_[&global]] = function;
    return globals_[&global];
  }
  if (!variable || !variable->hasInitializer()) throw Unsupported("the variable " + object.name);
  const llvm::DataLayout& layout = module_.getDataLayout();
  object.bytes = layout.getTypeAllocSize(variable->getValueType());
  object.alignment = variable->getAlign().valueOrOne().value();
  const unsigned index = space_.add(object);
  globals_[&global] = index;
  // Written as a store would: into an object of the same size.
  object.writable = true;
  object.initial = std::make_shared<const Content>(object.bytes);
  const unsigned scratch = space_.add(object);
  Way way{{}, Memory(space_), logic_.truth(true), false, {}};
  store(way, Value::pointer({{logic_.truth(true), scratch, 0, {}, 0}}), constant(*variable->getInitializer()),
        variable->getValueType());
  space_.begin_with(index, std::make_shared<const Content>(way.memory.content(scratch)), !variable->isConstant());
  return index;
}

Value Machine::constant(const llvm::Constant& constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant); number && !number->getType()->isVectorTy())
    return Value::of(Term(number->getValue()));
  if (const auto found = constants_.find(&constant); found != constants_.end()) return found->second;
  Value value;
  const auto place = [&](unsigned object) { return Value::pointer({{logic_.truth(true), object, 0, {}, 0}}); };
  llvm::Type* const type = constant.getType();
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant); number && !type->isVectorTy()) {
    value = Value::of(Term(number->getValueAPF().bitcastToAPInt()));
  } else if (llvm::isa<llvm::UndefValue>(constant)) {
    if (type->isVectorTy() || type->isAggregateType()) {
      std::vector<Value> items;
      for (unsigned i = 0; const llvm::Constant* item = constant.getAggregateElement(i); ++i)
        items.push_back(this->constant(*item));
      value = Value::list(std::move(items));
    }
  } else if (llvm::isa<llvm::ConstantPointerNull>(constant)) {
    value = place(0);
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
    value = place(this->global(*global));
  } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = constant.stripAndAccumulateConstantOffsets(module_.getDataLayout(), offset, true);
    const bool keeps = expression->isCast() && expression->getOperand(0) != base;
    if (base == &constant || keeps) throw Unsupported("an expression of addresses");
    value = ahead(this->constant(*llvm::cast<llvm::Constant>(base)), offset.getSExtValue());
  } else if (type->isVectorTy() || type->isAggregateType()) {
    std::vector<Value> items;
    for (unsigned i = 0; const llvm::Constant* item = constant.getAggregateElement(i); ++i)
      items.push_back(this->constant(*item));
    value = Value::list(std::move(items));
  } else {
    throw Unsupported("a constant of another kind");
  }
  return constants_[&constant] = value;
}

}  // namespace hone::proof
