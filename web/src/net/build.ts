/** Whether the server still has the build that this page is of. */
import { at, ownBuild } from "../address";

export type ServerBuild = "unreachable" | "same" | "newer";

const BUILD = /name="serai-build" content="(\w+)"/;

export async function serverBuild(): Promise<ServerBuild> {
  try {
    const answer = await fetch(at("/"), { cache: "no-store" });
    if (!answer.ok) return "unreachable";
    const build = BUILD.exec(await answer.text())?.[1];
    return ownBuild === "" || build === undefined || build === ownBuild ? "same" : "newer";
  } catch {
    return "unreachable";
  }
}
