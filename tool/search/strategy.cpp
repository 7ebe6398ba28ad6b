#include "tool/search/strategy.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/diagnostics/coded_failure.h"
#include "tool/search/archive.h"
#include "tool/search/json_members.h"
#include "tool/search/model_operators.h"
#include "tool/search/population.h"
#include "tool/search/presets.h"
#include "tool/search/strategy_reader.h"

namespace hone::search {
namespace {

using nlohmann::json;

template <class E>
using NamedValue = std::pair<std::string_view, E>;

constexpr std::array exchanges{NamedValue<Exchange>{"none", Exchange::none},
                               NamedValue<Exchange>{"reset", Exchange::reset},
                               NamedValue<Exchange>{"ring", Exchange::ring}};
constexpr std::array selections{
    NamedValue<Selection>{"rank", Selection::rank}, NamedValue<Selection>{"sigmoid", Selection::sigmoid},
    NamedValue<Selection>{"uniform", Selection::uniform}, NamedValue<Selection>{"best", Selection::best}};
constexpr std::array schedules{NamedValue<Schedule>{"weighted", Schedule::weighted},
                               NamedValue<Schedule>{"cycle", Schedule::cycle},
                               NamedValue<Schedule>{"bandit", Schedule::bandit}};
constexpr std::array whens{NamedValue<RepairWhen>{"any", RepairWhen::any},
                           NamedValue<RepairWhen>{"nearer", RepairWhen::nearer}};
constexpr std::array opinions{NamedValue<OpinionUse>{"filter", OpinionUse::filter},
                              NamedValue<OpinionUse>{"watch", OpinionUse::watch}};
constexpr std::array kinds{
    NamedValue<Feature>{"length", Feature::length}, NamedValue<Feature>{"operator", Feature::operator_name},
    NamedValue<Feature>{"speed", Feature::speed}, NamedValue<Feature>{"technique", Feature::technique}};

// Reads one strategy file, member by member. A member that the chosen parts do not read is an error like a misspelled
// one.
class Reader {
 public:
  Reader(const json& document, std::string_view text) : text_(text), members_(document, text) {}

  Result<Strategy> read() {
    members_.read("name", strategy_.name);
    if (strategy_.name.empty()) members_.complain("name", "given");
    members_.read("about", strategy_.about);
    members_.read("proposer", strategy_.proposer);
    const bool model = strategy_.proposer == "model";
    if (!model && strategy_.proposer != "builtin") members_.complain("proposer", "one of builtin, model");
    read_population(model ? archive_names() : population_names());
    if (model) {
      read_model();
    } else {
      read_genomes();
    }
    if (auto error = members_.finish()) return tl::unexpected(*error);
    return strategy_;
  }

 private:
  void read_population(const std::vector<std::string>& names) {
    members_.read("population", strategy_.population);
    if (std::find(names.begin(), names.end(), strategy_.population) == names.end())
      members_.complain("population", fmt::format("one of {}", fmt::join(names, ", ")));
  }

  void read_genomes() {
    members_.read("size", strategy_.size, 1);
    members_.read("initial", strategy_.initial, 0);
    members_.read("patience", strategy_.patience, 1);
    read_operators([this](const json& entry, std::size_t at) { return read_genome_operator(entry, text_, at); });
  }

  void read_model() {
    strategy_.initial = 0;
    strategy_.patience = 20;
    members_.read("seeded", strategy_.seeded);
    members_.read("patience", strategy_.patience, 1);
    members_.read("selection", strategy_.selection, std::span<const NamedValue<Selection>>(selections));
    members_.read("schedule", strategy_.schedule, std::span<const NamedValue<Schedule>>(schedules));
    read_operators(
        [this](const json& entry, std::size_t at) { return read_model_operator(entry, text_, at, Entry::evolve); });
    read_start();
    read_repair();
    read_shape();
    read_turns();
    read_briefs();
    read_target();
    read_own();
    members_.read("opinion", strategy_.opinion, std::span<const NamedValue<OpinionUse>>(opinions));
    check_labels();
    check_beginning();
  }

  template <class Read>
  void read_operators(Read&& read) {
    const json* list = members_.find("operators");
    if (!list) return members_.complain("operators", "given");
    if (!list->is_array() || list->empty()) return members_.complain("operators", "a list that is not empty");
    const auto places = members_.elements_at("operators");
    if (places.size() != list->size()) return;  // given twice, which was said
    for (std::size_t i = 0; i < list->size(); ++i) {
      auto choice = read((*list)[i], places[i]);
      if (!choice) return members_.adopt(choice.error());
      strategy_.operators.push_back(std::move(*choice));
    }
  }

  void read_start() {
    if (const json* entry = members_.find("start")) {
      auto start = read_model_operator(*entry, text_, members_.value_at("start"), Entry::start);
      if (!start) return members_.adopt(start.error());
      strategy_.start = std::move(*start);
      if (!handed_on()) strategy_.initial = 1;
    }
    if (counted("initial")) members_.read("initial", strategy_.initial, 0);
    if (counted("valid")) members_.read("valid", strategy_.valid, 1);
  }

  // Rounds and chains begin with "start" by themselves; the others as often as is said.
  bool counted(const char* key) {
    return only(strategy_.start.has_value(), key, "there is no \"start\"") && only(!handed_on(), key, population());
  }

  void read_repair() {
    const json* entry = members_.find("repair");
    if (!entry) return;
    if (!entry->is_object()) return members_.complain("repair", "an object with tries and ingredients");
    JsonMembers repair(*entry, text_, members_.value_at("repair"));
    if (!repair.read("tries", strategy_.repair.tries, 1, 20)) repair.complain("tries", "given, from 1 to 20");
    repair.read("when", strategy_.repair.when, std::span<const NamedValue<RepairWhen>>(whens));
    read_model_members(repair, text_, Entry::repair, strategy_.repair.asked);
    if (auto error = repair.finish()) members_.adopt(*error);
  }

  void read_shape() {
    const bool grid = is("map-elites"), clusters = is("clusters"), islands = is("islands") || grid || clusters;
    if (only(is("elite") || is("islands") || clusters, "size", population())) members_.read("size", strategy_.size, 1);
    if (only(islands || is("chain"), "islands", population())) members_.read("islands", strategy_.islands, 1, 100);
    if (only(islands && strategy_.islands > 1, "exchange", "there is one island"))
      members_.read("exchange", strategy_.exchange, std::span<const NamedValue<Exchange>>(exchanges));
    if (only(strategy_.exchange != Exchange::none, "period", "nothing is exchanged"))
      members_.read("period", strategy_.period, 1);
    if (only(is("rounds") || is("tree"), "width", population())) members_.read("width", strategy_.width, 1, 100);
    if (only(is("chain"), "rounds", population())) members_.read("rounds", strategy_.rounds, 1);
    if (only(is("tree") || strategy_.schedule == Schedule::bandit, "exploration",
             "neither a tree nor a bandit is used"))
      members_.read("exploration", strategy_.exploration);
    if (only(grid || clusters, "features", population())) read_features();
    if ((is("rounds") || is("chain")) && !strategy_.start)
      members_.complain("start", fmt::format("given: population '{}' begins with it", strategy_.population));
    if (clusters && strategy_.initial < 2) members_.complain("initial", "at least 2: clusters are made of the starts");
  }

  // Rounds and chains wait by themselves.
  void read_turns() {
    if (only(!handed_on(), "generation", population())) members_.read("generation", strategy_.generation, 1, 100);
    if (only(strategy_.start && !handed_on(), "starts_first", "there is no \"start\" that it could concern") &&
        only(strategy_.generation == 0, "starts_first", "a generation waits for its starts"))
      members_.read("starts_first", strategy_.starts_first);
    if (only(is("single") || is("elite") || is("tree"), "abreast", population()))
      members_.read("abreast", strategy_.abreast, 1, 100);
  }

  void read_features() {
    const json* list = members_.find("features");
    const auto wrong = [&] {
      members_.complain("features", "a list of length, operator, speed, technique, each once");
    };
    if (!list || !list->is_array() || list->empty()) return wrong();
    for (const json& entry : *list) {
      const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
        return entry.is_string() && entry.get_ref<const std::string&>() == kind.first;
      });
      auto& features = strategy_.features;
      if (known == kinds.end() || std::find(features.begin(), features.end(), known->second) != features.end())
        return wrong();
      features.push_back(known->second);
    }
  }

  void read_briefs() {
    if (!only(strategy_.start.has_value(), "briefs", "there is no \"start\"")) return;
    const json* list = members_.find("briefs");
    if (!list) return;
    if (!list->is_array() || list->empty()) return members_.complain("briefs", "a list of sentences");
    for (const json& entry : *list) {
      if (!entry.is_string()) return members_.complain("briefs", "a list of sentences");
      strategy_.briefs.push_back(entry.get<std::string>());
    }
  }

  void read_target() {
    bool shown = aims(strategy_.repair.asked) || (strategy_.start && aims(*strategy_.start));
    for (const OperatorChoice& choice : strategy_.operators) shown = shown || aims(choice);
    unsigned target = 0;
    if (only(shown, "target", "no operator has it as an ingredient") && members_.read("target", target, 1, 10))
      strategy_.target = target;
    if (shown && !strategy_.target) members_.complain("target", "given: it is an ingredient");
  }

  void read_own() {
    if (only(shows_pairs(strategy_), "own", "no operator has examples or archive as an ingredient"))
      members_.read("own", strategy_.own);
  }

  static bool aims(const OperatorChoice& choice) {
    return std::find(choice.ingredients.begin(), choice.ingredients.end(), Ingredient::target) !=
           choice.ingredients.end();
  }

  void check_labels() {
    std::set<std::string> labels;
    for (const OperatorChoice& choice : strategy_.operators)
      if (!labels.insert(choice.label()).second)
        members_.complain("operators",
                          fmt::format("told apart: '{}' stands there twice; give one an \"as\"", choice.label()));
  }

  // Checks that the search can begin: only the original is there at first.
  void check_beginning() {
    const bool begins = std::any_of(strategy_.operators.begin(), strategy_.operators.end(), [](const auto& choice) {
      const ModelOperator* known = find_model_operator(choice.name);
      const unsigned wanted = choice.parents.value_or(known->parents);
      return std::min(std::max(known->least, 1u), wanted) <= 1 && choice.name != "contrastive";
    });
    if (!begins && !strategy_.start)
      members_.complain("start", "given: no operator here can begin with the original alone");
  }

  // False where a member would have no effect; says so if it is there.
  bool only(bool condition, const char* key, const std::string& otherwise) {
    if (condition) return true;
    if (members_.has(key)) members_.complain(key, "left out: " + otherwise);
    return false;
  }

  bool is(const char* population) const { return strategy_.population == population; }
  bool handed_on() const { return is("rounds") || is("chain"); }
  std::string population() const { return fmt::format("population '{}' does not read it", strategy_.population); }

  std::string_view text_;
  JsonMembers members_;
  Strategy strategy_;
};

void collect(std::vector<const OperatorChoice*>& all, const OperatorChoice& choice) {
  for (const OperatorChoice& adviser : choice.advised_by) collect(all, adviser);
  all.push_back(&choice);
  for (const OperatorChoice& follower : choice.followed_by) collect(all, follower);
}

}  // namespace

std::vector<const OperatorChoice*> operators_of(const Strategy& strategy) {
  std::vector<const OperatorChoice*> all;
  if (strategy.start) collect(all, *strategy.start);
  for (const OperatorChoice& choice : strategy.operators) collect(all, choice);
  if (strategy.repair.tries > 0 || !strategy.repair.asked.ingredients.empty()) collect(all, strategy.repair.asked);
  return all;
}

bool shows_pairs(const OperatorChoice& choice) {
  const auto shows = [&](Ingredient one) {
    return std::find(choice.ingredients.begin(), choice.ingredients.end(), one) != choice.ingredients.end();
  };
  return shows(Ingredient::examples) || shows(Ingredient::archive);
}

bool shows_pairs(const Strategy& strategy) {
  const auto all = operators_of(strategy);
  return std::any_of(all.begin(), all.end(), [](const OperatorChoice* choice) { return shows_pairs(*choice); });
}

namespace {

// The parser quotes a number that no double holds, and does not say where it stands.
std::size_t place_of_number(std::string_view text, std::string_view complaint) {
  const std::size_t begin = complaint.find('\''), end = complaint.rfind('\'');
  if (begin >= end) return 0;
  const std::size_t at = text.find(complaint.substr(begin + 1, end - begin - 1));
  return at == std::string_view::npos ? 0 : at;
}

}  // namespace

Result<Strategy> parse_strategy(std::string_view text) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    return failure("the strategy is not JSON", line_of(text, error.byte), error.what());
  } catch (const json::exception& error) {
    return failure("the strategy has a number that is too large", line_of(text, place_of_number(text, error.what())),
                   error.what());
  }
  if (!document.is_object()) return failure("a strategy must be a JSON object", "line 1");
  return Reader(document, text).read();
}

Result<Strategy> preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& known : presets()) {
    if (known.name == name) return parse_strategy(known.text);
    names.push_back(known.name);
  }
  return coded_failure(DiagnosticCode::bad_strategy, fmt::format("there is no strategy '{}'", name), "",
                       fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace hone::search
