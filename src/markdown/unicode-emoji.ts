import { codeToNames } from './emoji-data.ts'

/** An emoji found in a text: `[start, end)` in UTF-16 units, its preferred name and its code. */
export interface FoundEmoji {
  start: number
  end: number
  name: string
  code: string
}

const variationSelector = 0xfe0f
const joiner = 0x200d
/** No emoji has more code points. */
const longestSequence = 10

/**
 * Emoji characters that are replaced by named spans. Others (those Unicode added later, `©`, arrows, digits
 * in keycaps) stay characters: every client draws them, and older clients have no picture for a span.
 */
function isReplaced(codePoint: number): boolean {
  return (
    (codePoint >= 0x1f100 && codePoint <= 0x1f64f) ||
    (codePoint >= 0x1f680 && codePoint <= 0x1f6ff) ||
    (codePoint >= 0x1f900 && codePoint <= 0x1f9ff) ||
    (codePoint >= 0x2000 && codePoint <= 0x206f) ||
    (codePoint >= 0x2300 && codePoint <= 0x27bf) ||
    (codePoint >= 0x2900 && codePoint <= 0x297f) ||
    (codePoint >= 0x2b00 && codePoint <= 0x2bff) ||
    (codePoint >= 0x3000 && codePoint <= 0x303f) ||
    (codePoint >= 0x3200 && codePoint <= 0x32ff)
  )
}

function isSkinTone(codePoint: number): boolean {
  return codePoint >= 0x1f3fb && codePoint <= 0x1f3ff
}

let byCodePoints: Map<string, { name: string; code: string }> | undefined

/** Emoji by their characters without variation selectors: texts write them with and without. */
function sequences(): Map<string, { name: string; code: string }> {
  if (byCodePoints !== undefined) return byCodePoints
  byCodePoints = new Map()
  for (const [code, [name]] of Object.entries(codeToNames())) {
    const codePoints = code.split('-').map((part) => Number.parseInt(part, 16))
    const key = String.fromCodePoint(...codePoints.filter((point) => point !== variationSelector))
    byCodePoints.set(key, { name: name!, code })
  }
  return byCodePoints
}

/** The emoji of a text, from left to right, the longest sequence at each place. */
export function* findUnicodeEmoji(text: string): Generator<FoundEmoji> {
  let pos = 0
  while (pos < text.length) {
    const codePoint = text.codePointAt(pos)!
    if (!isReplaced(codePoint)) {
      pos += codePoint > 0xffff ? 2 : 1
      continue
    }
    const cluster = readSequence(text, pos)
    if (cluster.found !== undefined) yield { start: pos, end: cluster.end, ...cluster.found }
    pos = cluster.end
  }
}

/**
 * The longest known sequence at a place. A sequence with a skin tone has no name; it stays characters as a
 * whole, because half of it as a picture would show two people in place of one.
 */
function readSequence(
  text: string,
  start: number,
): { end: number; found: { name: string; code: string } | undefined } {
  let key = ''
  let end = start
  let best: { end: number; found: { name: string; code: string } } | undefined
  for (let count = 0; count < longestSequence && end < text.length; count++) {
    const codePoint = text.codePointAt(end)!
    if (codePoint === variationSelector && count > 0) {
      end++
      if (best !== undefined && best.end === end - 1) best.end = end
      continue
    }
    if (isSkinTone(codePoint) && count > 0) return { end: endOfToned(text, end), found: undefined }
    const char = String.fromCodePoint(codePoint)
    key += char
    end += char.length
    const found = sequences().get(key)
    if (found !== undefined) best = { end, found }
    else if (count > 0 && codePoint !== joiner && best !== undefined && !key.includes('\u200d')) break
  }
  return best ?? { end: start + (text.codePointAt(start)! > 0xffff ? 2 : 1), found: undefined }
}

/** The end of a sequence from its skin tone on: everything joined to it. */
function endOfToned(text: string, tone: number): number {
  let end = tone + 2
  while (end < text.length) {
    if (text.charCodeAt(end) === variationSelector) {
      end++
    } else if (text.charCodeAt(end) === joiner && end + 1 < text.length) {
      end += 1 + (text.codePointAt(end + 1)! > 0xffff ? 2 : 1)
    } else if (isSkinTone(text.codePointAt(end)!)) {
      end += 2
    } else {
      break
    }
  }
  return end
}
