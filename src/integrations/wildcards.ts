import { firstPoints } from '../core/text-length.ts'

/** Limit of the patterns of a filter. Stripe, which has the most events, has 93. */
export const MAX_PATTERNS = 100
/** Limits of a pattern and of a name that is compared, in code points. Names of branches have at most 255 bytes. */
const PATTERN_LENGTH = 250
const COMPARED_LENGTH = 250

const [STAR, ANY_ONE, BRACKET, END, NOT, TO] = ['*', '?', '[', ']', '!', '-'].map((sign) =>
  sign.charCodeAt(0),
)

/** The first part of a pattern: `*`, or the test of one code point. */
interface Part {
  readonly isStar: boolean
  fits(point: number): boolean
}

/** Whether a name fits. */
export type NameFilter = (name: string) => boolean

/**
 * Returns a filter for names that match one of some shell patterns wholly: `*` stands for any characters, `?` for one, `[ab]` and `[a-c]`
 * for one of these, `[!ab]` for any other. They are read once for all names of a post, and no more than `MAX_PATTERNS` of them. Of a name,
 * the first 250 characters are compared. The time is at most proportional to the product of the lengths.
 */
export function fitsOneOf(patterns: readonly string[]): NameFilter {
  const read = patterns.slice(0, MAX_PATTERNS).map(partsOf)
  return (name) => {
    const compared = firstPoints(name, COMPARED_LENGTH)
    return read.some((parts) => fits(parts, compared))
  }
}

/** Returns the patterns in a text that separates them by commas. */
export function patternsIn(text: string): string[] {
  return text.split(',', MAX_PATTERNS + 1).map((pattern) => pattern.trim())
}

function fits(parts: readonly Part[], text: string): boolean {
  let [part, at] = [0, 0]
  let [star, resume] = [-1, 0]
  while (at < text.length) {
    const next = parts[part]
    const point = text.codePointAt(at)!
    if (next?.isStar) {
      star = part
      resume = at
      part += 1
    } else if (next?.fits(point)) {
      part += 1
      at += unitsOf(point)
    } else if (star >= 0) {
      // The last star takes one more character.
      resume += unitsOf(text.codePointAt(resume)!)
      part = star + 1
      at = resume
    } else return false
  }
  return parts.slice(part).every(({ isStar }) => isStar)
}

function unitsOf(point: number): number {
  return point > 0xffff ? 2 : 1
}

function partsOf(pattern: string): Part[] {
  const points = pointsOf(firstPoints(pattern, PATTERN_LENGTH))
  const parts: Part[] = []
  for (let at = 0; at < points.length; at += 1) {
    const point = points[at]!
    // A bracket directly after the first is an ordinary character.
    const end = point === BRACKET ? points.indexOf(END!, at + (points[at + 1] === NOT ? 3 : 2)) : -1
    if (end > 0) {
      parts.push(oneOf(points.slice(at + 1, end)))
      at = end
    } else parts.push({ isStar: point === STAR, fits: (given) => point === ANY_ONE || given === point })
  }
  return parts
}

function pointsOf(text: string): number[] {
  const points: number[] = []
  for (let at = 0; at < text.length; at += unitsOf(points.at(-1)!)) points.push(text.codePointAt(at)!)
  return points
}

function oneOf(points: readonly number[]): Part {
  const isNegated = points[0] === NOT
  const [singles, ranges]: [Set<number>, [number, number][]] = [new Set(), []]
  for (let at = isNegated ? 1 : 0; at < points.length; at += 1) {
    const last = points[at + 1] === TO ? points[at + 2] : undefined
    if (last === undefined) singles.add(points[at]!)
    else {
      ranges.push([points[at]!, last])
      at += 2
    }
  }
  const isIn = (point: number) => singles.has(point) || ranges.some(([a, b]) => a <= point && point <= b)
  return { isStar: false, fits: (point) => isIn(point) !== isNegated }
}
