/** Where each action lies on the board, for whoever looks back. */
export function places(notation: string): string[] {
  const [kind, about] = notation.split(" ");
  switch (kind) {
    case "leg":
      return [`[data-action="${notation}"]`];
    case "winner":
    case "loser":
      return [`[data-deck="${kind}"]`];
    case "oasis":
    case "mirage":
      return [`li[data-space="${about}"]`];
    default:
      return ['[data-action="roll"]'];
  }
}
