/** Every seat has a colour and a sign of its own, so that it can be known without reading its name. */

export interface SeatLook {
  color: string;
  /** Strokes within 0 … 24 in both directions. */
  sign: string;
}

const LOOKS: readonly SeatLook[] = [
  // ankh
  { color: "#b5432e", sign: "M12 11c-3-2-4-4-4-5.5a4 4 0 0 1 8 0c0 1.5-1 3.5-4 5.5M12 11v10M6.5 13.5h11" },
  // eye
  {
    color: "#26408b",
    sign: "M3 11q9-9 18 0q-9 7-18 0M9.5 11a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M12 15v5M8 15q-1 4-4 4",
  },
  // lotus
  {
    color: "#2f6b3a",
    sign: "M12 20v-5M12 15c-3-3-3-7 0-11c3 4 3 8 0 11M12 15c-4 0-7-3-7-8c3 1 5 3 6 5M12 15c4 0 7-3 7-8c-3 1-5 3-6 5",
  },
  // scarab
  {
    color: "#7a4a2b",
    sign: "M7 13a5 6 0 0 0 10 0a5 6 0 0 0-10 0M12 8v11M8 9l-3-4M16 9l3-4M7 13H3M17 13h4M8 17l-3 3M16 17l3 3M9 7a3 2.5 0 0 1 6 0",
  },
  // feather
  { color: "#6f3a8a", sign: "M8 21C8 12 10 6 16 3c2 6 0 12-7 14M9.5 14l4-5" },
  // water jar
  { color: "#14696d", sign: "M9 3h6M10 3v3c-4 2-5 5-5 8c0 4 3 7 7 7s7-3 7-7c0-3-1-6-5-8V3M6 13h12" },
  // sun between horns
  { color: "#a1356a", sign: "M8.5 9a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M5 4c-2 7 1 12 7 12s9-5 7-12M12 16v5" },
  // crook
  { color: "#4b5563", sign: "M10 21V8a3.5 3.5 0 0 1 7 0c0 2-1 3-2.5 3" },
];

export function seatLook(seat: number): SeatLook {
  return LOOKS[seat % LOOKS.length];
}
