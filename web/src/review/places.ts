/** Where on the board an action of a review lies: each game says so in a file of its own. */
export type Places = (notation: string, seat: number) => string[];

const FILES = import.meta.glob<{ places: Places }>("../games/*/places.ts");

/** By an action and who does it, the places in the order in which they are looked for; none for a game that names none. */
export async function placesOf(game: string): Promise<Places> {
  const load = FILES[`../games/${game}/places.ts`];
  return load ? (await load()).places : () => [];
}
