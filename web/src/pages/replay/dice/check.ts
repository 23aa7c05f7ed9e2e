/** Draws a finished game again, from what its table committed to, and says whether that gives the same game. */
import type { Draws } from "../../../net/messages";
import { fromHex, hmacSha256, joined, sha256, toHex } from "./sha256";

export interface Verdict {
  /** Whether the secret is the one that was committed to. */
  commitment: boolean;
  /** Whether that is what this browser saw before the game; null if it was not there. */
  seen: boolean | null;
  /** Whether the mix is made of the players' own values; null where these are not known (a record). */
  mix: boolean | null;
  /** Whether who begins was drawn as it should; null where that was not left to chance. */
  first: boolean | null;
  draws: number;
  /** How many were taken over from another game: nothing is said of these. */
  inherited: number;
  /** The first draw that comes out differently. */
  wrong: { n: number; drawn: string; due: string } | null;
}

const ALL = 1n << 256n;
/** The label under which it is drawn who begins, in place of a number. */
const WHO_BEGINS = new TextEncoder().encode("who begins");

/** null where the secret is not told, so that nothing can be checked. */
export function checkDice(
  { commit, mix, secret, values, draws, players, first, inherited = 0 }: Draws,
  seen: string | null,
): Verdict | null {
  if (secret === "" || mix === "") return null;
  const [key, mixed] = [fromHex(secret), fromHex(mix)];
  return {
    commitment: toHex(sha256(key)) === commit,
    seen: seen === null ? null : seen === commit,
    mix: values.length === 0 ? null : toHex(sha256(joined(...values.map(fromHex)))) === mix,
    first:
      typeof first === "number" ? Number(pointOf(key, joined(mixed, WHO_BEGINS), BigInt(players))) === first : null,
    draws: draws.length - inherited,
    inherited,
    wrong: firstWrong(key, mixed, draws, inherited),
  };
}

function firstWrong(secret: Uint8Array, mix: Uint8Array, draws: Draws["draws"], from: number): Verdict["wrong"] {
  for (const [n, { outcomes, weights, drawn }] of draws.entries()) {
    if (n < from) continue;
    const due = outcomes[outcomeAt(weights, drawPoint(secret, mix, n, total(weights)))];
    if (due !== drawn) return { n, drawn, due };
  }
  return null;
}

/** A whole number below `total`: HMAC over mix, draw number and attempt, the last incomplete multiple rejected. */
export function drawPoint(secret: Uint8Array, mix: Uint8Array, n: number, total: bigint): bigint {
  return pointOf(secret, joined(mix, eightBytes(n)), total);
}

function pointOf(secret: Uint8Array, message: Uint8Array, total: bigint): bigint {
  const limit = ALL - (ALL % total);
  for (let k = 0; ; k++) {
    const value = BigInt(`0x${toHex(hmacSha256(secret, joined(message, eightBytes(k))))}`);
    if (value < limit) return value % total;
  }
}

function outcomeAt(weights: readonly number[], point: bigint): number {
  let left = point;
  return weights.findIndex((weight) => (left -= BigInt(weight)) < 0n);
}

function total(weights: readonly number[]): bigint {
  return weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
}

function eightBytes(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(value));
  return new Uint8Array(bytes.buffer);
}

/** Whether nothing speaks against it. */
export function holds({ commitment, seen, mix, first, wrong }: Verdict): boolean {
  return commitment && seen !== false && mix !== false && first !== false && wrong === null;
}
