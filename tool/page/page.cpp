#include "tool/page/page.h"

#include <array>
#include <map>

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <nlohmann/json.hpp>

#include "tool/page/embedded_assets.h"

namespace hone::page {
namespace {

// As a content security policy names a script: 'sha256-<base64>'.
std::string policy_digest(const std::string& text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> base64;
  const int size = EVP_EncodeBlock(base64.data(), digest.data(), digest.size());
  return "'sha256-" + std::string(base64.begin(), base64.begin() + size) + "'";
}

// The highlighter's files are written as modules that ask for no other.
std::string as_script(const EmbeddedText& library) {
  const std::string text(library.text);
  if (text.find("module.exports =") == text.npos) return text + "\n";
  const bool language = library.name == "cpp";
  return "{ const module = {};\n" + text + (language ? "\nhljs.registerLanguage('cpp', module.exports); }\n" : "\n}\n");
}

std::string libraries() {
  std::string text = "\n";
  for (const EmbeddedText& library : embedded_libraries()) text += as_script(library);
  return text;
}

std::string scripts() {
  std::string text = "\n";
  for (const EmbeddedText& script : embedded_scripts()) text += std::string(script.text) + "\n";
  return text;
}

std::string licenses() {
  nlohmann::ordered_json texts;
  for (const EmbeddedText& license : embedded_licenses()) texts[std::string(license.name)] = std::string(license.text);
  return texts.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string frame(std::string_view name) {
  for (const EmbeddedText& part : embedded_frame())
    if (part.name == name) return std::string(part.text);
  return "";
}

// @name@ gives way to its text, which is not looked into again.
std::string filled(const std::string& pattern, const std::map<std::string, std::string>& texts) {
  std::string page;
  std::size_t at = 0;
  for (std::size_t from, to; (from = pattern.find('@', at)) != pattern.npos; at = to + 1) {
    to = pattern.find('@', from + 1);
    page.append(pattern, at, from - at).append(texts.at(pattern.substr(from + 1, to - from - 1)));
  }
  return page.append(pattern, at);
}

}  // namespace

std::string inside_of_script(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest.front() == '<')
      text += "\\u003c";
    else if (rest.front() == '>')
      text += "\\u003e";
    else if (rest.front() == '&')
      text += "\\u0026";
    else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      text += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += rest.front();
    }
  }
  return text;
}

std::string html(std::string_view json, Use use) {
  const std::string style = frame("style"), ours = scripts(), theirs = libraries();
  std::string policy = "default-src 'none'; script-src " + policy_digest(theirs) + ' ' + policy_digest(ours) +
                       "; style-src " + policy_digest(style) + "; img-src data:; base-uri 'none'; form-action 'none'";
  if (use == Use::served) policy += "; connect-src 'self'";
  return filled(frame("page"), {{"live", use == Use::served ? " data-live" : ""},
                                {"policy", policy},
                                {"style", style},
                                {"data", inside_of_script(json)},
                                {"licenses", inside_of_script(licenses())},
                                {"libraries", theirs},
                                {"scripts", ours}});
}

}  // namespace hone::page
