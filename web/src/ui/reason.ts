/** Why something was refused, in the language on screen; in the server's English where there are no words for it. */
import { capital, isKey, t } from "../i18n/language.svelte";
import type { Values } from "../i18n/catalogue";
import { Refusal } from "../net/rest";
import { isolated } from "../table/names";

export function reason(problem: { key: string; values: object; text: string }, names: string[] = []): string {
  if (!isKey(problem.key)) return capital(problem.text);
  const values = { ...problem.values } as Values;
  if (typeof values.name === "string") values.name = isolated(values.name);
  if (typeof values.seat === "number") values.name = names[values.seat] ?? String(values.seat + 1);
  return t(problem.key, values);
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return reason(error.problem);
  throw error;
}
