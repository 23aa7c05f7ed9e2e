/** What this browser saw with its own eyes: the fingerprint of a table's secret, from before its game began. */
import { keep, keptFields } from "../kept";

const STORE = "serai.fingerprints";
const MOST = 60;

export function fingerprintSeen(table: string): string | null {
  const seen = keptFields(STORE)[table];
  return typeof seen === "string" ? seen : null;
}

/** The first sight counts: a fingerprint that changes later is what this is for. */
export function rememberFingerprint(table: { id: string; phase: string; commit: string }): void {
  const seen = keptFields(STORE);
  if (table.phase !== "lobby" || table.id in seen) return;
  keep(STORE, Object.fromEntries([...Object.entries(seen).slice(1 - MOST), [table.id, table.commit]]));
}
