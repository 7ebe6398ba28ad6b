#include "tool/search/prompt/render.h"

#include <algorithm>

#include <kainjow/mustache.hpp>

#include "tool/search/prompt/view.h"
#include "tool/search/text/embedded_texts.h"

namespace hone::search {
namespace {

struct Part {
  std::string role;
  std::string text;
};

// A template's parts begin with the lines "{{! system }}" and "{{! user }}"; without them all of it is the user's.
std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts{{"user", ""}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line == "{{! system }}" || line == "{{! user }}")
      parts.push_back({line == "{{! user }}" ? "user" : "system", ""});
    else
      parts.back().text += line + "\n";
  }
  std::erase_if(parts, [](const Part& part) { return part.text.find_first_not_of(" \n") == std::string::npos; });
  return parts;
}

std::size_t fence_of(std::string_view line) {
  const std::size_t length = std::min(line.find_first_not_of('`'), line.size());
  return length >= 3 ? length : 0;
}

// Sections that are left out leave their empty lines behind, also inside of lists. Inside of fences every line counts.
std::string without_gaps(std::string_view text) {
  std::string result;
  std::size_t fence = 0;
  bool gap = false;
  bool in_list = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const bool empty = line.find_first_not_of(" \t") == std::string_view::npos;
    if (fence == 0 && empty) {
      gap = !result.empty();
      continue;
    }
    if (gap && !(in_list && line.starts_with("- "))) result += '\n';
    gap = false;
    in_list = fence == 0 && line.starts_with("- ");
    const std::size_t here = fence_of(line);
    if (fence == 0)
      fence = here;
    else if (here >= fence && line.size() == here)
      fence = 0;
    result.append(line).append("\n");
  }
  return result;
}

const std::string* find(const Templates& own, std::string_view name) {
  if (const auto found = own.find(name); found != own.end()) return &found->second;
  const auto found = builtin_templates().find(name);
  return found == builtin_templates().end() ? nullptr : &found->second;
}

void put_partials(kainjow::mustache::data& data, const Templates& own) {
  const auto put = [&](const Templates& from) {
    for (const auto& [name, text] : from) {
      if (!name.starts_with("_")) continue;
      std::string body = text.substr(0, text.find_last_not_of('\n') + 1);
      data.set(name, kainjow::mustache::data(kainjow::mustache::partial([body] { return body; })));
    }
  };
  put(builtin_templates());
  put(own);
}

}  // namespace

const Templates& builtin_templates() {
  static const Templates all = [] {
    Templates known;
    for (const EmbeddedText& text : embedded_templates()) known.emplace(text.name, text.text);
    return known;
  }();
  return all;
}

std::vector<std::string> prompt_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : builtin_templates())
    if (!name.starts_with("_")) names.push_back(name);
  return names;
}

Result<std::vector<PromptMessage>> render(const Brief& brief, const Templates& own) {
  const std::string* text = find(own, brief.operator_name);
  if (!text || brief.operator_name.starts_with("_"))
    return failure("there is no prompt template '" + brief.operator_name + "'");
  kainjow::mustache::data data = view(brief);
  put_partials(data, own);
  std::vector<PromptMessage> messages;
  for (const Part& part : parts_of(*text)) {
    kainjow::mustache::mustache form(part.text);
    form.set_custom_escape([](const std::string& plain) { return plain; });
    std::string worded = form.is_valid() ? form.render(data) : "";
    if (!form.is_valid())
      return failure("the prompt template is not valid mustache: " + form.error_message(), brief.operator_name);
    messages.push_back({part.role, without_gaps(worded)});
  }
  return messages;
}

std::string worded_for(const TaskFacts& facts, const std::string& text) {
  kainjow::mustache::mustache form(text);
  if (text.find("{{") == std::string::npos || !form.is_valid()) return text;
  form.set_custom_escape([](const std::string& plain) { return plain; });
  return form.render(view(Brief{.facts = facts}));
}

std::string as_text(const std::vector<PromptMessage>& messages) {
  std::string text;
  for (const PromptMessage& message : messages)
    text += (text.empty() ? "" : "\n") + ("[" + message.role + "]\n") + message.text;
  return text;
}

}  // namespace hone::search
