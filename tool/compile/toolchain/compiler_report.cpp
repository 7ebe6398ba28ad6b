#include "tool/compile/toolchain/compiler_report.h"

#include <filesystem>

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

// "": there is no cuobjdump beside nvcc.
Result<std::string> machine_code(os::ProcessRunner& runner, const CompileSetup& setup, const std::string& folder,
                                 std::stop_token stop) {
  const fs::path tools = fs::path(setup.toolchain.program).parent_path();
  os::Process process = compile_process(setup, (tools / "cuobjdump").string(), folder, stop);
  process.output_bytes = 64 << 20;
  process.arguments.insert(process.arguments.end(), {"-sass", "unit.fatbin"});
  process.environment->at("PATH") += ":" + tools.string();  // it looks for nvdisasm
  std::error_code error;
  if (!fs::exists(process.arguments.front(), error)) return std::string();
  HONE_TRY(os::Exit exit, runner.run(process));
  return exit.ok() ? std::move(exit.out) : std::string();
}

}  // namespace

Result<Explanation> explain_device_code(os::ProcessRunner& runner, const CompileSetup& setup, const std::string& folder,
                                        std::string report, std::stop_token stop) {
  HONE_TRY(std::string code, machine_code(runner, setup, folder, stop));
  std::vector<DeviceFunction> functions = read_ptxas_report(report);
  return Explanation{std::move(report), std::move(code), std::move(functions)};
}

}  // namespace hone::compile
