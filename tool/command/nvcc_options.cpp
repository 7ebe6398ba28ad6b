#include "tool/command/nvcc_options.h"

#include <algorithm>
#include <iterator>

namespace hone {
namespace {

using enum NvccMeaning;

constexpr NvccOption options[] = {
    // what is made
    {"--compile", "-c", false, compile},
    {"--device-c", "-dc", false, relocatable},
    {"--device-w", "-dw", false, compile},
    {"--cuda", "-cuda", false, other_product},
    {"--cubin", "-cubin", false, other_product},
    {"--fatbin", "-fatbin", false, other_product},
    {"--ptx", "-ptx", false, other_product},
    {"--optix-ir", "-optix-ir", false, other_product},
    {"--ltoir", "-ltoir", false, other_product},
    {"--preprocess", "-E", false, other_product},
    {"--generate-dependencies", "-M", false, other_product},
    {"--generate-nonsystem-dependencies", "-MM", false, other_product},
    {"--device-link", "-dlink", false, other_product},
    {"--link", "-link", false, other_product},
    {"--lib", "-lib", false, other_product},
    {"--run", "-run", false, other_product},
    {"--relocatable-link", "-r", false, other_product},
    {"--dryrun", "-dryrun", false, other_product},
    {"--clean-targets", "-clean", false, other_product},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", false, other_product},
    {"--list-gpu-code", "-code-ls", false, other_product},
    {"--list-gpu-arch", "-arch-ls", false, other_product},
    {"--help", "-h", false, other_product},
    {"--version", "-V", false, other_product},
    {"--output-file", "-o", true, output},
    {"--output-directory", "-odir", true, output_folder},
    {"--x", "-x", true, language},
    {"--generate-dependencies-with-compile", "-MD", false, depfile_too},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", false, depfile_too},
    {"--dependency-output", "-MF", true, depfile},
    {"--generate-dependency-targets", "-MP", false, phony},
    {"--dependency-target-name", "-MT", true, nothing},
    {"--options-file", "-optf", true, options_file},
    // what is read
    {"--define-macro", "-D", true, macro},
    {"--undefine-macro", "-U", true, macro},
    {"--include-path", "-I", true, folder},
    {"--system-include", "-isystem", true, system_folder},
    {"--pre-include", "-include", true, header},
    // what decides the code
    {"--compiler-bindir", "-ccbin", true, host_compiler},
    {"--compiler-options", "-Xcompiler", true, host_options},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", false, code},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", false, code},
    {"--forward-unknown-opts", "-forward-unknown-opts", false, code},
    {"--libdevice-directory", "-ldir", true, code},
    {"--target-directory", "-target-dir", true, code},
    {"--dont-use-profile", "-noprof", false, code},
    {"--optimize", "-O", true, optimization},
    {"--Ofast-compile", "-Ofc", true, code},
    {"--dlink-time-opt", "-dlto", false, code},
    {"--lto", "-lto", false, code},
    {"--gen-opt-lto", "-gen-opt-lto", false, code},
    {"--ftemplate-depth", "-ftemplate-depth", true, code},
    {"--no-exceptions", "-noeh", false, code},
    {"--std", "-std", true, standard},
    {"--no-host-device-initializer-list", "-nohdinitlist", false, code},
    {"--no-host-device-move-forward", "-nohdmoveforward", false, code},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", false, mode},
    {"--extended-lambda", "-extended-lambda", false, mode},
    {"--expt-extended-lambda", "-expt-extended-lambda", false, mode},
    {"--machine", "-m", true, code},
    {"--m64", "-m64", false, code},
    {"--ptxas-options", "-Xptxas", true, code},
    {"--nvlink-options", "-Xnvlink", true, code},
    {"--static-global-template-stub", "-static-global-template-stub", true, code},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", true, code},
    {"--cudafe-options", "-Xcudafe", true, code},
    {"-Xcicc", "-Xcicc", true, code},
    {"--fatbin-options", "-Xfatbin", true, code},
    {"--nvvm-options", "-Xnvvm", true, code},
    {"--opencc-options", "-Xopencc", true, code},
    {"--gpu-architecture", "-arch", true, architecture},
    {"--gpu-code", "-code", true, gpu_code},
    {"--generate-code", "-gencode", true, generated_code},
    {"--relocatable-device-code", "-rdc", true, device_code},
    {"--maxrregcount", "-maxrregcount", true, code},
    {"--use_fast_math", "-use_fast_math", false, device_code},
    {"--ftz", "-ftz", true, device_code},
    {"--prec-div", "-prec-div", true, device_code},
    {"--prec-sqrt", "-prec-sqrt", true, device_code},
    {"--fmad", "-fmad", true, device_code},
    {"--extra-device-vectorization", "-extra-device-vectorization", false, code},
    {"--default-stream", "-default-stream", true, device_code},
    {"--restrict", "-restrict", false, code},
    {"--extensible-whole-program", "-ewp", false, code},
    {"--jump-table-density", "-jtd", true, code},
    {"--device-stack-protector", "-device-stack-protector", true, code},
    {"--cudart", "-cudart", true, code},
    {"--cudadevrt", "-cudadevrt", true, code},
    {"--no-align-double", "", false, code},
    {"--qpp-config", "-qpp-config", true, code},
    // the rest
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", false, nothing},
    {"--objdir-as-tempdir", "-objtemp", false, nothing},
    {"--library", "-l", true, nothing},
    {"--library-path", "-L", true, nothing},
    {"--archiver-binary", "-arbin", true, nothing},
    {"--use-local-env", "-use-local-env", false, nothing},
    {"--force-cl-env-setup", "-force-cl-env-setup", false, nothing},
    {"--profile", "-pg", false, nothing},
    {"--debug", "-g", false, nothing},
    {"--device-debug", "-G", false, nothing},
    {"--generate-line-info", "-lineinfo", false, nothing},
    {"--optimization-info", "-opt-info", true, nothing},
    {"--dopt", "-dopt", true, nothing},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", true, nothing},
    {"--shared", "-shared", false, nothing},
    {"--linker-options", "-Xlinker", true, nothing},
    {"--archive-options", "-Xarchive", true, nothing},
    {"--verbose", "-v", false, nothing},
    {"--threads", "-t", true, nothing},
    {"--split-compile", "-split-compile", true, nothing},
    {"--split-compile-extended", "-split-compile-extended", true, nothing},
    {"--fdevice-time-trace", "-fdevice-time-trace", true, nothing},
    {"--keep", "-keep", false, nothing},
    {"--keep-dir", "-keep-dir", true, nothing},
    {"--save-temps", "-save-temps", false, nothing},
    {"--time", "-time", true, nothing},
    {"--run-args", "-run-args", true, nothing},
    {"--no-device-link", "-nodlink", false, nothing},
    {"--entries", "-e", true, nothing},
    {"--disable-warnings", "-w", false, nothing},
    {"--keep-device-functions", "-keep-device-functions", false, nothing},
    {"--source-in-ptx", "-src-in-ptx", false, nothing},
    {"--Wreorder", "-Wreorder", false, nothing},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", false, nothing},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", false, nothing},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", false, nothing},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", false, nothing},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", false, nothing},
    {"--Werror", "-Werror", true, nothing},
    {"--resource-usage", "-res-usage", false, nothing},
    {"--no-compress", "-no-compress", false, nothing},
    {"--compress-mode", "-compress-mode", true, nothing},
    {"--compile-as-tools-patch", "-astoolspatch", false, nothing},
    {"--display-error-number", "-err-no", false, nothing},
    {"--no-display-error-number", "-no-err-no", false, nothing},
    {"--diag-error", "-diag-error", true, nothing},
    {"--diag-suppress", "-diag-suppress", true, nothing},
    {"--diag-warn", "-diag-warn", true, nothing},
    {"--host-linker-script", "-hls", true, nothing},
    {"--augment-host-linker-script", "-aug-hls", false, nothing},
    {"--brief-diagnostics", "-brief-diag", true, nothing},
    {"--relocatable-ptx", "-reloc-ptx", false, nothing},
    {"--frandom-seed", "-frandom-seed", true, nothing},
    {"--sanitize", "-sanitize", true, nothing},
    {"--jobserver", "-jobserver", false, nothing},
    {"--input-drive-prefix", "-idp", true, nothing},
    {"--dependency-drive-prefix", "-ddp", true, nothing},
    {"--drive-prefix", "-dp", true, nothing},
    {"--compress-all", "-compress-all", false, nothing},
    {"--minimal", "-minimal", false, nothing},
};

// One-letter names whose value may follow at once. Others (-t, -m, -e) begin options of the host compiler's too.
constexpr std::string_view joined_letters = "oDUILlxO";

const NvccOption* named(std::string_view name) {
  const auto found = std::find_if(std::begin(options), std::end(options), [&](const NvccOption& option) {
    return name == option.name || (!option.alias.empty() && name == option.alias);
  });
  return found == std::end(options) ? nullptr : found;
}

}  // namespace

NvccWord read_nvcc_word(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return {};
  if (const NvccOption* option = named(word)) return {option, {}, option->takes_value};
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
    const NvccOption* option = named(word.substr(0, equals));
    if (option && option->takes_value) return {option, word.substr(equals + 1), false};
  }
  if (joined_letters.find(word[1]) != std::string_view::npos) return {named(word.substr(0, 2)), word.substr(2), false};
  return {};
}

bool is_nvcc(std::string_view program) {
  const std::string_view name = program.substr(program.find_last_of('/') + 1);
  return name == "nvcc" || name.starts_with("nvcc-") || name == "nvcc.exe";
}

std::vector<std::string> nvcc_list(std::string_view value) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
    if (c == '\\' && at + 1 < value.size()) parts.back() += value[++at];
  }
  std::erase(parts, "");
  return parts;
}

std::string nvcc_host_word(std::string_view text) {
  if (text.empty() || text.find_first_of("\"\\$`\n") != std::string_view::npos) return {};
  return '"' + std::string(text) + '"';
}

}  // namespace hone
