// Answers for JavaScript, one line of JSON for each line on stdin: {text, format} -> verdict.
// `ajv` compiles the portable schema in its strictest mode; a warning of its is an error here.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Ajv } from "ajv";
import { parse } from "yaml";

const fail = (...words) => {
  throw new Error(words.join(" "));
};
const ajv = new Ajv({
  strict: true,
  strictTypes: true,
  strictRequired: true,
  strictTuples: true,
  strictSchema: true,
  allowUnionTypes: false,
  logger: { log: () => {}, warn: fail, error: fail },
});
const validate = ajv.compile(JSON.parse(readFileSync(process.argv[2], "utf8")));

for await (const line of createInterface({ input: process.stdin })) {
  const { text, format } = JSON.parse(line);
  let verdict = false;
  try {
    verdict = validate(format === "json" ? JSON.parse(text) : parse(text, { logLevel: "error" }));
  } catch (error) {
    if (!(error instanceof SyntaxError) && error.name !== "YAMLParseError" && !(error instanceof ReferenceError)) throw error;
  }
  console.log(JSON.stringify(verdict));
}
