/** What people say: their own words, or a ready-made phrase in the language on screen. */
import { isKey, t } from "../../i18n/language.svelte";
import type { Chat } from "../../net/messages";
import { isolated } from "../../i18n/names";

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

/** Who said it: their seat, or null if that is somebody else's by now, and their name. */
export function speaker(chat: Chat, names: string[]): { seat: number | null; name: string } {
  if (!chat.name) return { seat: chat.seat, name: names[chat.seat] };
  const name = isolated(chat.name);
  const seat = names.indexOf(name);
  return { seat: seat < 0 ? null : seat, name };
}

export function said(chat: Chat): string {
  const key = `phrase.${chat.phrase ?? ""}`;
  return isKey(key) ? t(key) : isolated(chat.text ?? "");
}
