#include "tool/frontend/gate/assembly_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/TargetInfo.h>

#include <algorithm>
#include <cctype>

#include "tool/frontend/gate/ptx_policy.h"

namespace hone::frontend {
namespace {

using namespace clang;

// "=r", "+f", "n", "0": in a register or an integer that stands in the text. "C" would put more text there.
std::string object_to_constraint(StringRef constraint) {
  const std::string quoted = "the constraint \"" + constraint.str() + "\" of assembly is not allowed: ";
  constraint = constraint.ltrim("=+&");
  const bool known = constraint.size() == 1 && StringRef("bhrlqfdn").contains(constraint.front());
  const bool same =
      !constraint.empty() && std::ranges::all_of(constraint, [](unsigned char c) { return std::isdigit(c); });
  if (known || same) return "";
  return quoted + (constraint == "C" ? "write the text into the statement"
                                     : "operands stand in registers (h, r, l, f, d) or are integers (n)");
}

std::string object_to_constraints(const GCCAsmStmt& assembly) {
  std::string why;
  for (unsigned i = 0; i < assembly.getNumOutputs() && why.empty(); ++i)
    why = object_to_constraint(assembly.getOutputConstraint(i));
  for (unsigned i = 0; i < assembly.getNumInputs() && why.empty(); ++i)
    why = object_to_constraint(assembly.getInputConstraint(i));
  for (unsigned i = 0; i < assembly.getNumClobbers() && why.empty(); ++i)
    if (const StringRef clobber = assembly.getClobber(i); clobber != "memory")
      why = "assembly may clobber \"memory\", not \"" + clobber.str() + "\"";
  return why;
}

}  // namespace

std::optional<AssemblyObjection> object_to_device_assembly(const AsmStmt& statement, const ASTContext& context) {
  const auto* assembly = llvm::dyn_cast<GCCAsmStmt>(&statement);
  if (!assembly) return AssemblyObjection{"write assembly as asm(\"…\")", statement.getAsmLoc()};
  if (assembly->isAsmGoto())
    return AssemblyObjection{"'asm goto' is not allowed: assembly goes on behind itself", statement.getAsmLoc()};
  if (std::string why = object_to_constraints(*assembly); !why.empty())
    return AssemblyObjection{std::move(why), statement.getAsmLoc()};
  const StringLiteral& literal = *assembly->getAsmString();
  const std::size_t operands = assembly->getNumOutputs() + assembly->getNumInputs();
  auto objection = object_to_ptx_text(literal.getString(), operands);
  if (!objection) return std::nullopt;
  const bool within = objection->at < literal.getByteLength();
  return AssemblyObjection{
      std::move(objection->why),
      within ? literal.getLocationOfByte(static_cast<unsigned>(objection->at), context.getSourceManager(),
                                         context.getLangOpts(), context.getTargetInfo())
             : statement.getAsmLoc()};
}

bool takes_text(const AsmStmt& assembly) {
  for (unsigned i = 0; i < assembly.getNumInputs(); ++i)
    if (assembly.getInputConstraint(i).contains('C')) return true;
  return false;
}

}  // namespace hone::frontend
