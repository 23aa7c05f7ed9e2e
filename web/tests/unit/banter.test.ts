import { expect, it } from "vitest";
import type { Feeling } from "../../src/games/game";
import type { Moment } from "../../src/session/queue";
import { Banter } from "../../src/table/talk/banter";
import { handClock } from "./handClock";

const seats = [{ kind: "person" }, { kind: "bot", bot: "fennec" }, { kind: "bot", bot: "hoopoe" }];
const moment = (n: number, events: object[], muted: number[] = []) =>
  ({ telling: { n, by: 1, events, back: false }, state: { table: { seats }, muted } }) as unknown as Moment;
/** A game in which an event is what it does to whom. */
const game = { feels: (event: object) => [event as Feeling], remark: (mood: string) => mood };
const joy = (seat: number): Feeling => ({ seat, mood: "joy" });

function company() {
  const clock = handClock();
  const faces: Feeling[] = [];
  const said: number[] = [];
  const banter = new Banter({ feel: (feeling) => faces.push(feeling), remark: (seat) => said.push(seat) }, clock.clock);
  return { banter, clock, faces, said };
}

it("shows every bot's feelings as they are seen, and says something once in a while", () => {
  const { banter, clock, faces, said } = company();
  banter.hear(moment(1, [joy(1)]), game, true);
  expect(faces).toEqual([]);
  banter.hear(moment(2, [joy(1)]), game, true);
  banter.hear(moment(2, [joy(1), joy(2)]), game, true);
  banter.hear(moment(2, [joy(1), joy(2)]), game, true);
  expect(faces).toEqual([joy(1), joy(2)]);
  expect(said).toEqual([1]);
  clock.pass(31_000);
  banter.hear(moment(3, [joy(2)]), game, true);
  expect(said).toEqual([1, 2]);
});

it("says nothing for persons, for muted bots, without sound, and of what was not watched", () => {
  const { banter, faces, said } = company();
  banter.hear(moment(1, []), game, true);
  banter.hear(moment(2, [joy(0)]), game, true);
  expect(faces).toEqual([]);
  banter.hear(moment(3, [joy(1)], [1]), game, true);
  banter.hear(moment(4, [joy(2)]), game, false);
  expect(faces).toEqual([joy(1), joy(2)]);
  banter.hear(moment(9, [joy(2)]), game, true);
  expect(faces.length).toBe(2);
  expect(said).toEqual([]);
});
