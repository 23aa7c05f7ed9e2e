import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkDice, drawPoint, holds } from "../../src/pages/replay/dice/check";
import { fromHex, hmacSha256, sha256, toHex } from "../../src/pages/replay/dice/sha256";
import type { Draws } from "../../src/net/messages";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("SHA-256", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("of the standard's %j", (text, digest) => {
    expect(toHex(sha256(bytes(text)))).toBe(digest);
  });

  it("agrees with another one on every length around its blocks", () => {
    for (let length = 0; length < 200; length++) {
      const message = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 255);
      expect(toHex(sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
    }
  });
});

describe("HMAC", () => {
  it("of RFC 4231, case 2", () => {
    const digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    expect(toHex(hmacSha256(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe(digest);
  });

  it.each([1, 32, 63, 64, 65, 131])("agrees with another one for a key of %i bytes", (length) => {
    const key = Uint8Array.from({ length }, (_, at) => at ^ 0xaa);
    const message = bytes("mix, number, attempt");
    expect(toHex(hmacSha256(key, message))).toBe(createHmac("sha256", key).update(message).digest("hex"));
  });
});

describe("a draw", () => {
  const [secret, mix] = [fromHex("11".repeat(32)), fromHex("22".repeat(32))];

  it("points where the dealer's does", () => {
    const points = [0, 1, 2, 255, 70000].map((n) => Number(drawPoint(secret, mix, n, 15n)));
    expect(points).toEqual(POINTS);
  });

  it("rejects what would favour an outcome, as the dealer does", () => {
    // With a total just above half of all numbers about every second attempt is rejected.
    const points = [0, 1, 2, 3, 4, 5].map((n) => drawPoint(secret, mix, n, (1n << 255n) + 1n));
    expect(points.map((point) => point.toString(16))).toEqual(REJECTED);
  });
});

/** What the dealer in Python draws from this secret and mix. */
const POINTS = [10, 9, 12, 4, 10];
const FIRST_OF_FIVE = 1;
const REJECTED = [
  "6e04a0931fd2259ff2fab421adb14ad484ffc48c9e783a28a8229c5c29719347",
  "4d812ff0318be0e33343bfe720858ea9482f8e97e2498b348533fef2aae11a87",
  "3db26e28b05b08c5ebdde08af1bdd4df71ec1416b10031e18aa1779e5c3e72c",
  "a487b141a16d9cceabb5c00b64e7de4ef749bc44d120b22d917f7d6ae4d3eef",
  "13215e36bde1d7a8d13849484a5ad5238fe4af1ed68f281353fb70a90feecb36",
  "3690b468a87de8cd4577446836c77e8747222fab9ccfea58a6f2ffc871cf389c",
];

describe("checking the dice", () => {
  const record = made();
  const commit = record.commit;

  it("finds nothing wrong with an honest game", () => {
    const verdict = checkDice(record, commit);
    expect(verdict).toEqual({
      commitment: true,
      seen: true,
      mix: null,
      first: null,
      draws: record.draws.length,
      inherited: 0,
      wrong: null,
    });
    expect(verdict && holds(verdict)).toBe(true);
  });

  it("finds a draw that was changed, and says what it should have been", () => {
    const at = 3;
    const { drawn, outcomes } = record.draws[at];
    const forged = outcomes.find((one) => one !== drawn) ?? "";
    const draws = record.draws.map((draw, n) => (n === at ? { ...draw, drawn: forged } : draw));
    const verdict = checkDice({ ...record, draws }, null);
    expect(verdict?.wrong).toEqual({ n: at, drawn: forged, due: drawn });
    expect(verdict && holds(verdict)).toBe(false);
  });

  it("says nothing of draws that were taken over from another game, and counts on behind them", () => {
    const forge = (at: number) => record.draws.map((draw, n) => (n === at ? { ...draw, drawn: "?" } : draw));
    const verdict = checkDice({ ...record, draws: forge(3), inherited: 4 }, null);
    expect(verdict).toMatchObject({ wrong: null, inherited: 4, draws: record.draws.length - 4 });
    expect(checkDice({ ...record, draws: forge(4), inherited: 4 }, null)?.wrong?.n).toBe(4);
  });

  it("finds draws that were left out or weighted otherwise", () => {
    expect(checkDice({ ...record, draws: record.draws.slice(1) }, null)?.wrong).not.toBeNull();
    const loaded = record.draws.map((draw) => ({
      ...draw,
      weights: draw.weights.map((weight, n) => (n === 0 ? 1000 : weight)),
    }));
    expect(checkDice({ ...record, draws: loaded }, null)?.wrong).not.toBeNull();
  });

  it("finds another secret, commitment or mix", () => {
    const other = "ab".repeat(32);
    expect(checkDice({ ...record, secret: other }, null)).toMatchObject({ commitment: false });
    expect(checkDice({ ...record, commit: other }, null)).toMatchObject({ commitment: false, wrong: null });
    expect(checkDice({ ...record, mix: other }, null)?.wrong).not.toBeNull();
    expect(checkDice(record, other)).toMatchObject({ commitment: true, seen: false });
  });

  it("holds the mix against the players' values", () => {
    const values = ["01".repeat(32), "02".repeat(32)];
    const mix = createHash("sha256")
      .update(Buffer.from(values.join(""), "hex"))
      .digest("hex");
    expect(checkDice({ ...record, values, mix }, null)?.mix).toBe(true);
    expect(checkDice({ ...record, values: values.toReversed(), mix }, null)?.mix).toBe(false);
  });

  it("draws again who begins", () => {
    const verdicts = [0, 1, 2, 3, 4].map((first) => checkDice({ ...record, first }, null));
    expect(verdicts.map((verdict) => verdict?.first)).toEqual([0, 1, 2, 3, 4].map((seat) => seat === FIRST_OF_FIVE));
    expect(verdicts.map((verdict) => verdict && holds(verdict))).toEqual(verdicts.map((verdict) => verdict?.first));
  });

  it("says nothing without a secret", () => {
    expect(checkDice({ ...record, secret: "" }, null)).toBeNull();
  });
});

/** A game in which three things can be drawn, the second twice as likely as the first, the third three times. */
function made(): Draws {
  const [secret, mix] = ["11".repeat(32), "22".repeat(32)];
  const [outcomes, weights, marks] = [
    ["stone", "reed", "bread"],
    [1, 2, 3],
    [0, 1, 1, 2, 2, 2],
  ];
  const draws = Array.from({ length: 40 }, (_, n) => {
    const point = Number(drawPoint(fromHex(secret), fromHex(mix), n, BigInt(marks.length)));
    return { n, outcomes, weights, drawn: outcomes[marks[point]] };
  });
  return { commit: toHex(sha256(fromHex(secret))), mix, secret, values: [], draws, players: 5 };
}
