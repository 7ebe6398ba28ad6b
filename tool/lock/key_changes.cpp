#include "tool/lock/key_changes.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/lock/token_changes.h"

namespace hone::lock {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_words = 12;  // that are listed

Words words_of(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

// What `all` has beyond `others`, each as often as it has it more often.
Words beyond(Words all, Words others) {
  std::ranges::sort(all);
  std::ranges::sort(others);
  Words more;
  std::ranges::set_difference(all, others, std::back_inserter(more));
  return more;
}

std::string listed(Words words, std::string_view mark) {
  const std::size_t more = words.size() - std::min(words.size(), most_words);
  words.resize(words.size() - more);
  for (std::string& word : words) word.insert(0, mark);
  return fmt::format("{}{}", fmt::join(words, " "), more ? fmt::format(" and {} more", more) : "");
}

// "+avx512f -avx2"
std::string words_changed(const std::string& then, const std::string& now) {
  const Words added = beyond(words_of(now), words_of(then)), gone = beyond(words_of(then), words_of(now));
  return listed(added, "+") + (added.empty() || gone.empty() ? "" : " ") + listed(gone, "-");
}

// "kernel in(x[0 : n]) exact" → its clauses: blanks within parentheses are none between clauses.
Words clauses_of(const std::string& annotation) {
  Words clauses(1);
  int depth = 0;
  for (const char c : annotation) {
    depth += (c == '(') - (c == ')');
    if (c == ' ' && depth == 0)
      clauses.emplace_back();
    else
      clauses.back() += c;
  }
  return clauses;
}

// What a clause is about: "in(x", "problem(", "init(x".
std::string subject_of(const std::string& clause) {
  const std::size_t open = clause.find('(');
  if (open == clause.npos || clause.starts_with("problem")) return clause.substr(0, open);
  return clause.substr(0, clause.find_first_of("[:,=)", open));
}

std::string annotation_changed(const std::string& then, const std::string& now) {
  Words gone = beyond(clauses_of(then), clauses_of(now));
  std::string text;
  for (const std::string& clause : beyond(clauses_of(now), clauses_of(then))) {
    const auto same = [&](const std::string& other) { return subject_of(other) == subject_of(clause); };
    const auto earlier = std::ranges::find_if(gone, same);
    text += text.empty() ? "" : "; ";
    text += earlier == gone.end() ? "`" + clause + "` was added" : "`" + *earlier + "` became `" + clause + "`";
    if (earlier != gone.end()) gone.erase(earlier);
  }
  for (const std::string& clause : gone) text += (text.empty() ? "`" : "; `") + clause + "` was removed";
  return text;
}

bool is_code(const std::string& name) {
  return name.starts_with("reaches ") || name.starts_with("macro ") || name.starts_with("elsewhere reaches ") ||
         name.starts_with("elsewhere macro ") || name == "definition";
}

bool is_function(const std::string& text) {
  for (const char* word : {"struct", "class", "union", "enum"})
    if (text.starts_with(word)) return false;
  const std::size_t open = text.find('('), body = text.find_first_of("{=;");
  return open < body && text.ends_with('}');
}

std::string called(std::string_view label, const std::string& text) {
  for (const std::string_view prefix : {"elsewhere ", "reaches "})
    if (label.starts_with(prefix)) label.remove_prefix(prefix.size());
  if (label.starts_with("macro ")) return fmt::format("macro `{}`", label.substr(6));
  return fmt::format("`{}{}`", label, is_function(text) ? "()" : "");
}

std::string function_name(const std::string& definition) {
  const Words words = words_of(definition.substr(0, definition.find('(')));
  return words.empty() ? "kernel" : words.back();
}

// A part of the key that is there once.
KeyChange changed(const std::string& name, const std::string& then, const KeyField& now) {
  const auto change = [&](std::string what, std::string brief, std::string detail) {
    return KeyChange{std::move(what), std::move(brief), std::move(detail), now.file, now.line};
  };
  const auto was = [&](const char* what, const char* noun) {
    return change(what, fmt::format("{} is {}, and was {}", noun, now.value, then), "");
  };
  if (name == "schema")
    return change("hone", fmt::format("Hone's request keys are of schema {}, and were of {}", now.value, then), "");
  if (name == "verifier")
    return change("hone", fmt::format("Hone's judge is of version {}, and was of {}", now.value, then), "");
  if (name == "language") return was("language", "the language");
  if (name == "assertions") return change("assertions", "assertions are " + now.value + ", and were " + then, "NDEBUG");
  if (name == "from the system")
    return change("system", "it uses other names of the system's", words_changed(then, now.value));
  if (name == "annotation") return change("annotation", "the annotation changed", annotation_changed(then, now.value));
  if (name == "flags") return change("flags", "flags changed: " + words_changed(then, now.value), "");
  if (name == "target") return change("target", "the target changed: " + words_changed(then, now.value), "");
  if (name == "compiled with")
    return change("compiler", fmt::format("it is compiled with {}, and was tuned for {}", now.value, then), "");
  return change("flags", "what is " + name + " changed", words_changed(then, now.value));
}

struct Parts {
  std::map<std::string, std::vector<std::string>> then;
  std::map<std::string, std::vector<const KeyField*>> now;
};

// Functions, types and macros: a name may stand there several times, as overloads do.
void add_code_changes(const std::string& name, std::vector<std::string> then, std::vector<const KeyField*> now,
                      std::vector<KeyChange>& changes) {
  std::erase_if(now, [&](const KeyField* field) {
    const auto same = std::ranges::find(then, field->value);
    const bool found = same != then.end();
    if (found) then.erase(same);
    return found;
  });
  const char* what = name == "definition" ? "kernel" : name.find("macro ") != name.npos ? "macro" : "helper";
  for (const KeyField* field : now) {
    const std::string label = name == "definition" ? "reaches " + function_name(field->value) : name;
    const std::string noun = called(label, field->value);
    if (then.empty()) {
      changes.push_back({what, "it now reaches " + noun, "", field->file, field->line});
      continue;
    }
    changes.push_back({what, noun + " changed", token_changes(then.front(), field->value), field->file, field->line});
    then.erase(then.begin());
  }
  for (const std::string& text : then)
    changes.push_back({what, "it no longer reaches " + called(name, text), "", "", 0});
}

std::string place(const KeyChange& change, const std::string& folder) {
  if (change.file.empty()) return "";
  const std::filesystem::path relative = std::filesystem::path(change.file).lexically_relative(folder);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return fmt::format(" ({}:{})", inside ? relative.generic_string() : change.file, change.line);
}

}  // namespace

std::vector<KeyChange> key_changes(const cache::KeyParts& then, const std::vector<KeyField>& now) {
  Parts parts;
  for (const auto& [name, value] : then) parts.then[name].push_back(value);
  for (const KeyField& field : now) parts.now[field.name].push_back(&field);
  // A kernel of another type has another name for the linker, and that is seen in its text.
  parts.then.erase("function");
  parts.now.erase("function");
  std::vector<KeyChange> changes;
  std::vector<std::string> names;
  for (const KeyField& field : now)
    if (parts.now.contains(field.name) && std::ranges::find(names, field.name) == names.end())
      names.push_back(field.name);
  for (const auto& [name, values] : parts.then)
    if (!parts.now.contains(name)) names.push_back(name);
  for (const std::string& name : names) {
    const auto& before = parts.then[name];
    const auto& after = parts.now[name];
    if (is_code(name))
      add_code_changes(name, before, after, changes);
    else if (before.empty() || after.empty() || before.front() != after.front()->value)
      changes.push_back(changed(name, before.empty() ? "" : before.front(),
                                after.empty() ? KeyField{name, "", "", 0} : *after.front()));
  }
  const auto same = [](const auto& part, const KeyField& field) {
    return part.first == field.name && part.second == field.value;
  };
  if (changes.empty() && !std::ranges::equal(then, now, same))
    changes.push_back({"order", "what it reaches stands in another order", "", "", 0});
  return changes;
}

std::string in_short(const std::vector<KeyChange>& changes, const std::string& folder) {
  if (changes.empty()) return "";
  const std::string first = changes.front().brief + place(changes.front(), folder);
  return changes.size() == 1 ? first : fmt::format("{} and {} more", first, changes.size() - 1);
}

std::string in_words(const KeyChange& change, const std::string& folder) {
  return change.brief + place(change, folder) + (change.detail.empty() ? "" : ": " + change.detail);
}

}  // namespace hone::lock
