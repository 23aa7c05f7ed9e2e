/** Asking the server, and what the first screen asks. A refusal is thrown as a `Refusal`, whose reason can be said in words. */
import { at } from "../address";
import type { GameInfo, Problem, Seen, TableInfo } from "./messages";

export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.text);
  }
}

export const games = (): Promise<GameInfo[]> => call("GET", "/api/games");

/** The same once every bot has been tried: a server that has just started offers more of them a moment later. */
export const gamesWithBots = (): Promise<GameInfo[]> => call("GET", "/api/games?tried=true");
export const publicTables = (game = ""): Promise<TableInfo[]> =>
  call("GET", game === "" ? "/api/tables" : `/api/tables?game=${encodeURIComponent(game)}`);
export const seeTable = (id: string): Promise<Seen> => call("GET", `/api/tables/${encodeURIComponent(id)}`);

export async function call<Answer>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(at(path), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
    });
  } catch {
    throw unreachable();
  }
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Answer;
  throw await refused(response);
}

/** Why there is no answer at all. */
export const unreachable = (): Refusal =>
  new Refusal({ key: "page.unreachable", values: {}, text: "the server cannot be reached" });

/** Why an answer is not what was asked for. */
export async function refused(response: Response): Promise<Refusal> {
  const problem: unknown = await response.json().catch(() => null);
  if (isProblem(problem)) return new Refusal(problem);
  return new Refusal({ key: "page.unexpected", values: { status: response.status }, text: response.statusText });
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "key" in value && "text" in value;
}
