// hone-prove: whether two versions of a kernel can differ, by z3, on all inputs of small sizes.
//
//   hone-prove SPEC ORIGINAL CANDIDATE SECONDS
//
// SPEC: the kernel's description as JSON (bundle/spec_json.h). ORIGINAL, CANDIDATE: its units as LLVM's bitcode, as
// Clang makes it before anything is optimized. Prints one line of JSON (proof_answer.h). Exit: 0 an answer, 2 usage or
// environment.
//
// A program of its own: it reads what was generated, so it lives in the sandbox, and may take long, so it is ended from
// outside; and z3 is needed by nothing else.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tool/bundle/spec_json.h"
#include "tool/proof/campaign.h"

namespace {

using Json = nlohmann::json;
constexpr int unusable = 2;

// Variables into registers, so that ways meet in fewer places; nothing that would use what is undefined.
void prepare(llvm::Module& module) {
  // What SROA asks for, by name: PassBuilder would bring all of LLVM's passes into this program.
  llvm::FunctionAnalysisManager functions;
  functions.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  functions.registerPass([] { return llvm::TargetIRAnalysis(); });
  functions.registerPass([] { return llvm::AssumptionAnalysis(); });
  functions.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

std::unique_ptr<llvm::Module> read_module(const char* path, llvm::LLVMContext& context) {
  llvm::SMDiagnostic complaint;
  auto module = llvm::parseIRFile(path, complaint, context);
  if (module) prepare(*module);
  return module;
}

std::string hexadecimal(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

Json written(const hone::proof::Report& report) {
  Json json{{"proved", report.proved}, {"why", report.why}, {"wraps", report.wraps}, {"sizes", report.sizes}};
  if (!report.example) return json;
  Json scalars = Json::array(), arrays = Json::array();
  for (const std::string& bytes : report.example->scalars) scalars.push_back(hexadecimal(bytes));
  for (const std::string& bytes : report.example->arrays) arrays.push_back(hexadecimal(bytes));
  json["example"] = {{"what", report.example->what}, {"scalars", scalars}, {"arrays", arrays}};
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::cerr << "usage: hone-prove SPEC ORIGINAL CANDIDATE SECONDS\n", unusable;
  try {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const hone::KernelData spec = hone::bundle::read_data(Json::parse(text));
    llvm::LLVMContext context;
    const auto original = read_module(argv[2], context), candidate = read_module(argv[3], context);
    if (!original || !candidate) return std::cerr << "hone-prove: this LLVM does not read the bitcode\n", unusable;
    std::cout << written(hone::proof::prove(spec, {*original, *candidate}, std::strtod(argv[4], nullptr))).dump()
              << '\n';
    return 0;
  } catch (const std::exception& exception) {
    return std::cerr << "hone-prove: " << exception.what() << '\n', unusable;
  }
}
