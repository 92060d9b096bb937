const [FIRST, SECOND, MIX_1, MIX_2] = [0xdeadbeef, 0x41c6ce57, 2_654_435_761, 1_597_334_677] as const
const LOW_BITS = 0x1fffff
const TWO_TO_32 = 4_294_967_296

/** Returns a digest of 53 bits. */
export function digestOf(text: string): number {
  let [a, b]: [number, number] = [FIRST, SECOND]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, MIX_1)
    b = Math.imul(b ^ unit, MIX_2)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return TWO_TO_32 * (LOW_BITS & b) + (a >>> 0)
}
