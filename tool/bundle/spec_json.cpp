#include "tool/bundle/spec_json.h"

#include <cmath>
#include <stdexcept>

#include "tool/bundle/strict_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_element = 1u << 16;  // a struct of 64 KiB; larger sizes would only overflow sums
constexpr unsigned most_threads = 4096;

template <class Enum>
Enum read_enum(const Json& json, Enum last) {
  const int value = whole<int>(json);
  require(value >= 0 && value <= static_cast<int>(last), "an enumeration is out of range");
  return static_cast<Enum>(value);
}

Json write_optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> read_optional(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const auto value = json.get<double>();
  require(std::isfinite(value) && value >= 0, "a tolerance is negative or not finite");
  return value;
}

Json write_element(const ElementType& element) {
  Json fields = Json::array();
  for (const Field& field : element.fields)
    fields.push_back({{"name", field.name},
                      {"kind", static_cast<int>(field.type.kind)},
                      {"size", field.type.size},
                      {"brain", field.type.brain},
                      {"offset", field.offset},
                      {"count", field.count}});
  return {{"spelling", element.spelling}, {"size", element.size}, {"alignment", element.alignment}, {"fields", fields}};
}

bool is_scalar_size(const ScalarType& type) {
  if (type.kind == ScalarKind::floating)
    return type.size == 2 || type.size == 4 || type.size == 8 || type.size == sizeof(long double);
  return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
}

ElementType read_element(const Json& json) {
  ElementType element;
  element.spelling = json.at("spelling").get<std::string>();
  element.size = whole<std::size_t>(json.at("size"));
  element.alignment = whole<std::size_t>(json.at("alignment"));
  require(element.size > 0 && element.size <= largest_element, "an element's size is out of range");
  require(element.alignment > 0 && element.alignment <= 4096 && (element.alignment & (element.alignment - 1)) == 0,
          "an element's alignment is no power of two");
  for (const Json& item : list(json.at("fields"))) {
    Field field;
    field.name = item.at("name").get<std::string>();
    field.type.kind = read_enum(item.at("kind"), ScalarKind::floating);
    field.type.size = whole<unsigned>(item.at("size"));
    field.type.brain = item.at("brain").get<bool>();
    require(!field.type.brain || (field.type.kind == ScalarKind::floating && field.type.size == 2),
            "a field that is no bfloat16 is called one");
    field.offset = whole<std::size_t>(item.at("offset"));
    field.count = whole<std::size_t>(item.at("count"));
    require(is_scalar_size(field.type), "a field's size is none of its kind");
    require(field.count <= element.size && field.offset <= element.size &&
                field.count * field.type.size <= element.size - field.offset,
            "a field lies outside of its element");
    element.fields.push_back(std::move(field));
  }
  require(!element.fields.empty(), "an element has no fields");
  return element;
}

Json write_tolerance(const Tolerance& tolerance) {
  return {{"rtol", write_optional(tolerance.rtol)},
          {"atol", write_optional(tolerance.atol)},
          {"ulp", write_optional(tolerance.ulp)},
          {"exact", tolerance.exact}};
}

Tolerance read_tolerance(const Json& json) {
  return {read_optional(json.at("rtol")), read_optional(json.at("atol")), read_optional(json.at("ulp")),
          json.at("exact").get<bool>()};
}

Json write_init(const Init& init) {
  return {{"distribution", static_cast<int>(init.distribution)}, {"arguments", init.arguments}, {"path", init.path}};
}

Json write_parameter(const Parameter& parameter) {
  Json extent = Json::array();
  for (const Dimension& dimension : parameter.extent)
    extent.push_back({{"start", dimension.start ? Json(*dimension.start) : Json(nullptr)},
                      {"length", dimension.length},
                      {"stride", dimension.stride ? Json(*dimension.stride) : Json(nullptr)}});
  Json json{{"name", parameter.name},
            {"type", parameter.type},
            {"pointer", parameter.pointer},
            {"stream", parameter.stream},
            {"composed", parameter.composed},
            {"element", write_element(parameter.element)},
            {"role", static_cast<int>(parameter.role)},
            {"extent", std::move(extent)},
            {"tolerance", write_tolerance(parameter.tolerance)},
            {"enumerators", parameter.enumerators},
            {"alias_group", parameter.alias_group},
            {"fixed", parameter.fixed}};
  if (parameter.null) json["null"] = true;
  if (parameter.null_declared) json["null_declared"] = true;
  if (parameter.init) json["init"] = write_init(*parameter.init);
  for (const MemberInit& member : parameter.member_inits)
    json["member_inits"].push_back({{"member", member.member}, {"init", write_init(member.init)}});
  return json;
}

ExpressionId read_expression(const Json& json, unsigned count) {
  const auto id = whole<ExpressionId>(json);
  require(id < count, "an expression's number is out of range");
  return id;
}

std::vector<double> read_constants(const Json& json) {
  std::vector<double> constants;
  for (const Json& item : list(json)) {
    constants.push_back(item.get<double>());
    require(std::isfinite(constants.back()), "a constant is not finite");
  }
  require(constants.size() <= 4096, "there are too many constants");
  return constants;
}

Init read_init(const Json& json, unsigned expressions) {
  Init init;
  init.distribution = read_enum(json.at("distribution"), Distribution::file);
  for (const Json& argument : list(json.at("arguments")))
    init.arguments.push_back(read_expression(argument, expressions));
  init.path = json.at("path").get<std::string>();
  return init;
}

Parameter read_parameter(const Json& json, unsigned expressions) {
  Parameter parameter;
  parameter.name = json.at("name").get<std::string>();
  parameter.type = json.at("type").get<std::string>();
  parameter.pointer = json.at("pointer").get<bool>();
  parameter.stream = json.at("stream").get<bool>();
  require(!parameter.stream || !parameter.pointer, "a stream is no array");
  parameter.composed = json.value("composed", false);
  require(!parameter.composed || !parameter.pointer, "what is made of others is no array");
  parameter.element = read_element(json.at("element"));
  parameter.role = read_enum(json.at("role"), Role::inout);
  for (const Json& item : list(json.at("extent"))) {
    Dimension dimension;
    if (!item.at("start").is_null()) dimension.start = read_expression(item.at("start"), expressions);
    dimension.length = read_expression(item.at("length"), expressions);
    if (item.contains("stride") && !item["stride"].is_null())
      dimension.stride = read_expression(item["stride"], expressions);
    parameter.extent.push_back(dimension);
  }
  require(!parameter.pointer || !parameter.extent.empty(), "a pointer has no extent");
  parameter.null = json.value("null", false);
  parameter.null_declared = json.value("null_declared", false);
  require(!parameter.null || parameter.pointer, "a scalar may be null");
  if (json.contains("init")) parameter.init = read_init(json["init"], expressions);
  if (json.contains("member_inits"))
    for (const Json& member : list(json["member_inits"]))
      parameter.member_inits.push_back(
          {member.at("member").get<std::string>(), read_init(member.at("init"), expressions)});
  parameter.tolerance = read_tolerance(json.at("tolerance"));
  parameter.enumerators = whole_list<long long>(json.at("enumerators"));
  parameter.alias_group = whole<int>(json.at("alias_group"));
  if (json.contains("fixed")) parameter.fixed = json["fixed"].get<bool>();
  return parameter;
}

Problem read_problem(const Json& json, const std::vector<Parameter>& parameters) {
  Problem problem;
  problem.assigned = whole_list<unsigned>(json.at("assigned"));
  for (unsigned index : problem.assigned)
    require(index < parameters.size() && !parameters[index].pointer, "a problem assigns no scalar parameter");
  problem.weight = json.at("weight").get<double>();
  require(std::isfinite(problem.weight) && problem.weight >= 0, "a problem's weight is negative or not finite");
  return problem;
}

}  // namespace

Json write_spec(const KernelIdentity& kernel, const KernelData& data) {
  Json json{{"name", kernel.name},
            {"qualified_name", kernel.qualified_name},
            {"mangled_name", kernel.mangled_name},
            {"signature", kernel.signature},
            {"file", kernel.file},
            {"line", kernel.line},
            {"language", kernel.language},
            {"result_tolerance", write_tolerance(data.result_tolerance)},
            {"expression_count", data.expression_count},
            {"conditions", data.conditions},
            {"threads", data.threads},
            {"constants", data.constants},
            {"asks_for_nan", data.asks_for_nan},
            {"cuda", data.cuda},
            {"built", data.built},
            {"target", kernel.target},
            {"key", kernel.key}};
  json["parameters"] = Json::array();
  for (const Parameter& parameter : data.parameters) json["parameters"].push_back(write_parameter(parameter));
  if (data.result) json["result"] = write_element(*data.result);
  json["problems"] = Json::array();
  for (const Problem& problem : data.problems)
    json["problems"].push_back({{"assigned", problem.assigned}, {"weight", problem.weight}});
  return json;
}

KernelIdentity read_identity(const Json& json) {
  KernelIdentity kernel;
  kernel.name = json.at("name").get<std::string>();
  kernel.qualified_name = json.at("qualified_name").get<std::string>();
  kernel.mangled_name = json.at("mangled_name").get<std::string>();
  kernel.signature = json.at("signature").get<std::string>();
  kernel.file = json.at("file").get<std::string>();
  kernel.line = whole<unsigned>(json.at("line"));
  kernel.language = json.at("language").get<std::string>();
  kernel.target = json.at("target").get<std::string>();
  kernel.key = json.at("key").get<std::string>();
  return kernel;
}

KernelData read_data(const Json& json) {
  KernelData data;
  data.result_tolerance = read_tolerance(json.at("result_tolerance"));
  data.expression_count = whole<unsigned>(json.at("expression_count"));
  require(data.expression_count <= 4096, "there are too many expressions");
  if (json.contains("conditions"))
    for (const Json& condition : list(json["conditions"]))
      data.conditions.push_back(read_expression(condition, data.expression_count));
  data.threads = whole<unsigned>(json.at("threads"));
  data.constants = read_constants(json.value("constants", Json::array()));
  require(data.threads > 0 && data.threads <= most_threads, "the number of threads is out of range");
  data.cuda = json.at("cuda").get<bool>();
  data.asks_for_nan = json.value("asks_for_nan", false);
  data.built = json.value("built", false);
  for (const Json& parameter : list(json.at("parameters")))
    data.parameters.push_back(read_parameter(parameter, data.expression_count));
  if (json.contains("result")) data.result = read_element(json["result"]);
  for (const Json& problem : list(json.at("problems"))) data.problems.push_back(read_problem(problem, data.parameters));
  return data;
}

}  // namespace hone::bundle
