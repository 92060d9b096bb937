/**
 * Lengths in code points, which the API counts as characters, without copying the text. A text that is too long is recognized after at most
 * twice the limit, however long it is.
 */

/** Whether the text has more code points than the limit. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  // A code point takes at most two units.
  return text.length > 2 * limit || endOfPoints(text, limit) < text.length
}

/** Returns the beginning of the text, up to this number of code points. */
export function firstPoints(text: string, count: number): string {
  return text.length <= count ? text : text.slice(0, endOfPoints(text, count))
}

export function countPoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count += 1
  return count
}

/** Whether the texts together take at most this number of bytes as UTF-8. Encodes them only if their lengths do not decide it. */
export function fitIntoBytes(texts: readonly string[], bytes: number): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  // A unit takes between one and three bytes.
  if (3 * units <= bytes || units > bytes) return units <= bytes
  return texts.reduce((sum, text) => sum + ENCODER.encode(text).length, 0) <= bytes
}

const ENCODER = new TextEncoder()

function endOfPoints(text: string, count: number): number {
  let at = 0
  for (let left = count; left > 0 && at < text.length; left -= 1) at += unitsAt(text, at)
  return at
}

function unitsAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}

/**
 * Returns the text without this character at its end. A regular expression (`/-+$/`) would retry at each such character anywhere, and take
 * quadratic time.
 */
export function withoutEnd(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end -= 1
  return text.slice(0, end)
}
