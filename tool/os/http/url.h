// The parts of an http or https URL, as libcurl reads them: whoever decides where something may go must read a URL
// exactly as the one who goes there.
#pragma once

#include <string>

#include "tool/base/result.h"

namespace hone::os {

struct Url {
  std::string scheme;  // http, https
  std::string host;    // lower case; an IPv6 address in brackets
  std::string port;    // always given
  std::string path;    // "/" at least
  std::string query;   // without the question mark

  std::string text() const;
  std::string origin()
      const;  // scheme and host, and the port where it is not the scheme's own: to name the place in a message
};

// Error: not a URL, another scheme, or one that holds a user or password; never quotes what it was given.
Result<Url> parse_url(const std::string& text);

// localhost, 127.0.0.0/8, [::1]: what does not leave this machine.
bool is_loopback(const Url& url);

}  // namespace hone::os
