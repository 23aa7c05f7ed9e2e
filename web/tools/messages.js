/**
 * Writes TypeScript types for a JSON Schema document (standard input) to standard output. Run by
 * `make messages`, which feeds it what `serai schema` says.
 */
import { compile } from "json-schema-to-typescript";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const schema = JSON.parse(text);
const name = process.argv[2];
process.stdout.write(
  await compile(schema, name, {
    bannerComment: "/* Generated from `serai schema` by `make messages`: do not edit. */",
    additionalProperties: false,
    unreachableDefinitions: true,
    declareExternallyReferenced: true,
    strictIndexSignatures: false,
    ignoreMinAndMaxItems: true,
    printWidth: 120,
  }),
);
