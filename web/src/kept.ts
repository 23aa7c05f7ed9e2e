/** Small things that this browser remembers, as JSON. One that stores nothing still plays: it remembers nothing. */

/** What is kept under a name; null where nothing is, or nothing that can be read. */
export function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") as unknown;
  } catch {
    return null;
  }
}

/** The fields of what is kept under a name; none where it has no fields. */
export function keptFields(name: string): Record<string, unknown> {
  const value = kept(name);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage, or where it is full, nothing is remembered.
  }
}
