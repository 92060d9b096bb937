/** The first part of a pattern: `*`, or the test of one character. */
interface Part {
  readonly isStar: boolean
  fits(char: string): boolean
}

/**
 * Whether a shell pattern matches the whole text: `*` stands for any characters, `?` for one, `[ab]` and `[a-c]` for one of these,
 * `[!ab]` for any other. The time is at most proportional to the product of the lengths.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  const parts = partsOf(pattern)
  const chars = [...text]
  let [part, char] = [0, 0]
  let [star, resume] = [-1, 0]
  while (char < chars.length) {
    const next = parts[part]
    if (next?.isStar) {
      star = part
      resume = char
      part += 1
    } else if (next?.fits(chars[char]!)) {
      part += 1
      char += 1
    } else if (star >= 0) {
      // The last star takes one more character.
      resume += 1
      part = star + 1
      char = resume
    } else return false
  }
  return parts.slice(part).every(({ isStar }) => isStar)
}

/** Whether one of several comma-separated patterns matches. */
export function fitsOneOf(patterns: string, text: string): boolean {
  return patterns.split(',').some((pattern) => fitsWildcard(pattern.trim(), text))
}

function partsOf(pattern: string): Part[] {
  const chars = [...pattern]
  const parts: Part[] = []
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!
    // A bracket directly after the first is an ordinary character.
    const end = char === '[' ? chars.indexOf(']', at + (chars[at + 1] === '!' ? 3 : 2)) : -1
    if (end > 0) {
      parts.push(oneOf(chars.slice(at + 1, end)))
      at = end
    } else parts.push({ isStar: char === '*', fits: (given) => char === '?' || given === char })
  }
  return parts
}

function oneOf(chars: readonly string[]): Part {
  const isNegated = chars[0] === '!'
  const [singles, ranges]: [Set<string>, [string, string][]] = [new Set(), []]
  for (let at = isNegated ? 1 : 0; at < chars.length; at += 1) {
    const last = chars[at + 1] === '-' ? chars[at + 2] : undefined
    if (last === undefined) singles.add(chars[at]!)
    else {
      ranges.push([chars[at]!, last])
      at += 2
    }
  }
  const isIn = (char: string) => singles.has(char) || ranges.some(([a, b]) => a <= char && char <= b)
  return { isStar: false, fits: (char) => isIn(char) !== isNegated }
}
