/** Writes TypeScript types for a JSON Schema document (standard input) to standard output. Run by `make messages`. */
import { compile } from "json-schema-to-typescript";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const types = await compile(asOlderDraft(JSON.parse(text)), "Root", {
  bannerComment: "/* Generated from `serai schema` by `make messages`: do not edit. */",
  additionalProperties: false,
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  printWidth: 120,
});
process.stdout.write(
  types
    .replace(/ \*\n \* This interface was referenced by .*\n \* via the .*\n/g, "")
    .replace(/\/\*\*\n \* This interface was referenced by .*\n \* via the .*\n \*\/\n/g, "")
    .replace(/export interface Root \{\n {2}\[k: string\]: unknown;\n\}\n/, ""),
);

/** The compiler knows tuples only in the words of an older draft. */
function asOlderDraft(schema) {
  if (Array.isArray(schema)) return schema.map(asOlderDraft);
  if (schema === null || typeof schema !== "object") return schema;
  const { prefixItems, items, ...rest } = schema;
  const older = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asOlderDraft(value)]));
  if (prefixItems) return { ...older, items: asOlderDraft(prefixItems), additionalItems: false };
  return items === undefined ? older : { ...older, items: asOlderDraft(items) };
}
