#include "tool/trust/trust_file.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "cache/json_place.h"
#include "cache/replaced_file_lock.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::trust {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRestore = "restore it from version control, or delete it and trust the keys again";
constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr unsigned kDeepest = 32;

Result<Json> parse_json(const std::string& text, const std::string& name) {
  const auto at = [&](std::size_t offset) { return name + ":" + cache::line_and_column(text, offset); };
  if (const std::size_t marker = cache::conflict_marker(text); marker != text.npos)
    return coded_failure(
        DiagnosticCode::trust_file, "the trust file has unresolved merge conflicts", at(marker),
        "keep the lines of the keys that the project trusts, and remove the <<<<<<<, ======= and >>>>>>> "
        "lines");
  if (const std::size_t deep = cache::too_deep(text, kDeepest); deep != text.npos)
    return coded_failure(DiagnosticCode::trust_file, "the trust file is nested too deep", at(deep), kRestore);
  try {
    Json parsed = Json::parse(text);
    if (const std::size_t twice = cache::repeated_member(text); twice != text.npos)
      return coded_failure(DiagnosticCode::trust_file, "the trust file has a member twice", at(twice),
                           "keep one of them");
    return parsed;
  } catch (const Json::parse_error& error) {
    return coded_failure(DiagnosticCode::trust_file,
                         "the trust file is not whole JSON: " + cache::parse_reason(error.what()),
                         at(error.byte > 0 ? error.byte - 1 : 0), kRestore);
  } catch (const Json::exception& error) {
    return coded_failure(DiagnosticCode::trust_file,
                         "the trust file is not usable JSON: " + cache::parse_reason(error.what()), name, kRestore);
  }
}

Result<TrustedKey> entry_from(Json json) {
  const Json key = json.is_object() ? json.value("key", Json()) : Json();
  if (!key.is_string()) return failure("it has no \"key\"");
  const auto name = json.find("name");
  if (name != json.end() && !name->is_string()) return failure("its \"name\" is not a string");
  HONE_TRY(PublicKey parsed, PublicKey::parse(key.get<std::string>()));
  TrustedKey entry{std::move(parsed), name == json.end() ? "" : name->get<std::string>(), ""};
  json.erase("key");
  json.erase("name");
  if (!json.empty()) entry.extra = json.dump();
  return entry;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json object_from(const std::string& text) {
  Json json = text.empty() ? Json::object() : Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

std::string entry_text(const TrustedKey& entry) {
  std::string text = "    { \"key\": " + dump(entry.key.text());
  if (!entry.name.empty()) text += ", \"name\": " + dump(entry.name);
  const Json unknown = object_from(entry.extra);
  for (const auto& [name, value] : unknown.items()) text += ", " + dump(name) + ": " + dump(value);
  return text + " }";
}

bool is_digest(const Json& json) {
  return json.is_string() && cache::is_digest(json.get<std::string>());
}

auto place(const TrustedKey& entry) {
  return std::tie(entry.name, entry.key);
}

}  // namespace

Result<TrustFile> TrustFile::read(const fs::path& path) {
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found) return TrustFile{};
  HONE_TRY(const std::string text, os::read_file(path, kLargestFile));
  return parse(text, path.string());
}

Result<TrustFile> TrustFile::parse(const std::string& text, const std::string& name) {
  HONE_TRY(Json root, parse_json(text, name));
  if (!root.is_object())
    return coded_failure(DiagnosticCode::trust_file, "the trust file is not a JSON object", name + ":1:1", kRestore);
  const Json version = root.value("version", Json()), keys = root.value("keys", Json());
  if (!version.is_number_integer())
    return coded_failure(DiagnosticCode::trust_file, "the trust file has no \"version\"", name, kRestore);
  if (version != 1)
    return coded_failure(DiagnosticCode::trust_file,
                         "the trust file has version " + version.dump() + ", and this Hone knows 1", name,
                         "use a newer Hone");
  if (!keys.is_array())
    return coded_failure(DiagnosticCode::trust_file, "the trust file has no list \"keys\"", name, kRestore);
  TrustFile file;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto mistake = [&](const std::string& what, const std::string& advice) {
      const std::string where = name + ":" + cache::line_and_column(text, cache::element_offset(text, "keys", i));
      return coded_failure(DiagnosticCode::trust_file, "this trusted key is not usable: " + what, where, advice);
    };
    auto entry = entry_from(keys[i]);
    if (!entry) return mistake(entry.error().what, "remove the line, or restore the file from version control");
    if (file.find(entry->key)) return mistake("the key is in the file twice", "keep one of the lines");
    if (!entry->name.empty() && file.find_name(entry->name))
      return mistake("another key has its name", "give one of them another name");
    file.keys.push_back(std::move(*entry));
  }
  const Json withdrawn = root.value("withdrawn", Json::array());
  if (!withdrawn.is_array() || !std::ranges::all_of(withdrawn, is_digest))
    return coded_failure(DiagnosticCode::trust_file, "\"withdrawn\" in the trust file is no list of digests", name,
                         kRestore);
  file.withdrawn = withdrawn.get<std::set<cache::Digest>>();
  for (const char* known : {"version", "keys", "withdrawn"}) root.erase(known);
  if (!root.empty()) file.extra = root.dump();
  return file;
}

const TrustedKey* TrustFile::find(const PublicKey& key) const {
  const auto found = std::ranges::find(keys, key, &TrustedKey::key);
  return found == keys.end() ? nullptr : &*found;
}

const TrustedKey* TrustFile::find_name(const std::string& name) const {
  const auto found = std::ranges::find(keys, name, &TrustedKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string TrustFile::text() const {
  std::vector<TrustedKey> ordered = keys;
  std::ranges::sort(ordered, [](const TrustedKey& a, const TrustedKey& b) { return place(a) < place(b); });
  std::string text = "{\n  \"version\": 1,\n";
  const Json unknown = object_from(extra);
  for (const auto& [name, value] : unknown.items()) text += "  " + dump(name) + ": " + dump(value) + ",\n";
  text += "  \"keys\": [";
  for (std::size_t i = 0; i < ordered.size(); ++i) text.append(i ? ",\n" : "\n").append(entry_text(ordered[i]));
  text += ordered.empty() ? "]" : "\n  ]";
  const char* before = ",\n  \"withdrawn\": [\n    ";
  for (const cache::Digest& digest : withdrawn) text += std::exchange(before, ",\n    ") + dump(digest);
  return text + (withdrawn.empty() ? "\n}\n" : "\n  ]\n}\n");
}

Result<void> TrustFile::update(const fs::path& path, const std::function<Result<void>(TrustFile&)>& change) {
  HONE_TRY(const fs::path file, cache::followed_links(path));
  const auto lock = cache::ReplacedFileLock::acquire(file, TrustFile{}.text());
  if (!lock)
    return coded_failure(DiagnosticCode::trust_file, "cannot write the trust file: " + lock.error().what,
                         lock.error().where);
  HONE_TRY(TrustFile content, read(file));
  const std::string before = content.text();
  HONE_CHECK(change(content));
  if (content.text() == before) return {};
  return os::write_file_atomically(file, content.text());
}

fs::path trust_file_beside(const fs::path& lock) {
  return lock.parent_path() / "hone.trust";
}

}  // namespace hone::trust
