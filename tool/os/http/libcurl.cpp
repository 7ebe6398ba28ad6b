#include "tool/os/http/libcurl.h"

#include <dlfcn.h>

#include <optional>

namespace hone::os {
namespace {

std::optional<LibCurl> load() {
  void* const library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  LibCurl curl;
  bool whole = true;
  const auto find = [&]<class Call>(Call*& call, const char* name) {
    call = reinterpret_cast<Call*>(::dlsym(library, name));
    whole &= call != nullptr;
  };
  find(curl.global_init, "curl_global_init");
  find(curl.free, "curl_free");
  find(curl.slist_append, "curl_slist_append");
  find(curl.slist_free_all, "curl_slist_free_all");
  find(curl.easy_init, "curl_easy_init");
  find(curl.easy_cleanup, "curl_easy_cleanup");
  find(curl.easy_setopt, "curl_easy_setopt");
  find(curl.easy_getinfo, "curl_easy_getinfo");
  find(curl.easy_strerror, "curl_easy_strerror");
  find(curl.multi_init, "curl_multi_init");
  find(curl.multi_cleanup, "curl_multi_cleanup");
  find(curl.multi_add_handle, "curl_multi_add_handle");
  find(curl.multi_remove_handle, "curl_multi_remove_handle");
  find(curl.multi_perform, "curl_multi_perform");
  find(curl.multi_info_read, "curl_multi_info_read");
  find(curl.multi_poll, "curl_multi_poll");
  find(curl.multi_wakeup, "curl_multi_wakeup");
  find(curl.url, "curl_url");
  find(curl.url_set, "curl_url_set");
  find(curl.url_get, "curl_url_get");
  find(curl.url_cleanup, "curl_url_cleanup");
  return whole ? std::optional(curl) : std::nullopt;
}

}  // namespace

const LibCurl* libcurl() {
  static const std::optional<LibCurl> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace hone::os
