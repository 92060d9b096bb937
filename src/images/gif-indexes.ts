import { BrokenImageError } from './picture-rows.ts'

/** Codes have twelve bits at most. */
const CODE_LIMIT = 4_096

/**
 * The colour numbers of a frame (LZW), in pieces that are written over by the next. Every code stands for an
 * earlier one and one number more, so following them always ends.
 * @param at where the size of a code stands, before the pieces.
 * @throws BrokenImageError for codes that do not exist yet
 */
export function* gifIndexes(bytes: Uint8Array, at: number): Generator<Uint8Array> {
  const firstBits = bytes[at] ?? 0
  if (firstBits < 1 || firstBits > 8) throw new BrokenImageError('No such size of codes')
  const clear = 1 << firstBits
  const before = new Uint16Array(CODE_LIMIT)
  const last = new Uint8Array(CODE_LIMIT)
  const lengths = new Uint16Array(CODE_LIMIT)
  for (let code = 0; code < clear; code += 1) {
    last[code] = code
    lengths[code] = 1
  }
  const piece = new Uint8Array(CODE_LIMIT + 1)
  let next = clear + 2
  let bits = firstBits + 1
  let previous = -1
  let held = 0
  let heldBits = 0
  for (const byte of dataBytes(bytes, at + 1)) {
    held |= byte << heldBits
    heldBits += 8
    while (heldBits >= bits) {
      const code = held & ((1 << bits) - 1)
      held >>>= bits
      heldBits -= bits
      if (code === clear) {
        next = clear + 2
        bits = firstBits + 1
        previous = -1
        continue
      }
      if (code === clear + 1) return
      const isNew = code === next && previous >= 0 && next < CODE_LIMIT
      if (code >= next && !isNew) throw new BrokenImageError('No such code')
      // What a code stands for that is only now being made begins and ends alike.
      const known = isNew ? previous : code
      const length = lengths[known]!
      let walker = known
      for (let to = length - 1; to >= 0; to -= 1) {
        piece[to] = last[walker]!
        walker = before[walker]!
      }
      if (previous >= 0 && next < CODE_LIMIT) {
        before[next] = previous
        last[next] = piece[0]!
        lengths[next] = lengths[previous]! + 1
        next += 1
        if (next === 1 << bits && bits < 12) bits += 1
      }
      if (isNew) piece[length] = piece[0]!
      previous = code
      yield piece.subarray(0, isNew ? length + 1 : length)
    }
  }
}

/** The bytes of the pieces, without the lengths before them. */
function* dataBytes(bytes: Uint8Array, from: number): Generator<number> {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) {
    const end = Math.min(at + 1 + bytes[at]!, bytes.length)
    for (at += 1; at < end; at += 1) yield bytes[at]!
  }
}
