/** What people say: their own words, or a ready-made phrase in the language on screen. */
import { isKey, t } from "../i18n/language.svelte";
import type { Chat } from "../net/messages";
import { isolated } from "./names";

export const PHRASES = [
  "hello",
  "good_luck",
  "well_played",
  "thanks",
  "oops",
  "hurry",
  "moment",
  "again",
  "goodbye",
] as const;

export function said(chat: Chat): string {
  const key = `phrase.${chat.phrase ?? ""}`;
  return isKey(key) ? t(key) : isolated(chat.text ?? "");
}
