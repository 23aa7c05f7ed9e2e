/** The cases that are drawn, as pieces of the pyramid. Places are "column,row", counted from the upper left. */

export interface Cell {
  /** Open sides. */
  open?: string;
  kind?: "start" | "chamber" | "back" | "fallen";
  /** Whose lamp burns here. */
  lamp?: 0 | 1;
  /** Archaeologists (A) and helpers (h) with the player's number. */
  figures?: string[];
  treasures?: (2 | 3 | "mask")[];
  /** On the shortest way. */
  way?: boolean;
  ring?: number;
  mark?: "yes" | "no";
}

export interface Frame {
  /** Not what comes next but another case. */
  or?: boolean;
  columns: number;
  rows: number;
  cells: Record<string, Cell>;
  /** One move, from a place to a place. */
  leap?: [string, string];
}

const LAMPS: Record<string, Cell> = {
  "0,1": { open: "E", kind: "start", figures: ["A0"] },
  "1,1": { open: "EW", lamp: 0 },
  "2,1": { open: "NW", lamp: 0 },
  "2,0": { open: "ESW", lamp: 0 },
  "3,0": { open: "NSW" },
};

export const DRAWINGS: Record<string, Frame[]> = {
  reveal: [
    {
      columns: 3,
      rows: 1,
      cells: { "0,0": { open: "EW" }, "1,0": { open: "NEW", figures: ["A0"] }, "2,0": { kind: "back" } },
    },
    {
      columns: 3,
      rows: 1,
      cells: { "0,0": { open: "EW" }, "1,0": { open: "NEW", figures: ["A0"] }, "2,0": { open: "SW", mark: "yes" } },
    },
    {
      or: true,
      columns: 3,
      rows: 1,
      cells: { "0,0": { open: "EW" }, "1,0": { open: "NEW", figures: ["A0"] }, "2,0": { open: "NE", mark: "yes" } },
    },
  ],
  links: [
    {
      columns: 4,
      rows: 1,
      cells: {
        "0,0": { open: "NW", mark: "no" },
        "1,0": { open: "EW", figures: ["h0"] },
        "2,0": { open: "SW", mark: "yes" },
        "3,0": { kind: "back", mark: "no" },
      },
    },
  ],
  lamps: [
    { columns: 4, rows: 2, cells: LAMPS, leap: ["0,1", "3,0"] },
    {
      or: true,
      columns: 4,
      rows: 2,
      cells: { ...LAMPS, "2,1": { open: "NW", lamp: 1 }, "3,0": { open: "NSW", mark: "no" } },
      leap: ["0,1", "2,1"],
    },
  ],
  turning: [
    {
      columns: 3,
      rows: 1,
      cells: {
        "0,0": { open: "NE", mark: "no" },
        "1,0": { open: "NE", figures: ["h0"], mark: "yes" },
        "2,0": { open: "NE", figures: ["A1"], mark: "yes" },
      },
    },
    {
      columns: 3,
      rows: 1,
      cells: {
        "0,0": { open: "NE" },
        "1,0": { open: "NE", figures: ["h0"] },
        "2,0": { open: "SW", figures: ["A1"] },
      },
    },
  ],
  shortest: [
    {
      columns: 5,
      rows: 3,
      cells: {
        "0,2": { kind: "start", open: "NE", way: true },
        "1,2": { open: "NEW", way: true, figures: ["h1"] },
        "2,2": { open: "EW", figures: ["A1"] },
        "3,2": { open: "EW" },
        "4,2": { open: "NW" },
        "0,1": { open: "NS", way: true, figures: ["h0"] },
        "1,1": { open: "NS", way: true },
        "2,1": { kind: "back" },
        "3,1": { kind: "back" },
        "4,1": { open: "NS" },
        "0,0": { open: "ES", way: true },
        "1,0": { open: "ESW", way: true, lamp: 0 },
        "2,0": { kind: "chamber", open: "NESW", way: true, treasures: [2, 3] },
        "3,0": { open: "EW" },
        "4,0": { open: "SW", lamp: 1 },
      },
    },
  ],
  carry: [
    {
      columns: 4,
      rows: 1,
      cells: {
        "0,0": { kind: "start", open: "E" },
        "1,0": { open: "EW" },
        "2,0": { open: "EW", figures: ["A0"], treasures: [3] },
        "3,0": { kind: "chamber", open: "NESW", treasures: [2] },
      },
      leap: ["2,0", "1,0"],
    },
  ],
  mask: [
    {
      columns: 4,
      rows: 1,
      cells: {
        "0,0": { open: "EW" },
        "1,0": { open: "ESW" },
        "2,0": { kind: "chamber", open: "NESW", figures: ["A0", "h1"], treasures: ["mask"] },
        "3,0": { open: "NW" },
      },
      leap: ["2,0", "1,0"],
    },
    {
      columns: 4,
      rows: 1,
      cells: {
        "0,0": { open: "EW" },
        "1,0": { open: "ESW", figures: ["A0"], treasures: ["mask"] },
        "2,0": { kind: "fallen" },
        "3,0": { open: "NW" },
      },
    },
  ],
  rings: [{ columns: 6, rows: 6, cells: rings(3, 2, 2, 5) }],
};

/** Every cell with the number of its ring around a chamber; the start tile has none. */
function rings(column: number, row: number, startColumn: number, startRow: number): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (let y = 0; y < 6; y += 1) {
    for (let x = 0; x < 6; x += 1) {
      const ring = Math.max(Math.abs(x - column), Math.abs(y - row));
      cells[`${x},${y}`] = ring === 0 ? { kind: "fallen" } : { kind: "back", ring };
    }
  }
  cells[`${startColumn},${startRow}`] = { kind: "start", open: "NEW" };
  return cells;
}
