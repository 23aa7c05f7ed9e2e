/** All that is asked of the server but for what goes through a socket. */
import { at, ownBuild } from "../address";
import { rememberFingerprint } from "./fingerprints";
import { call } from "./call";
import type {
  Advice,
  AskHints,
  Called,
  Claimed,
  Continue,
  Draws,
  Exercises,
  FramesPage,
  Handover,
  Hints,
  Insights,
  Joined,
  Judged,
  Kept,
  MyGame,
  NewTable,
  Odds,
  Offered,
  Posed,
  Replay,
  Replayed,
  ReplayMoment,
  Reply,
  Seen,
  Spoken,
} from "./messages";

export { games, gamesWithBots, publicTables, refused, Refusal, seeTable, unreachable } from "./call";

/** A code that leads to a table that waits for players, to be said aloud. */
export const spokenCode = (id: string): Promise<Spoken> => call("POST", `/api/tables/${encodeURIComponent(id)}/code`);
/** The table of such a code. */
export const calledTable = (code: string): Promise<Called> => call("GET", `/api/codes/${encodeURIComponent(code)}`);

export async function createTable(table: NewTable): Promise<Seen> {
  const seen: Seen = await call("POST", "/api/tables", table);
  // Before anybody has sat down, as it must be.
  rememberFingerprint(seen.table);
  return seen;
}

/** A table whose game goes on from a moment of a finished one. */
export async function continueGame(wanted: Continue): Promise<Seen> {
  const seen: Seen = await call("POST", "/api/continued", wanted);
  rememberFingerprint(seen.table);
  return seen;
}

/** What a game can tell of a position in its notation. */
export async function oddsOf<Odds>(game: string, asked: Record<string, string>): Promise<Odds> {
  const answer = await call<{ odds: Odds }>("GET", `/api/games/${game}/odds?${new URLSearchParams(asked)}`);
  return answer.odds;
}

/** Every frame of a table so far, as a seat of one's own or an onlooker may see it; they come page by page. */
export async function frames(id: string, seat: number | null): Promise<Reply[]> {
  const found: Reply[] = [];
  for (let after: number | null | undefined = -1; typeof after === "number";) {
    const query = new URLSearchParams({ after: String(after), ...(seat === null ? {} : { seat: String(seat) }) });
    const page: FramesPage = await call("GET", `/api/tables/${encodeURIComponent(id)}/frames?${query}`);
    found.push(...page.frames);
    after = page.next;
  }
  return found;
}

/** One's finished games, the newest first. */
export const myGames = (): Promise<MyGame[]> => call("GET", "/api/mine");

/** The frames of a record that somebody has as a text; they come page by page. */
export async function replayed(replay: Replay): Promise<Replayed> {
  const answer: Replayed = await call("POST", "/api/replay", replay);
  for (let after = answer.next; typeof after === "number";) {
    const page: Replayed = await call("POST", "/api/replay", { ...replay, after });
    answer.frames.push(...page.frames);
    after = page.next;
  }
  return answer;
}
export const lessonOf = (game: string): Promise<Replayed> =>
  call("GET", `/api/games/${encodeURIComponent(game)}/lesson`);

/** What there is to train with in a game. */
export const exercisesOf = (game: string): Promise<Exercises> =>
  call("GET", `/api/exercises/${encodeURIComponent(game)}`);
export const exerciseOf = (game: string, id: string): Promise<Posed> => call("GET", exerciseAddress(game, id));
/** What many games of a game teach. */
export const insightsOf = (game: string): Promise<Insights> => call("GET", `/api/insights/${encodeURIComponent(game)}`);
/** What doing this would have been worth there. */
export const answerTo = (game: string, id: string, action: object): Promise<Judged> =>
  call("POST", exerciseAddress(game, id), { action });
export const drawsOf = (id: string): Promise<Draws> => call("GET", `/api/tables/${encodeURIComponent(id)}/draws`);

/** All that is kept about oneself. */
export const keptAboutMe = (): Promise<Kept> => call("GET", "/api/me");
export const forgetMe = (): Promise<undefined> => call("DELETE", "/api/me");
/** A word to the host about a player. */
export const reportPlayer = (id: string, seat: number, text: string): Promise<null> =>
  call("POST", `/api/tables/${encodeURIComponent(id)}/reports`, { seat, text });

/** A code that takes one's seats to another device; an earlier one is good for nothing from then on. */
export const offerSeats = (): Promise<Handover> => call("POST", "/api/handover");
export const withdrawOffer = (): Promise<undefined> => call("DELETE", "/api/handover");
/** What claiming a code would mean for this device, which the server knows again from then on. */
export const lookAtOffer = (code: string): Promise<Offered> => call("POST", "/api/handover/look", { code });
export const claimSeats = (code: string, drop: boolean): Promise<Claimed> =>
  call("POST", "/api/handover/claim", { code, drop });

export function join(id: string, name: string, seat?: number): Promise<Joined> {
  const body = { id: messageId(), name, value: randomHex(32), ...(seat === undefined ? {} : { seat }) };
  return call("POST", `/api/tables/${encodeURIComponent(id)}/seats`, body);
}

/** The odds of the game at a table, as a seat of one's own, or an onlooker, sees it. */
export const tableOdds = (id: string, seat: number | null): Promise<Odds> => call("GET", seenBy(id, "odds", seat));
/** The advice for it: now, or after an entry. */
export const tableAdvice = (id: string, seat: number | null, n?: number): Promise<Advice> =>
  call("GET", seenBy(id, "advice", seat, n));

function seenBy(id: string, what: "odds" | "advice", seat: number | null, n?: number): string {
  const query = [...(seat === null ? [] : [`seat=${seat}`]), ...(n === undefined ? [] : [`n=${n}`])].join("&");
  return `/api/tables/${encodeURIComponent(id)}/${what}?${query}`;
}
/** The same of a record. */
export const recordAdvice = (moment: ReplayMoment): Promise<Advice> => call("POST", "/api/replay/advice", moment);
export const lessonAdvice = (game: string, n: number): Promise<Advice> =>
  call("GET", `/api/games/${encodeURIComponent(game)}/lesson/advice?n=${n}`);

/** What the coach would do; the table remembers who was told. */
export const hintsAt = (id: string, asked: AskHints): Promise<Hints> =>
  call("POST", `/api/tables/${encodeURIComponent(id)}/hints`, asked);

export const recordAddress = (id: string): string => at(`/api/tables/${encodeURIComponent(id)}/record`);
export async function recordOf(id: string): Promise<string> {
  return (await fetch(recordAddress(id))).text();
}
export const inviteAddress = (id: string): string => at(`/api/tables/${encodeURIComponent(id)}/invite.svg`);

export function socketAddress(id: string, seen: number | null, seat: number | null | undefined): string {
  const query = new URLSearchParams();
  if (seat !== undefined) query.set("seat", seat === null ? "none" : String(seat));
  if (seen !== null) query.set("seen", String(seen));
  if (ownBuild !== "") query.set("build", ownBuild);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}${at(`/api/tables/${encodeURIComponent(id)}/socket`)}?${query}`;
}

/** An id for a message, never used before. */
export function messageId(): string {
  return randomHex(12);
}

function randomHex(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function exerciseAddress(game: string, id: string): string {
  return `/api/exercises/${encodeURIComponent(game)}/${encodeURIComponent(id)}`;
}

/** What the host asks, with their key. */
export const asHost = <Answer>(
  key: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
): Promise<Answer> => call(method, `/api/admin/${path}`, body, { "X-Serai-Key": key });
