/** Values of a game the page knows nothing of, as words: names as they came, nothing looked into that is not plain. */

/** A name of the wire as a person would write it. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

export function plain(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(inside).join(", ");
  if (typeof value === "object") {
    const fields = Object.entries(value).map(([name, one]) => `${words(name)} ${inside(one)}`);
    return fields.join(", ") || "–";
  }
  return String(value);
}

function inside(value: unknown): string {
  return typeof value === "object" && value !== null ? `(${plain(value)})` : plain(value);
}

/** An action, close to its notation: its kind and what it is done with. */
export function label(action: object): string {
  return Object.values(action).map(plain).join(" ");
}

/** What happened: who it befell, its kind and whatever else is told of it. */
export function tell(event: object, names: string[]): string {
  const { type = "", seat, ...rest } = event as { type?: string; seat?: unknown };
  const told = Object.entries(rest).map(([name, value]) => `${words(name)} ${inside(value)}`);
  const who = typeof seat === "number" ? `${names[seat] ?? seat}: ` : "";
  return `${who}${[words(type), ...told].join(", ")}.`;
}

/** What a view shows besides whose turn it is, the options of the game among it. */
export function facts(view: object): [string, string][] {
  const { actor: _, options, ...rest } = view as { actor?: unknown; options?: object };
  return [...Object.entries(rest), ...Object.entries(options ?? {})].map(([name, value]) => [
    words(name),
    plain(value),
  ]);
}
