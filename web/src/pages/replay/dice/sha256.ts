/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). The browser's own are missing where a page comes over plain http from
 * another machine of the house, which is just where friends play.
 */
const BLOCK = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = primes(64).map((prime) => fraction(prime, 3));
/** The same of the square roots of the first 8. */
const START = primes(8).map((prime) => fraction(prime, 2));

export function sha256(message: Uint8Array): Uint8Array {
  const data = padded(message);
  const view = new DataView(data.buffer);
  const hash = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let block = 0; block < data.length; block += BLOCK) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return sha256(joined(outer, sha256(joined(inner, message))));
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  data.set(message);
  data[message.length] = 0x80;
  new DataView(data.buffer).setBigUint64(data.length - 8, BigInt(message.length) * 8n);
  return data;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** 32 bits behind the point of a root, exactly: the integer root of the prime shifted far enough to the left. */
function fraction(prime: number, degree: number): number {
  const target = BigInt(prime) << BigInt(32 * degree);
  const power = BigInt(degree);
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** power <= target) root += bit;
  return Number(root & 0xffffffffn);
}
