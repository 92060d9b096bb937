/** Four tables, so that four bytes are taken at a time. */
const TABLES = tables()

/** Returns the CRC-32 of bytes, which go on from what `before` is the CRC-32 of. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = TABLES
  let crc = ~before
  let at = 0
  for (const whole = bytes.length - (bytes.length % 4); at < whole; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    crc = t3[crc & 255]! ^ t2[(crc >>> 8) & 255]! ^ t1[(crc >>> 16) & 255]! ^ t0[crc >>> 24]!
  }
  for (; at < bytes.length; at += 1) crc = t0[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}

function tables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = new Int32Array(256).map((_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc
  })
  const after = (table: Int32Array) => table.map((crc) => first[crc & 255]! ^ (crc >>> 8))
  const second = after(first)
  const third = after(second)
  return [first, second, third, after(third)]
}
