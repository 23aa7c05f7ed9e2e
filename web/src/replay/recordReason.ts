/** What is wrong with a record, in the language on screen, with its line. */
import { t } from "../i18n/language.svelte";
import type { Problem } from "../net/messages";
import { Refusal } from "../net/rest";
import { reasonFor, reasonOf } from "../ui/reason";

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
  reason: string;
  because?: Problem;
}

export async function recordReason(error: unknown): Promise<string> {
  if (!(error instanceof Refusal)) throw error;
  const key = KEYS.find((one) => one === error.problem.key);
  if (key === undefined) return reasonOf(error);
  const fault = error.problem.values as unknown as RecordFault;
  // Why the rules of a game forbid it: in words that come with the game, which need not have been opened yet.
  const why = fault.because === undefined ? fault.reason : await reasonFor(fault.because);
  return t(key, { line: fault.line, reason: why });
}
