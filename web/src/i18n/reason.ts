/** Why something was refused, in the language on screen; in the server's English where there are no words for it. */
import { capital, isKey, learnWords, t } from "./language.svelte";
import type { Values } from "./catalogue";
import type { Problem } from "../net/messages";
import { Refusal } from "../net/call";
import { isolated } from "./names";

type Told = Pick<Problem, "key" | "text"> & { values: object };

export function reason(problem: Told, names: string[] = []): string {
  if (!isKey(problem.key)) return capital(problem.text);
  const values = { ...problem.values } as Values;
  if (typeof values.name === "string") values.name = isolated(values.name);
  if (typeof values.seat === "number") values.name = names[values.seat] ?? String(values.seat + 1);
  return t(problem.key, values);
}

/** The same once its words are at hand: few ever need them, so they are brought when they are needed. */
export async function reasonFor(problem: Told, names: string[] = []): Promise<string> {
  const room = problem.key.split(".")[0];
  await learnWords(room, `${room}.refused`).catch(() => undefined);
  return reason(problem, names);
}

export async function reasonOf(error: unknown): Promise<string> {
  if (error instanceof Refusal) return reasonFor(error.problem);
  throw error;
}
