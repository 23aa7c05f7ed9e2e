import { beforeEach, describe, expect, it } from "vitest";
import type { AdviceParts } from "../../../src/games/pharaoh/adviser.svelte";
import type { Action, Advice, PharaohState, Reached } from "../../../src/games/pharaoh/messages";
import { sceneOf } from "../../../src/games/pharaoh/scene";
import { Turns, type Turn } from "../../../src/games/pharaoh/turn.svelte";
import type { TableInfo } from "../../../src/net/messages";
import type { Moment } from "../../../src/session/queue";
import type { TableState } from "../../../src/session/state";
import { handClock } from "../../unit/handClock";
import { C1, C2, C3, view } from "./view";

const C4 = 20;
const END: Action = { type: "end" };
const walks = (...cells: number[]): Action[] => cells.map((cell) => ({ type: "archaeologist", cell }));
const helps = (...cells: number[]): Action[] => cells.map((cell) => ({ type: "helper", cell }));
const turned = (cell: number, ...ways: number[]): Action[] =>
  ways.map((openings) => ({ type: "turn", cell, openings }));

const NO_ADVICE: Advice = {
  whys: [],
  abilities: [],
  reach: [],
  dangers: [],
  shut_in: [],
  omens: [],
  homes: [],
  collapse: null,
  photos: [],
};
const TO_C4: Reached = { figure: "archaeologist", cell: C4, steps: [C2, C3, C4], way: [C1, C2, C3, C4] };

interface Position {
  on?: number;
  actions?: Action[];
  view?: Partial<PharaohState>;
  undo?: boolean;
  resting?: boolean;
  state?: Partial<TableState>;
}

/** A table whose time is wound and whose server is played by the test. */
class Table {
  readonly time = handClock();
  readonly sent: Action[] = [];
  /** Answers to what was asked, in the order in which it was asked. */
  readonly answers: ((advice: Advice | null) => void)[] = [];
  advising = false;
  careful = false;
  readonly turns: Turns;
  private position: Required<Position> = {
    on: 1,
    actions: [],
    view: {},
    undo: false,
    resting: true,
    state: {},
  };

  constructor(position: Position, advising = false) {
    this.advising = advising;
    this.turns = new Turns(
      {
        clock: this.time.clock,
        act: (action) => this.sent.push(action),
        advise: () => (this.advising ? ({ on }) => this.ask(on) : undefined),
        loadAdvice: () => Promise.resolve({} as AdviceParts),
        careful: () => this.careful,
      },
      this.moment(position),
    );
    this.show({});
  }

  get turn(): Turn {
    return this.turns.current;
  }

  show(position: Position): void {
    this.turns.show(this.moment(position));
  }

  /** The last action is on its way: nothing is on offer on the position that is still shown. */
  wait(): void {
    this.show({ actions: [] });
  }

  /** The next position, first while it is being played, then at rest. */
  goOn(position: Position): void {
    this.show({ actions: [], resting: false });
    this.show({ on: this.position.on + 1, resting: true, ...position });
  }

  async advise(advice: Partial<Advice> | null): Promise<void> {
    this.answers.shift()!(advice && { ...NO_ADVICE, ...advice });
    await settled();
  }

  /** What touching each cell does, where it does something. */
  get offered(): Record<number, string> {
    const found = [...this.turn.offered].filter(([, { kind }]) => kind !== "why");
    return Object.fromEntries(found.map(([cell, { kind }]) => [cell, kind]));
  }

  private async ask(on: number): Promise<{ game: string; on: number; advice: Advice }> {
    const advice = await new Promise<Advice | null>((answer) => this.answers.push(answer));
    if (advice === null) throw new Error("no answer");
    return { game: "pharaoh", on, advice };
  }

  private moment(position: Position): Moment {
    this.position = { ...this.position, ...position };
    const { on, actions, undo, resting } = this.position;
    const table = { phase: "playing", table_rules: { advice: true } } as TableInfo;
    const state = { on, actions, undo, seat: 0, table, ...this.position.state } as TableState;
    const scene = sceneOf(view(this.position.view));
    return { state, scene, ms: 0, resting, actor: 0, log: [], telling: null, missed: [], odds: null };
  }
}

/** All that has been promised and needs no time has come. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("the figure in hand", () => {
  it("is the archaeologist at first, and the one that was chosen from then on", () => {
    const table = new Table({ actions: [...walks(C2), ...helps(C3), END] });
    expect(table.turn.figure).toBe("archaeologist");
    expect(table.offered).toEqual({ [C1]: "pick", [C2]: "walk" });
    table.turn.pick("helper");
    expect(table.offered).toEqual({ [C1]: "pick", [C3]: "walk" });
    table.goOn({ actions: [...walks(C2), ...helps(C2), END] });
    expect(table.turn.figure).toBe("helper");
  });

  it("is the other one where only that can move, which then stays in hand", () => {
    const table = new Table({ actions: [...helps(C2), END] });
    expect(table.turn.figure).toBe("helper");
    table.turn.choose(C2);
    expect(table.sent).toEqual(helps(C2));
    table.goOn({ actions: [...walks(C2), ...helps(C3), END] });
    expect(table.turn.figure).toBe("helper");
  });

  it("changes where the other figure is touched on the board", () => {
    const table = new Table({ actions: [...walks(C2), ...helps(C3), END], view: { helpers: [C3, C1] } });
    table.turn.choose(C3);
    expect(table.turn.figure).toBe("helper");
    expect(table.sent).toEqual([]);
  });

  it("says why it can do nothing, and what it can do when it is picked again", () => {
    const table = new Table({ actions: [...walks(C2), END] });
    table.turn.pick("helper");
    expect(table.turn.asked).toEqual({ figure: "helper" });
    table.turn.pick("archaeologist");
    expect(table.turn.asked).toEqual({ figure: "archaeologist" });
  });
});

describe("touching a cell", () => {
  it("does at once what is on offer there", () => {
    const table = new Table({ actions: [...walks(C2), { type: "reveal", cell: 3 }, END] });
    table.turn.choose(3);
    table.turn.choose(C2);
    expect(table.sent).toEqual([{ type: "reveal", cell: 3 }, ...walks(C2)]);
  });

  it("does nothing where nothing is on offer and nobody explains", () => {
    const table = new Table({ actions: [...walks(C2), END] });
    table.turn.choose(C4);
    expect([table.sent, table.turn.asked]).toEqual([[], null]);
  });

  it("asks why not, with what is in hand, until the position changes", () => {
    const table = new Table({ actions: [...walks(C2), ...turned(C3, 5), END] }, true);
    table.turn.choose(C4);
    expect(table.turn.asked).toEqual({ hand: "archaeologist", cell: C4 });
    table.turn.toggleTurning();
    table.turn.choose(C4);
    expect(table.turn.asked).toEqual({ hand: "turn", cell: C4 });
    table.goOn({ actions: [] });
    expect(table.turn.asked).toBeNull();
    table.turn.choose(C4);
    expect(table.turn.asked, "while others play").toEqual({ hand: null, cell: C4 });
  });
});

describe("a walk of several moves", () => {
  let table: Table;
  beforeEach(async () => {
    table = new Table({ actions: [...walks(C2), END], view: { plies: 1 } }, true);
    await table.advise({ reach: [TO_C4] });
  });

  it("is shown at the first touch and begun at the second", () => {
    expect(table.offered[C4]).toBe("go");
    table.turn.choose(C4);
    expect([table.turn.far, table.sent]).toEqual([TO_C4, []]);
    table.turn.choose(C4);
    expect([table.turn.far, table.sent]).toEqual([null, walks(C2)]);
  });

  it("sends each move once, when the one before has been shown", () => {
    begin();
    table.show({ actions: [], resting: false });
    table.show({ on: 2, actions: [], resting: false });
    table.time.pass(10_000);
    expect(table.sent, "while the first is being shown").toEqual(walks(C2));
    table.show({ actions: [...walks(C1, C3), END], resting: true });
    table.show({});
    expect(table.sent).toEqual(walks(C2, C3));
    table.wait();
    table.time.pass(10_000);
    expect(table.sent).toEqual(walks(C2, C3));
    table.goOn({ actions: [...walks(C4), END] });
    expect(table.sent).toEqual(walks(C2, C3, C4));
    table.wait();
    table.goOn({ actions: [...walks(C3), END] });
    table.time.pass(10_000);
    expect(table.sent, "at its goal").toEqual(walks(C2, C3, C4));
  });

  it("ends where its next move is not on offer", () => {
    begin();
    table.goOn({ actions: [...walks(C1), END] });
    table.goOn({ actions: [...walks(C3), END] });
    expect(table.sent).toEqual(walks(C2));
  });

  it("ends where a move is refused", () => {
    begin();
    table.show({ actions: [...walks(C2), END] });
    table.goOn({ actions: [...walks(C2, C3), END] });
    expect(table.sent).toEqual(walks(C2));
  });

  it("ends where anything else is touched meanwhile", () => {
    begin();
    table.turn.choose(3);
    table.goOn({ actions: [...walks(C3), END] });
    expect(table.sent).toEqual(walks(C2));
  });

  it("ends where something else is done instead, as where a move leads nowhere", () => {
    table.turn.choose(C4);
    table.turn.choose(C4);
    table.turn.act({ type: "lamp" });
    table.goOn({ actions: [...walks(C3), END] });
    expect(table.sent).toEqual([...walks(C2), { type: "lamp" }]);
  });

  it("does not go on in another turn", () => {
    begin();
    table.goOn({ actions: [] });
    table.goOn({ actions: [...walks(C3), END] });
    expect(table.sent).toEqual(walks(C2));
  });

  it("goes on where a finger is down", () => {
    begin();
    table.turns.touch();
    table.goOn({ actions: [...walks(C3), END] });
    expect(table.sent).toEqual(walks(C2, C3));
  });

  it("is forgotten where something else is touched after the first touch", () => {
    table.turn.choose(C4);
    table.turn.choose(3);
    table.turn.choose(C4);
    expect([table.turn.far, table.sent]).toEqual([TO_C4, []]);
    table.turn.dismiss();
    expect(table.turn.far).toBeNull();
  });

  function begin(): void {
    table.turn.choose(C4);
    table.turn.choose(C4);
    table.wait();
  }
});

describe("a tile just revealed", () => {
  // Open to the south it leads to the archaeologist, who stands below.
  const lays: Action[] = [0b0011, 0b0110, 0b1100].map((openings) => ({ type: "lay", openings }));
  const revealed = { actions: lays, view: { site: C2, drawn: 1 } };

  it("lies open towards the archaeologist, is turned as it may lie, and laid", () => {
    const table = new Table(revealed);
    expect(table.turn.laying).toBe(true);
    expect(table.turn.tile).toEqual({ cell: C2, openings: 0b0110 });
    expect(table.offered, "nothing else can be done").toEqual({});
    table.turn.rotate();
    expect(table.turn.tile).toEqual({ cell: C2, openings: 0b1100 });
    table.turn.rotate();
    expect(table.turn.tile).toEqual({ cell: C2, openings: 0b0011 });
    expect(table.sent).toEqual([]);
    table.turn.confirm();
    expect(table.sent).toEqual([lays[0]]);
  });

  it("cannot be put away", () => {
    const table = new Table(revealed);
    table.turn.dismiss();
    table.turn.cancel();
    expect(table.turn.tile).toEqual({ cell: C2, openings: 0b0110 });
  });

  it("begins anew with every tile", () => {
    const table = new Table(revealed);
    table.turn.rotate();
    table.turn.confirm();
    table.goOn({ actions: lays, view: { site: C2, drawn: 1 } });
    expect(table.turn.tile).toEqual({ cell: C2, openings: 0b0110 });
  });

  it("is not turned while it is on its way", () => {
    const table = new Table(revealed);
    table.turn.confirm();
    table.wait();
    table.turn.rotate();
    table.turn.confirm();
    expect(table.sent).toEqual([lays[1]]);
  });
});

describe("a tile that the helper turns", () => {
  const tiles = view().tiles.map((code, cell) => (cell === C2 ? 0b0101 : cell === C3 ? 0b0011 : code));
  const actions = [...walks(C2), ...helps(C2), ...turned(C2, 0b1010), ...turned(C3, 0b0110, 0b1100), END];
  let table: Table;
  beforeEach(() => {
    table = new Table({ actions, view: { tiles } });
    table.turn.pick("helper");
  });

  it("is marked where touching it does something else", () => {
    expect(table.offered).toEqual({ [C1]: "pick", [C2]: "walk", [C3]: "turn" });
    expect([...table.turn.turnable]).toEqual([C2]);
    table.turn.toggleTurning();
    expect(table.offered).toEqual({ [C1]: "pick", [C2]: "turn", [C3]: "turn" });
    expect([...table.turn.turnable]).toEqual([]);
  });

  it("is turned once as it is taken, on by hand, and stays so when that is confirmed", () => {
    table.turn.choose(C3);
    expect(table.turn.tile).toEqual({ cell: C3, openings: 0b0110 });
    expect(table.turn.laying).toBe(false);
    table.turn.rotate();
    expect(table.turn.tile).toEqual({ cell: C3, openings: 0b1100 });
    table.turn.confirm();
    expect(table.sent).toEqual(turned(C3, 0b1100));
  });

  it("is left as it was when the helper changes its mind", () => {
    table.turn.choose(C3);
    table.turn.cancel();
    expect([table.turn.tile, table.sent]).toEqual([null, []]);
    table.turn.choose(C3);
    table.turn.dismiss();
    expect([table.turn.tile, table.sent]).toEqual([null, []]);
  });

  it("is let go where something else is touched", async () => {
    const advised = new Table({ actions, view: { tiles, plies: 1 } }, true);
    await advised.advise({});
    advised.turn.pick("helper");
    advised.turn.choose(C3);
    advised.turn.choose(C4);
    expect([advised.turn.tile, advised.turn.asked]).toEqual([null, null]);
  });

  it("is put away by what happens meanwhile, such as an undo", () => {
    table.turn.toggleTurning();
    table.turn.choose(C3);
    table.goOn({ actions });
    expect([table.turn.tile, table.turn.turning]).toEqual([null, false]);
  });

  it("is turned no more when the archaeologist is picked or turning is switched off", () => {
    table.turn.toggleTurning();
    table.turn.toggleTurning();
    expect(table.turn.turnsTiles).toBe(false);
    table.turn.toggleTurning();
    table.turn.pick("archaeologist");
    expect(table.turn.turnsTiles).toBe(false);
    table.turn.toggleTurning();
    expect([table.turn.turnsTiles, table.turn.figure]).toEqual([true, "helper"]);
  });
});

describe("ending a turn", () => {
  const actions = [...walks(C2), END];
  const FATAL: Partial<Advice> = { dangers: [{ figure: "archaeologist", lost: true }] };

  it("is done at once where nothing speaks against it", async () => {
    const table = new Table({ actions });
    table.turn.act(END);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[END], false]);
  });

  it("asks first where moves are left and the player wants to be asked", async () => {
    const table = new Table({ actions });
    table.careful = true;
    table.turn.act(END);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[], true]);
    table.turn.endAtLast();
    expect(table.sent).toEqual([END]);
  });

  it("does not ask a careful player who has no move left, or can do nothing", async () => {
    for (const position of [{ actions, view: { moves_left: 0 } }, { actions: [END] }]) {
      const table = new Table(position);
      table.careful = true;
      table.turn.act(END);
      await settled();
      expect([table.sent, table.turn.asksToEnd]).toEqual([[END], false]);
    }
  });

  it("asks where advice has warned of it", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    await table.advise(FATAL);
    table.turn.act(END);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[], true]);
  });

  it("waits for advice that is on its way, and asks if it warns", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.turn.act(END);
    await settled();
    table.time.pass(2999);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[], false]);
    await table.advise(FATAL);
    expect([table.sent, table.turn.asksToEnd]).toEqual([[], true]);
  });

  it("waits for advice that is on its way, and ends if it is harmless", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.turn.act(END);
    await table.advise({});
    expect([table.sent, table.turn.asksToEnd]).toEqual([[END], false]);
    table.time.pass(10_000);
    await settled();
    expect(table.sent, "once").toEqual([END]);
  });

  it("asks for advice that nobody has asked for", async () => {
    const table = new Table({ actions }, true);
    expect(table.answers).toHaveLength(0);
    table.turn.act(END);
    expect(table.answers).toHaveLength(1);
    await table.advise(FATAL);
    expect(table.turn.asksToEnd).toBe(true);
  });

  it("waits no longer than three seconds for advice that does not come", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.turn.act(END);
    table.time.pass(3000);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[END], false]);
  });

  it("does not wait for advice that fails", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.turn.act(END);
    await table.advise(null);
    expect(table.sent).toEqual([END]);
  });

  it("does not end a position that is shown by the time advice comes", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.turn.act(END);
    table.show({ on: 2 });
    await table.advise(FATAL);
    table.time.pass(10_000);
    await settled();
    expect([table.sent, table.turn.asksToEnd]).toEqual([[], false]);
  });

  it("puts the question away with the position that it was about", async () => {
    const table = new Table({ actions });
    table.careful = true;
    table.turn.act(END);
    await settled();
    table.goOn({ actions });
    expect(table.turn.asksToEnd).toBe(false);
  });
});

describe("a turn in which nothing is left to do", () => {
  it("ends by itself, once", () => {
    const table = new Table({ actions: [END] });
    expect([table.turn.endsAfter, table.turn.countdown]).toEqual([900, { ms: 900 }]);
    table.time.pass(899);
    table.show({});
    expect(table.sent).toEqual([]);
    table.time.pass(1);
    expect([table.sent, table.turn.countdown]).toEqual([[END], null]);
    table.show({});
    table.time.pass(10_000);
    expect(table.sent).toEqual([END]);
  });

  it("leaves time to undo", () => {
    const table = new Table({ actions: [END], undo: true });
    table.time.pass(4999);
    expect(table.sent).toEqual([]);
    table.time.pass(1);
    expect(table.sent).toEqual([END]);
  });

  it("does not end where the last step is taken back, or the page is left", () => {
    const table = new Table({ actions: [END], undo: true });
    table.goOn({ actions: [...walks(C2), END] });
    table.time.pass(10_000);
    table.goOn({ actions: [END] });
    table.turns.leave();
    table.time.pass(10_000);
    expect(table.sent).toEqual([]);
  });

  it("does not end while something else is left", () => {
    const table = new Table({ actions: [{ type: "drop" }, END] });
    table.time.pass(10_000);
    expect([table.turn.endsAfter, table.sent]).toEqual([0, []]);
  });

  it("does not end under a finger: its time begins anew when that is lifted", () => {
    const table = new Table({ actions: [END] });
    table.time.pass(800);
    table.turns.touch();
    expect([table.turn.endsAfter, table.turn.countdown]).toEqual([900, null]);
    table.show({});
    table.time.pass(10_000);
    expect(table.sent).toEqual([]);
    table.turns.release();
    table.time.pass(899);
    expect(table.sent).toEqual([]);
    table.time.pass(1);
    expect(table.sent).toEqual([END]);
  });

  it("begins its time anew with every key", () => {
    const table = new Table({ actions: [END] });
    for (let press = 0; press < 3; press += 1) {
      table.time.pass(800);
      table.turns.press();
    }
    expect(table.sent).toEqual([]);
    table.time.pass(900);
    expect(table.sent).toEqual([END]);
  });

  it("tries again after a refusal", () => {
    const table = new Table({ actions: [END] });
    table.time.pass(900);
    table.wait();
    table.show({ actions: [END] });
    table.time.pass(900);
    expect(table.sent).toEqual([END, END]);
  });

  it("ends after a walk that used up all moves", async () => {
    const table = new Table({ actions: [...walks(C2), END], view: { plies: 1 } }, true);
    await table.advise({ reach: [{ ...TO_C4, cell: C3, steps: [C2, C3] }] });
    table.turn.choose(C3);
    table.turn.choose(C3);
    table.wait();
    table.goOn({ actions: [...walks(C3), END] });
    table.wait();
    table.goOn({ actions: [END], undo: true });
    table.time.pass(5000);
    expect(table.sent).toEqual([...walks(C2, C3), END]);
  });
});

describe("advice", () => {
  const actions = [...walks(C2), END];

  it("is asked for once on each position, when everything has been shown", async () => {
    const table = new Table({ actions, view: { plies: 1 }, resting: false }, true);
    expect(table.answers).toHaveLength(0);
    table.show({ resting: true });
    table.show({});
    expect(table.answers).toHaveLength(1);
    await table.advise({ reach: [TO_C4] });
    expect(table.turn.advice?.reach).toEqual([TO_C4]);
    table.goOn({});
    expect([table.turn.advice, table.answers.length]).toEqual([null, 1]);
  });

  it("is not asked for before somebody has touched the table", () => {
    const table = new Table({ actions }, true);
    expect(table.answers).toHaveLength(0);
    table.turns.touch();
    expect(table.answers).toHaveLength(1);
  });

  it("on a position that is shown no more is not given", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    table.goOn({});
    await table.advise({ reach: [TO_C4] });
    expect(table.turn.advice).toBeNull();
  });

  it("is asked for again after it failed", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    await table.advise(null);
    table.show({});
    expect(table.answers).toHaveLength(1);
  });

  it("is not there where people play by the book, nor after the end", async () => {
    const table = new Table({ actions, view: { plies: 1 } }, true);
    await table.advise({});
    const tables: TableState["table"][] = [
      { phase: "playing", table_rules: { advice: false } } as TableInfo,
      { phase: "over", table_rules: { advice: true } } as TableInfo,
    ];
    for (const rules of tables) {
      table.show({ state: { table: rules } });
      expect([table.turn.advised, table.turn.advice, table.turn.adviceParts]).toEqual([false, null, null]);
    }
  });
});

describe("keys", () => {
  it("put away what is in hand and what was asked, and nothing else", () => {
    const table = new Table({ actions: [...walks(C2), ...turned(C3, 5), END] }, true);
    expect(table.turn.dismissible).toBe(false);
    table.turn.choose(C4);
    expect(table.turn.dismissible, "what was asked").toBe(true);
    table.turn.dismiss();
    expect([table.turn.dismissible, table.turn.asked]).toEqual([false, null]);
    table.turn.toggleTurning();
    table.turn.choose(C3);
    expect(table.turn.dismissible, "a tile").toBe(true);
    table.turn.dismiss();
    expect([table.turn.dismissible, table.turn.tile]).toEqual([false, null]);
  });

  it("come in at the start tile where nothing can be done, and nowhere else", async () => {
    const table = new Table({ actions: [], view: { plies: 1 } }, true);
    expect(table.turn.entrance).toBe(C1);
    table.goOn({ actions: [...walks(C2), END] });
    expect(table.turn.entrance).toBeNull();
  });
});

it("begins anew for another seat on the same position", () => {
  const table = new Table({ actions: [...walks(C2), ...helps(C3), ...turned(C2, 5), END] });
  table.turn.toggleTurning();
  table.show({ state: { seat: 1 } });
  expect([table.turn.seat, table.turn.turning]).toEqual([1, false]);
});
