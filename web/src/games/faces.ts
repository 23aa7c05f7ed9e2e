/** What bots look like: a drawing each, from the folder of the game that they play. */
const FOUND = import.meta.glob<string>("./*/faces/*.svg", { eager: true, query: "?url", import: "default" });
const FACES = new Map(Object.entries(FOUND).map(([path, address]) => [/([^/]+)\.svg$/.exec(path)?.[1] ?? "", address]));

/** The address of a bot's face; null for a bot without one. */
export function faceOf(bot: string): string | null {
  return FACES.get(bot) ?? null;
}
