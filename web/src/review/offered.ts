/** Where reviews are offered: nearly everywhere, so they count as offered until the server says otherwise. */
import { games } from "../net/rest";

/** The games that cannot be reviewed here. */
export async function unreviewedGames(): Promise<Set<string>> {
  const all = await games().catch(() => []);
  return new Set(all.filter((game) => !game.reviews).map((game) => game.name));
}
