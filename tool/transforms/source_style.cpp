#include "tool/transforms/source_style.h"

#include <clang/Tooling/Core/Replacement.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace hone::frontend {
namespace {

using clang::format::FormatStyle;
using Change = void (*)(FormatStyle&);
using Choices = std::vector<Change>;  // of one setting

constexpr std::size_t most_bytes = 1 << 24;                 // of a source that is looked at
constexpr std::size_t before_window = 2000, window = 8000;  // bytes around the first annotation
constexpr unsigned usual_columns = 80;
constexpr int most_rounds = 3;

void indent(FormatStyle& style, unsigned width, FormatStyle::UseTabStyle tabs) {
  style.IndentWidth = style.TabWidth = style.ConstructorInitializerIndentWidth = width;
  style.UseTab = tabs;
}

std::vector<FormatStyle> whole_styles() {
  namespace format = clang::format;
  const auto cpp = FormatStyle::LK_Cpp;
  return {format::getLLVMStyle(cpp), format::getGoogleStyle(cpp), format::getMicrosoftStyle(cpp),
          format::getMozillaStyle(), format::getWebKitStyle(),    format::getGNUStyle()};
}

// Indentation is last: what it wants of continued lines depends on where lines end.
const std::vector<Choices>& settings() {
  using S = FormatStyle;
  static const std::vector<Choices> all{
      {[](S& s) { indent(s, 2, S::UT_Never); }, [](S& s) { indent(s, 4, S::UT_Never); },
       [](S& s) { indent(s, 3, S::UT_Never); }, [](S& s) { indent(s, 8, S::UT_Never); },
       [](S& s) { indent(s, 8, S::UT_ForContinuationAndIndentation); },
       [](S& s) { indent(s, 4, S::UT_ForContinuationAndIndentation); }, [](S& s) { indent(s, 8, S::UT_Always); },
       [](S& s) { indent(s, 4, S::UT_Always); }},
      {[](S& s) { s.PointerAlignment = S::PAS_Right; }, [](S& s) { s.PointerAlignment = S::PAS_Left; },
       [](S& s) { s.PointerAlignment = S::PAS_Middle; }},
      {[](S& s) { s.BreakBeforeBraces = S::BS_Attach; }, [](S& s) { s.BreakBeforeBraces = S::BS_Allman; },
       [](S& s) { s.BreakBeforeBraces = S::BS_Linux; }, [](S& s) { s.BreakBeforeBraces = S::BS_Stroustrup; },
       [](S& s) { s.BreakBeforeBraces = S::BS_WebKit; }, [](S& s) { s.BreakBeforeBraces = S::BS_Mozilla; },
       [](S& s) { s.BreakBeforeBraces = S::BS_GNU; }, [](S& s) { s.BreakBeforeBraces = S::BS_Whitesmiths; }},
      {[](S& s) { s.ColumnLimit = 80; }, [](S& s) { s.ColumnLimit = 100; }, [](S& s) { s.ColumnLimit = 120; },
       [](S& s) { s.ColumnLimit = 132; }},
      {[](S& s) { s.AlignAfterOpenBracket = S::BAS_Align; }, [](S& s) { s.AlignAfterOpenBracket = S::BAS_DontAlign; },
       [](S& s) { s.AlignAfterOpenBracket = S::BAS_AlwaysBreak; }},
      {[](S& s) { s.ContinuationIndentWidth = 4; }, [](S& s) { s.ContinuationIndentWidth = 2; },
       [](S& s) { s.ContinuationIndentWidth = 8; }},
      {[](S& s) { s.AllowShortFunctionsOnASingleLine = S::SFS_All; },
       [](S& s) { s.AllowShortFunctionsOnASingleLine = S::SFS_Inline; },
       [](S& s) { s.AllowShortFunctionsOnASingleLine = S::SFS_None; }},
      {[](S& s) { s.AllowShortIfStatementsOnASingleLine = S::SIS_Never; },
       [](S& s) { s.AllowShortIfStatementsOnASingleLine = S::SIS_WithoutElse; }},
      {[](S& s) { s.AllowShortLoopsOnASingleLine = false; }, [](S& s) { s.AllowShortLoopsOnASingleLine = true; }},
      {[](S& s) { s.BreakAfterReturnType = S::RTBS_None; },
       [](S& s) { s.BreakAfterReturnType = S::RTBS_AllDefinitions; }},
      {[](S& s) { s.SpaceBeforeParens = S::SBPO_ControlStatements; }, [](S& s) { s.SpaceBeforeParens = S::SBPO_Never; },
       [](S& s) { s.SpaceBeforeParens = S::SBPO_Always; }},
      {[](S& s) { s.SpacesInParens = S::SIPO_Never; },
       [](S& s) {
         s.SpacesInParens = S::SIPO_Custom;
         s.SpacesInParensOptions = {false, true, false, false, true};
       }},
      {[](S& s) { s.BreakBeforeBinaryOperators = S::BOS_None; },
       [](S& s) { s.BreakBeforeBinaryOperators = S::BOS_NonAssignment; },
       [](S& s) { s.BreakBeforeBinaryOperators = S::BOS_All; }},
      {[](S& s) { s.SpaceAfterCStyleCast = false; }, [](S& s) { s.SpaceAfterCStyleCast = true; }},
      {[](S& s) { s.BinPackArguments = s.BinPackParameters = true; },
       [](S& s) { s.BinPackArguments = s.BinPackParameters = false; }},
  };
  return all;
}

// Behind the first empty line, or end of a function, at or behind `at`; else at the line's end.
std::size_t behind_declaration(const std::string& source, std::size_t at) {
  const auto behind = [&](std::string_view what) {
    const std::size_t found = source.find(what, at);
    return found == std::string::npos ? source.size() : found + what.size();
  };
  const std::size_t declaration = std::min(behind("\n}\n"), behind("\n\n"));
  return declaration < at + before_window ? declaration : behind("\n");
}

std::string lines_of_interest(const std::string& source) {
  if (source.size() <= window) return source;
  const std::size_t annotation = source.find("#pragma hone");
  const bool far = annotation != std::string::npos && annotation > before_window;
  const std::size_t begin = far ? behind_declaration(source, annotation - before_window) : 0;
  const std::size_t last = std::min(begin + window, source.size());
  return source.substr(begin, behind_declaration(source, last) - begin);
}

class Fit {
 public:
  explicit Fit(std::string source)
      : source_(std::move(source)), whole_{clang::tooling::Range(0, static_cast<unsigned>(source_.size()))} {}

  FormatStyle best() {
    for (FormatStyle& whole : whole_styles()) {
      // A style without a limit never changes where lines end: no other could be closer.
      if (whole.ColumnLimit == 0) whole.ColumnLimit = usual_columns;
      take_if_closer(std::move(whole));
    }
    bool closer = true;
    for (int round = 0; round < most_rounds && closer && least_ > 0; ++round) {
      closer = false;
      for (const Choices& choices : settings())
        for (const Change change : choices) {
          FormatStyle changed = best_;
          change(changed);
          closer |= !(changed == best_) && take_if_closer(std::move(changed));
        }
    }
    return best_;
  }

 private:
  bool take_if_closer(FormatStyle style) {
    const std::size_t changes = clang::format::reformat(blanks_only(style), source_, whole_, "source.cpp").size();
    if (changes >= least_) return false;
    least_ = changes;
    best_ = std::move(style);
    return true;
  }

  const std::string source_;
  const std::vector<clang::tooling::Range> whole_;
  FormatStyle best_;
  std::size_t least_ = static_cast<std::size_t>(-1);  // places that the best style changes
};

}  // namespace

FormatStyle style_of_source(const std::string& source) {
  if (source.empty() || source.size() > most_bytes) return clang::format::getLLVMStyle();
  return Fit(lines_of_interest(source)).best();
}

FormatStyle blanks_only(FormatStyle style) {
  style.DisableFormat = false;
  style.ReflowComments = false;
  style.BreakStringLiterals = false;
  style.RemoveSemicolon = false;
  style.RemoveParentheses = FormatStyle::RPS_Leave;
  style.InsertBraces = false;
  style.RemoveBracesLLVM = false;
  style.QualifierAlignment = FormatStyle::QAS_Leave;
  style.FixNamespaceComments = false;
  return style;
}

}  // namespace hone::frontend
