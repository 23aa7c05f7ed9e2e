/** What is wrong with a record, in the language on screen, with its line. */
import { t } from "../i18n/language.svelte";
import type { Problem } from "../net/messages";
import { Refusal } from "../net/rest";
import { reason, reasonOf } from "../ui/reason";

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

export function recordReason(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const key = KEYS.find((one) => one === error.problem.key);
  if (key === undefined) return reasonOf(error);
  const fault = error.problem.values as unknown as RecordFault;
  const why = fault.because === undefined ? fault.reason : reason(fault.because);
  return t(key, { line: fault.line, reason: why });
}
