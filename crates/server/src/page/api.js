// Renders openapi.json: paths, parameters, answers, and examples to try.

import { ask } from "./ask.js";

const make = (tag, attributes = {}, ...content) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...content);
  return element;
};

/** Returns the name of a schema's type: 'string', 'win | loss | draw', 'Answer'. */
function typeName({ $ref, type, enum: values, items } = {}) {
  if ($ref) return $ref.split("/").at(-1);
  if (values) return values.join(" | ");
  if (items) return `list of ${typeName(items)}`;
  return [type].flat().join(" or ");
}

/** Returns a definition list of names with their types and descriptions. */
function terms(entries) {
  return make("dl", {}, ...entries.flatMap(([name, type, words]) => [
    make("dt", {}, make("code", {}, name), ` ${type}`),
    make("dd", {}, words ?? ""),
  ]));
}

/** Returns a request with the parameters' examples, or null if a required one has no example. */
function example(path, { parameters = [] }) {
  if (parameters.some((one) => one.required && one.example === undefined)) return null;
  const given = parameters.filter((one) => one.example !== undefined);
  const inPath = given.filter((one) => one.in === "path").reduce((found, one) => found.replace(`{${one.name}}`, one.example), path);
  const query = given.filter((one) => one.in === "query").map((one) => `${one.name}=${encodeURIComponent(one.example).replaceAll("%40", "@")}`);
  return inPath + (query.length ? `?${query.join("&")}` : "");
}

/** Returns a button that sends the example request and shows the answer below. */
function asked(path) {
  const shown = make("pre", { hidden: true, tabIndex: 0 });
  const button = make("button", { type: "button", className: "small" }, "Send");
  button.addEventListener("click", async () => {
    shown.hidden = false;
    shown.textContent = await ask(path.slice(1)).then((answer) => JSON.stringify(answer, null, 1), (error) => error.message);
  });
  return make("div", {}, make("p", {}, make("a", { href: path.slice(1) }, path), " ", button), shown);
}

function section(path, method, operation) {
  const parameters = operation.parameters ?? [];
  const body = Object.entries(operation.requestBody?.content ?? {});
  const box = make("section", {}, make("h2", {}, make("span", { className: "method" }, method.toUpperCase()), ` ${path}`), make("p", {}, operation.summary));
  if (operation.description) box.append(make("p", { className: "note" }, operation.description));
  if (parameters.length) {
    box.append(make("h3", {}, "Parameters"), terms(parameters.map((one) => [one.name, `${typeName(one.schema)}${one.required ? ", required" : ""}`, one.description])));
  }
  if (body.length) box.append(make("h3", {}, "Body"), terms(body.map(([type, { schema, example }]) => [type, typeName(schema), example ?? ""])));
  const responses = Object.entries(operation.responses).map(([status, { description, content }]) => [status, typeName(Object.values(content ?? {})[0]?.schema), description]);
  box.append(make("h3", {}, "Answers"), terms(responses));
  const question = method === "get" && !path.startsWith("/tables") && path !== "/openapi.json" && example(path, operation);
  if (question) box.append(make("h3", {}, "Try it"), asked(question));
  return box;
}

function schemas(found) {
  const boxes = Object.entries(found).map(([name, schema]) => {
    const fields = Object.entries(schema.properties ?? {}).map(([field, one]) => [field, typeName(one), one.description]);
    return make("details", {}, make("summary", {}, name), make("p", {}, schema.description ?? typeName(schema)), terms(fields));
  });
  return make("section", {}, make("h2", {}, "Types"), ...boxes);
}

try {
  const { paths, components } = await ask("openapi.json");
  const sections = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => section(path, method, operation)));
  document.getElementById("paths").append(...sections, schemas(components.schemas));
} catch (error) {
  Object.assign(document.getElementById("problem"), { hidden: false, textContent: error.message });
}
