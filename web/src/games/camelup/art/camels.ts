/** The five camels: colour, ink and symbol always go together. Drawn in a box of 108 × 84, looking right. */

export interface CamelLook {
  name: "blue" | "green" | "orange" | "yellow" | "white";
  coat: string;
  /** Outline and blanket. */
  dark: string;
  /** What is written on the coat. */
  ink: string;
  /** Strokes within −10 … 10 in both directions. */
  symbol: string;
  /** Lid, brow or lashes of the eye: each has a temper of its own. */
  brow: string;
}

export const CAMELS: readonly CamelLook[] = [
  {
    name: "blue",
    coat: "#2f6fb3",
    dark: "#173a63",
    ink: "#ffffff",
    symbol: "M-8-3q4-6 8 0t8 0M-8 4q4-6 8 0t8 0",
    brow: "M89.6 12.2a3.7 3.7 0 0 1 7.4 0z",
  },
  {
    name: "green",
    coat: "#37804a",
    dark: "#1a4425",
    ink: "#ffffff",
    symbol: "M0 9V-3M0-3q-8-4-9 3M0-3q8-4 9 3M0-3q-4-7-7-5M0-3q4-7 7-5",
    brow: "M90.2 7.4q3.2-2.2 6.2-.2",
  },
  {
    name: "orange",
    coat: "#e07b2a",
    dark: "#783a0b",
    ink: "#2b1a0a",
    symbol:
      "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M0-9v1M0 8v1M-9 0h1M8 0h1M-6.3-6.3l.7.7M5.6 5.6l.7.7M-6.3 6.3l.7-.7M5.6-5.6l.7-.7",
    brow: "M89.6 7.6l7 2.6",
  },
  {
    name: "yellow",
    coat: "#ebc033",
    dark: "#755804",
    ink: "#2b1a0a",
    symbol: "M0-9L2.6-3 9-2.6 4.2 1.8 5.6 8.4 0 5-5.6 8.4-4.2 1.8-9-2.6-2.6-3Z",
    brow: "M90.4 6.6q2.8-1.6 5.6 0",
  },
  {
    name: "white",
    coat: "#f6f1e8",
    dark: "#655b4f",
    ink: "#2b1a0a",
    symbol: "M4-8A9 9 0 1 0 4 8A6.8 6.8 0 1 1 4-8Z",
    brow: "M90.6 10.2l-2.4-1.2m4-.4l-1.2-2.4",
  },
];

/** One silhouette for all: its flat back carries the feet of the next, its hump fits between their legs. */
export const BODY =
  "M17 81 19.5 60C14 57 11.5 50 15 46 17 43.2 22 43 27 43 31.5 43 32 36 36.5 31.5 41 27 48 27 52 31.5 57 36.5 58 43 62.5 43 68 43 72 40 75 34 78 28 77.5 20 81.5 14 83.5 10.5 85.5 8.5 88 8 87.5 5 89.5 2.5 92 4.5L93.5 8C99 8 105.5 10.5 106.5 15.5 107 20 102 22 97 22 93 22 91.5 24 90.5 29 88.5 40 84 51 76.5 57L76.5 81C76.5 83 75.3 84 73.5 84L65 84C63.2 84 62 83 61.8 81L60.5 65C52 67 40 67 32 65L30.8 81C30.6 83 29.4 84 27.6 84L19.8 84C18 84 16.8 83 17 81Z";
export const TAIL = "M15 48C9 51 9 58 8.5 64";
export const BLANKET =
  "M36.5 31.8C41 27.3 48 27.3 52 31.8 56 36 57 41.5 60 43.2L60.5 61C52 63.5 40 63.5 31.5 61L30 43.2C32.5 41 33 35.5 36.5 31.8Z";
export const HEM = "M31 57.5C40 60.5 52 60.5 60.6 57.5";
export const LIGHT = "M19 46.5C23 45 27 45.6 29.5 45.2M64 45.4C72 44.5 77 37 79 28 80 22 81 17 84 13";
