/** What this browser saw with its own eyes: the fingerprint of a table's secret, from before its game began. */
const STORE = "serai.fingerprints";
const MOST = 60;

type Seen = Record<string, string>;

export function fingerprintSeen(table: string): string | null {
  return remembered()[table] ?? null;
}

/** The first sight counts: a fingerprint that changes later is what this is for. */
export function rememberFingerprint(table: { id: string; phase: string; commit: string }): void {
  const seen = remembered();
  if (table.phase !== "lobby" || table.id in seen) return;
  const kept = Object.entries(seen).slice(1 - MOST);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries([...kept, [table.id, table.commit]])));
  } catch {
    // Nothing is remembered where nothing can be stored.
  }
}

function remembered(): Seen {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Seen) : {};
  } catch {
    return {};
  }
}
