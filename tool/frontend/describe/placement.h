// Where a kernel stands in its file, and where and by what names a variant can be called there. Plain values; offsets
// are bytes of the file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hone::frontend {

// Where a kernel's definition stands in its file; what the rewriter replaces. A template's instance: behind it.
struct Placement {
  std::string file;                       // as Clang opened it (the spelling in the command for the main file)
  std::size_t begin = 0, end = 0;         // byte range of the definition; empty for a template's instance
  unsigned begin_line = 0, end_line = 0;  // of that range, 1-based
  std::size_t includes_at = 0;  // byte offset where a variant's includes go: in front of the outermost namespace
  unsigned includes_line = 0;
  std::string uncloned;  // the function that callers call as it is (find/uncloned.h): "scale"; "": they may copy it
};

// A launch in the kernel's file, `scale<<<…>>>(…)`, in bytes of it.
struct LaunchSite {
  std::size_t name_begin = 0, name_end = 0;    // of the kernel's name, qualified or not
  std::size_t chevrons = 0, end_chevrons = 0;  // where <<< and >>> stand
};

// What a variant that brings launches of its own needs in its file.
struct LaunchSites {
  std::vector<LaunchSite> sites;
  std::string starter;  // takes the kernel's name's place at each: "::app::hone_start_scale_0123abcd"
  std::string glue;     // defines it, behind the variant
};

// Where another function can be called in place of a CUDA file's function: first of all in its body.
struct Entrance {
  std::string name;       // of the function, not qualified
  std::size_t at = 0;     // behind the brace of a host function's body
  std::string arguments;  // that hand its parameters on: "x, n"
  std::string why_not;    // a sentence where it cannot be done; "" where it can
};

// What asks whether fixed scalars have the values of one of the problems, where variants rely on that.
struct Guard {
  std::string definition;  // of the function that is asked; "" where no scalar is fixed
  std::string question;    // the question's name
  std::string arguments;   // what it is asked about: "alpha, beta"
  std::string variant;     // the name that a variant's function has beside the kernel's
};

// What records a kernel's calls, in a build for captures.
struct Recording {
  std::string declarations;  // in front of everything of the kernel's
  std::size_t at = 0;        // behind the brace of its body, where `call` goes
  std::string call;
  std::string end;         // in front of the body's last brace
  std::string definition;  // of a template's instance, whole: it stands behind the template
  std::string why_not;     // a sentence where its calls cannot be recorded
};

}  // namespace hone::frontend
