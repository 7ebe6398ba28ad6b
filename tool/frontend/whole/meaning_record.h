// What Clang made of each name in a main file with a variant in it: which declaration it found, which overload it
// chose, of what type each expression is, and which value each constant has.
//
// Two records are compared item by item, so items stand in the order of the text, and hold nothing that differs between
// parses of one text. Instances of templates stand apart, by name: which of them there are is the business of whoever
// uses them. The system's own declarations are left out, instances of its templates are not. Borrows the parse.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

class FileRegions;

struct RecordedMeaning {
  const char* kind = "";               // of the expression or declaration
  const std::string* type = nullptr;   // and its value, where it is a constant
  const std::string* means = nullptr;  // what is referred to; nullptr: nothing
  bool of_variant = false;             // that stands in the variant
  clang::SourceLocation at;
  bool operator==(const RecordedMeaning& other) const;
};

struct MeaningRecord {
  std::vector<RecordedMeaning> variant, around;
  struct Instance {
    bool of_variant = false;  // of a template that stands there
    std::vector<RecordedMeaning> meanings;
  };
  std::map<std::string, Instance> instances;
  std::deque<std::string> texts;  // what the items point to
};

// The record of a parsed file. Code around the variant is in it only from line `from` of the main file on.
MeaningRecord record_meaning(const Parsed& parsed, const FileRegions& regions, unsigned from);

}  // namespace hone::frontend
