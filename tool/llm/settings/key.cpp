#include "tool/llm/settings/key.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/descriptor.h"

namespace hone::llm {

Result<std::string> read_variable(const std::string& name, const Environment& environment) {
  const auto found = environment.find(name);
  std::string key = found == environment.end() ? "" : found->second;
  key.erase(0, std::min(key.find_first_not_of(" \t\r\n"), key.size()));
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  if (!std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; })) {
    return coded_failure(DiagnosticCode::model_key, "the key holds characters that no key has", name,
                         "check what it was set to");
  }
  return key;
}

Result<std::string> read_key(const ModelSettings& model, const Environment& environment) {
  if (model.key_env.empty()) return std::string();
  HONE_TRY(std::string key, read_variable(model.key_env, environment));
  if (key.empty() && model.key_required) {
    return coded_failure(DiagnosticCode::model_key, "the key is not set", model.key_env,
                         "export it, or name another variable as key_env");
  }
  return key;
}

Environment without_keys(Environment environment, const Settings& settings) {
  environment.erase("HONE_API_KEY");
  for (const ModelSettings& model : settings.models) {
    environment.erase(model.key_env);
    for (const HeaderSetting& header : model.headers) environment.erase(header.variable);
  }
  return environment;
}

void keep_memory_out_of_core_dumps() {
  const os::Descriptor filter(::open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC));
  if (filter) (void)!::write(filter.get(), "0", 1);
}

}  // namespace hone::llm
