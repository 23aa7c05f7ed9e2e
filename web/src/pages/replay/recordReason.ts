/** What is wrong with a record, in the language on screen and in no other, with its line. */
import { isKey, t } from "../../i18n/language.svelte";
import type { Problem } from "../../net/messages";
import { Refusal } from "../../net/rest";
import { reasonFor } from "../../i18n/reason";

const KEYS = [
  "record.foreign",
  "record.damaged",
  "record.game",
  "record.rules",
  "record.setup",
  "record.action",
  "record.hidden",
  "record.result",
] as const;

interface RecordFault {
  line: number;
  because?: Problem;
}

export async function recordReason(error: unknown): Promise<string> {
  if (!(error instanceof Refusal)) throw error;
  const key = KEYS.find((one) => one === error.problem.key);
  // What the server cannot even make out is no record.
  if (key === undefined) return (await inWords(error.problem)) ?? t("record.foreign");
  const { line, because } = error.problem.values as unknown as RecordFault;
  const why = because && (await inWords(because));
  return [t(key, { line }), why].filter(Boolean).join(" ");
}

/** A reason, where there are words for it, which may come with a game that has not been opened yet. */
async function inWords(problem: Problem): Promise<string | null> {
  const said = await reasonFor(problem);
  return isKey(problem.key) ? said : null;
}
