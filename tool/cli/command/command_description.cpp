#include "tool/cli/command/command_description.h"

#include <algorithm>

namespace hone::cli {
namespace {

// "UINT:INT in [1 - 64]": the type, and what validators say.
void add_type(const CLI::Option& option, manual::OptionText& out) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  out.value = type.substr(0, colon);
  if (colon != std::string::npos) out.limits = type.substr(colon + 1);
  if (out.value.empty()) out.value = "TEXT";
}

manual::OptionText text_of(const CLI::Option& option) {
  manual::OptionText out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) add_type(option, out);
  if (option.get_positional()) {
    out.value = option.get_name(true, false);
    out.names.clear();
  }
  out.text = option.get_description();
  out.standard = option.get_default_str();
  out.required = option.get_required();
  out.repeated = option.get_items_expected_max() > 1;
  out.kind = manual::kind_of(out.value);
  return out;
}

}  // namespace

manual::CommandText description_of(const CLI::App& app) {
  manual::CommandText out;
  out.name = app.get_name();
  out.text = app.get_description();
  out.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; }))
    (option->get_positional() ? out.arguments : out.options).push_back(text_of(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.commands.push_back(description_of(*command));
  return out;
}

}  // namespace hone::cli
