#include "tool/frontend/parse/main_text.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tool/command/annotated_headers.h"
#include "tool/command/nvcc_options.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;
using namespace clang;

unsigned lines_before(const std::string& text, std::size_t begin, std::size_t at) {
  return static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                          text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())), '\n'));
}

Result<std::string> read_source(const fs::path& path, const std::map<std::string, std::string>& overlay) {
  if (const auto other = overlay.find(path.lexically_normal().string()); other != overlay.end()) return other->second;
  auto buffer = llvm::MemoryBuffer::getFile(path.string(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) return failure("cannot read the source file: " + buffer.getError().message(), path.string());
  return (*buffer)->getBuffer().str();
}

// An #include that the preprocessor met, and what it led to.
struct Inclusion {
  std::size_t hash = 0;
  std::string name;  // between its quotes
  bool quoted = false;
  bool next = false;  // #include_next
  const FileEntry* target = nullptr;
  std::string target_name;
  FileID entered;  // invalid: passed over, as its guard asks
};

// What one preprocessing met: for each time that a file was read, its inclusions, and the files with annotations.
class Inclusions final : public PPCallbacks {
 public:
  explicit Inclusions(SourceManager& sources) : sources_(sources) {}

  void InclusionDirective(SourceLocation hash, const Token& include, StringRef name, bool angled, CharSourceRange,
                          OptionalFileEntryRef file, StringRef, StringRef, const clang::Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    const auto [from, offset] = sources_.getDecomposedExpansionLoc(hash);
    const IdentifierInfo* word = include.getIdentifierInfo();
    of_[from].push_back({offset, name.str(), !angled, word && word->getName() == "include_next",
                         file ? &file->getFileEntry() : nullptr, file ? file->getName().str() : "", FileID()});
  }

  void FileChanged(SourceLocation location, FileChangeReason reason, SrcMgr::CharacteristicKind, FileID) override {
    const FileID file = sources_.getFileID(location);
    if (reason != EnterFile || !sources_.getFileEntryForID(file)) return;
    const FileID from = sources_.getFileID(sources_.getExpansionLoc(sources_.getIncludeLoc(file)));
    if (const auto found = of_.find(from); found != of_.end() && !found->second.empty())
      found->second.back().entered = file;
  }

  void annotated(SourceLocation location) { annotated_.insert(sources_.getFileID(sources_.getExpansionLoc(location))); }

  const std::vector<Inclusion>& of(FileID file) const {
    static const std::vector<Inclusion> none;
    const auto found = of_.find(file);
    return found == of_.end() ? none : found->second;
  }
  const std::map<FileID, std::vector<Inclusion>>& all() const { return of_; }
  const std::set<FileID>& with_annotations() const { return annotated_; }

 private:
  SourceManager& sources_;
  std::map<FileID, std::vector<Inclusion>> of_;
  std::set<FileID> annotated_;
};

class AnnotationFinder final : public PragmaHandler {
 public:
  explicit AnnotationFinder(Inclusions& inclusions) : PragmaHandler("hone"), inclusions_(inclusions) {}
  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer introducer, Token&) override {
    Token token;
    do preprocessor.LexUnexpandedToken(token);
    while (token.isNot(tok::eod));
    inclusions_.annotated(introducer.Loc);
  }

 private:
  Inclusions& inclusions_;
};

// Writes the headers out.
class Writer {
 public:
  Writer(const Parsed& parsed, const Inclusions& inclusions, const CompileCommand& command, bool by_path)
      : parsed_(parsed),
        sources_(parsed.sources()),
        inclusions_(inclusions),
        headers_(command.file, command.directory),
        directory_(command.directory),
        main_folder_((fs::path(command.directory) / command.file).parent_path()),
        by_path_(by_path) {
    find_written_out();
  }

  bool nothing_to_do() const { return written_out_.empty(); }
  const std::vector<std::string>& folders() const { return folders_; }
  const std::vector<std::string>& names() const { return names_; }
  std::string text() { return std::move(out_); }
  Origins origins() { return std::move(origins_); }

  void run(const std::string& main_file) {
    origins_ = Origins(main_file);
    const FileID main = sources_.getMainFileID();
    find_folders(main);
    write(main, main_file);
  }

 private:
  bool is_projects(FileID file) const { return headers_.contain((directory_ / name_of(file)).lexically_normal()); }

  bool is_users(FileID file) const {
    return sources_.getFileEntryForID(file) &&
           !SrcMgr::isSystem(sources_.getSLocEntry(file).getFile().getFileCharacteristic());
  }

  bool is_written_out(const Inclusion& one) const { return one.target && written_out_.contains(one.target); }

  // The project's headers that are annotated, and those that lead to one.
  void find_written_out() {
    const FileID main = sources_.getMainFileID();
    const FileEntry* main_entry = sources_.getFileEntryForID(main);
    for (const FileID file : inclusions_.with_annotations())
      if (file != main && is_users(file) && is_projects(file) && is_reached(file))
        written_out_.insert(sources_.getFileEntryForID(file));
    for (bool more = !written_out_.empty(); more;) {
      more = false;
      for (const auto& [file, list] : inclusions_.all()) {
        const FileEntry* entry = sources_.getFileEntryForID(file);
        if (!entry || entry == main_entry || !is_users(file) || written_out_.contains(entry)) continue;
        if (std::ranges::none_of(list, [&](const Inclusion& one) { return is_written_out(one); })) continue;
        written_out_.insert(entry);
        more = true;
      }
    }
  }

  // By #include lines from the main file; what the command line includes stands in front of all text.
  bool is_reached(FileID file) const {
    while (file.isValid() && file != sources_.getMainFileID())
      file = sources_.getFileID(sources_.getExpansionLoc(sources_.getIncludeLoc(file)));
    return file.isValid();
  }

  static std::string folder_of(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : name.substr(0, slash);
  }

  std::string name_of(FileID file) const { return sources_.getFileEntryRefForID(file)->getName().str(); }

  void find_folders(FileID file) {
    for (const Inclusion& one : inclusions_.of(file)) {
      if (!is_written_out(one) || one.entered.isInvalid()) continue;
      const std::string name = name_of(one.entered);
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
      if (const std::string folder = folder_of(name);
          !by_path_ && std::ranges::find(folders_, folder) == folders_.end())
        folders_.push_back(folder);
      find_folders(one.entered);
    }
  }

  // Would `#include "name"` lead elsewhere, as it stands in the main file?
  bool must_be_a_path(FileID from, const Inclusion& one) const {
    if (!one.target || one.name.starts_with('/')) return false;
    if (one.next) return from != sources_.getMainFileID();
    if (!one.quoted) return false;
    std::error_code error;
    std::vector<fs::path> folders = {main_folder_};
    for (const std::string& folder : folders_) folders.push_back(directory_ / folder);
    for (const fs::path& folder : folders)
      if (const fs::path path = folder / one.name; fs::exists(path, error))
        return !fs::equivalent(path, directory_ / one.target_name, error);
    if (from == sources_.getMainFileID()) return false;
    const fs::path beside = directory_ / folder_of(name_of(from)) / one.name;
    return fs::exists(beside, error);
  }

  static bool is_pragma_once(const SourceTokens& tokens, std::size_t i) {
    return tokens[i].line_start && tokens.is(i, "#") && tokens.is(i + 1, "pragma") && tokens.is(i + 2, "once");
  }

  static std::size_t end_of_directive(const SourceTokens& tokens, std::size_t i) {
    std::size_t end = tokens[i].end;
    for (++i; i < tokens.size() && tokens[i].directive && !tokens[i].line_start; ++i) end = tokens[i].end;
    return end;
  }

  void write(FileID file, const std::string& name) {
    const std::string text = sources_.getBufferData(file).str();
    const SourceTokens tokens(text, parsed_.language());
    const bool main = file == sources_.getMainFileID();
    std::size_t at = !main && text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    begin_piece(text, at, name);
    const auto& inclusions = inclusions_.of(file);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].line_start || !tokens[i].directive || tokens[i].begin < at) continue;
      const std::size_t hash = tokens[i].begin, end = end_of_directive(tokens, i);
      const auto found = std::ranges::find(inclusions, hash, &Inclusion::hash);
      std::string instead;
      if (found != inclusions.end() && is_written_out(*found)) {
        out_.append(text, at, hash - at);
        at = end;
        if (found->entered.isValid()) {
          write(found->entered, name_of(found->entered));
          if (!out_.ends_with('\n')) out_ += '\n';
          begin_piece(text, end, name);
        } else {
          out_.append(newlines(text, hash, end));
        }
        continue;
      }
      if (found != inclusions.end() && must_be_a_path(file, *found))
        instead = "#include \"" + (directory_ / found->target_name).lexically_normal().string() + "\"";
      else if (main || !is_pragma_once(tokens, i))
        continue;
      out_.append(text, at, hash - at).append(instead).append(newlines(text, hash, end));
      at = end;
    }
    out_.append(text, at, std::string::npos);
  }

  static std::string newlines(const std::string& text, std::size_t begin, std::size_t end) {
    return std::string(lines_before(text, begin, end), '\n');
  }

  void begin_piece(const std::string& text, std::size_t at, const std::string& name) {
    origins_.add(out_.size(), name, 1 + lines_before(text, 0, at));
  }

  const Parsed& parsed_;
  SourceManager& sources_;
  const Inclusions& inclusions_;
  const ProjectHeaders headers_;
  const fs::path directory_, main_folder_;
  const bool by_path_;
  std::set<const FileEntry*> written_out_;
  std::vector<std::string> folders_, names_;
  std::string out_;
  Origins origins_;
};

}  // namespace

FilePlace Origins::place(const std::string& text, std::size_t at) const {
  auto after = std::ranges::upper_bound(pieces_, at, {}, &Piece::begin);
  if (after == pieces_.begin()) return {main_file_, 1 + lines_before(text, 0, at)};
  const Piece& piece = *(after - 1);
  return {piece.place.file, piece.place.line + lines_before(text, piece.begin, at)};
}

FilePlace Origins::place_of_line(const std::string& text, unsigned line) const {
  if (one_file()) return {main_file_, line};
  std::size_t at = 0;
  for (unsigned i = 1; i < line && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return {main_file_, line};
  // A piece may begin within the line; what stands in front of it are blanks.
  return place(text, std::min(text.find('\n', at), text.size()));
}

std::vector<std::size_t> Origins::borders() const {
  std::vector<std::size_t> borders;
  for (const Piece& piece : pieces_)
    if (piece.begin > 0) borders.push_back(piece.begin);
  return borders;
}

MainText edited(MainText main, const std::vector<TextEdit>& edits) {
  const std::string text = std::exchange(main.text, {});
  const Origins before = std::exchange(main.origins, {});
  std::vector<std::size_t> borders = before.borders();
  auto border = borders.begin();
  Origins after(before.place(text, 0).file);
  std::size_t copied = 0;
  const auto copy_to = [&](std::size_t end) {
    for (; border != borders.end() && *border < end; ++border) {
      if (*border <= copied) continue;
      main.text.append(text, copied, *border - copied);
      copied = *border;
      const FilePlace place = before.place(text, copied);
      after.add(main.text.size(), place.file, place.line);
    }
    if (end > copied) main.text.append(text, copied, end - copied);
    copied = std::max(copied, end);
  };
  const auto go_on_at = [&](std::size_t at) {
    const FilePlace place = before.place(text, at);
    after.add(main.text.size(), place.file, place.line);
  };
  go_on_at(0);
  for (const TextEdit& edit : edits) {
    copy_to(edit.begin);
    go_on_at(edit.from);
    main.text += edit.text;
    copied = std::max(copied, edit.end);
    go_on_at(copied);
  }
  copy_to(text.size());
  main.origins = std::move(after);
  return main;
}

Result<MainText> read_main_text(const CompileCommand& command, const Options& options, const LookedThrough& looked) {
  MainText main{"", command, {}, {}, {}};
  Parser::Settings settings;
  settings.reuse_prologue = false;
  settings.overlay = options.overlay;
  HONE_TRY(Parser parser, Parser::create(command, options, settings));
  HONE_TRY(main.text, read_source(fs::path(command.directory) / parser.main_file(), options.overlay));
  main.origins = Origins(parser.main_file());
  if (options.overlay.empty() && !includes_annotated_header(parser.main_file(), command.arguments, command.directory))
    return main;

  std::unique_ptr<Inclusions> inclusions;
  Inclusions* met = nullptr;
  HONE_TRY(const auto parsed, parser.preprocess(main.text, [&](Preprocessor& preprocessor) {
    inclusions = std::make_unique<Inclusions>(preprocessor.getSourceManager());
    met = inclusions.get();
    preprocessor.AddPragmaHandler(new AnnotationFinder(*met));  // the preprocessor owns it
    preprocessor.addPPCallbacks(std::move(inclusions));
  }));
  looked(*parsed, parser);
  const std::size_t compiler = compiler_index(command.arguments);
  const bool nvcc = compiler < command.arguments.size() && is_nvcc(command.arguments[compiler]);
  Writer writer(*parsed, *met, {command.directory, parser.main_file(), "", {}}, nvcc);
  if (writer.nothing_to_do()) return main;
  writer.run(parser.main_file());
  main.text = writer.text();
  main.origins = writer.origins();
  main.headers = writer.names();
  main.folders = writer.folders();
  std::vector<std::string> words;
  for (const std::string& folder : main.folders) words.insert(words.end(), {"-iquote", folder});
  main.command.arguments.insert(main.command.arguments.begin() + static_cast<std::ptrdiff_t>(compiler) + 1,
                                words.begin(), words.end());
  return main;
}

}  // namespace hone::frontend
