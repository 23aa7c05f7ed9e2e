/**
 * Writes the TypeScript types of everything that travels, from the JSON Schema on standard input: what is common to
 * all games, and for every game that has a folder here its own values. With --check it only says what is out of date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const definitions = Object.entries(JSON.parse(text).$defs);
const folders = readdirSync("src/games").filter((name) => definitions.some(([key]) => key.startsWith(`${name}.`)));
const targets = [
  { file: "src/net/messages.ts", prefix: "" },
  ...folders.map((game) => ({ file: `src/games/${game}/messages.ts`, prefix: `${game}.` })),
];

const outdated = [];
for (const { file, prefix } of targets) {
  const types = (await typesOf(prefix)) + (prefix ? "" : limits());
  if (existsSync(file) && readFileSync(file, "utf8") === types) continue;
  outdated.push(file);
  if (!process.argv.includes("--check")) writeFileSync(file, types);
}
if (process.argv.includes("--check") && outdated.length > 0) {
  console.error(`${outdated.join(", ")}: out of date; run make messages`);
  process.exitCode = 1;
}

async function typesOf(prefix) {
  const own = definitions
    .filter(([key]) => (prefix ? key.startsWith(prefix) : !key.includes(".")))
    .map(([key, value]) => [key.slice(prefix.length), value]);
  const $defs = JSON.parse(JSON.stringify(Object.fromEntries(own)).replaceAll(`"#/$defs/${prefix}`, '"#/$defs/'));
  const types = await compile(asOlderDraft({ $defs }), "Root", {
    bannerComment: "/* Generated from `serai schema` by `make messages`: do not edit. */",
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    printWidth: 120,
  });
  return types
    .replace(/ \*\n \* This interface was referenced by .*\n \* via the .*\n/g, "")
    .replace(/\/\*\*\n \* This interface was referenced by .*\n \* via the .*\n \*\/\n/g, "")
    .replace(/export interface Root \{\n {2}\[k: string\]: unknown;\n\}\n/, "");
}

/** What the page must know before it sends something. */
function limits() {
  const { maxLength } = Object.fromEntries(definitions).Replay.properties.record;
  return `\n/** Characters of the longest record that a server reads. */\nexport const LONGEST_RECORD = ${maxLength};\n`;
}

/** The compiler knows tuples only in the words of an older draft. */
function asOlderDraft(schema) {
  if (Array.isArray(schema)) return schema.map(asOlderDraft);
  if (schema === null || typeof schema !== "object") return schema;
  const { prefixItems, items, ...rest } = schema;
  const older = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asOlderDraft(value)]));
  if (prefixItems) return { ...older, items: asOlderDraft(prefixItems), additionalItems: false };
  return items === undefined ? older : { ...older, items: asOlderDraft(items) };
}
