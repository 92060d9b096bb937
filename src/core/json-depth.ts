const TEXT_END = '"'.charCodeAt(0)
const ESCAPE = '\\'.charCodeAt(0)
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)))

/** Characters of a text in JSON that are looked at one by one, before its end is searched for: a search costs as much as some of them. */
const FIRST_LOOK = 32

/**
 * Whether lists and objects of a JSON text are nested more than this number of levels deep. Reads the text in one
 * pass, before it is parsed: recursion into a deep value would overflow the stack. Long texts inside are passed
 * over by searches for their end.
 */
export function isJsonDeeperThan(levels: number, json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char === TEXT_END) at = endOfText(json, at + 1)
    else if (CLOSING.has(char)) depth -= 1
    else if (OPENING.has(char)) {
      depth += 1
      if (depth > levels) return true
    }
  }
  return false
}

/** Returns the index of the quotation mark that ends the text which begins at `from`; the length of the JSON without one. */
function endOfText(json: string, from: number): number {
  let at = from
  while (at < json.length) {
    for (const until = Math.min(at + FIRST_LOOK, json.length); at < until; at += 1) {
      const char = json.charCodeAt(at)
      if (char === TEXT_END) return at
      if (char === ESCAPE) at += 1
    }
    // It may be escaped itself: then the look goes on behind it.
    const end = json.indexOf('"', at)
    if (end < 0) return json.length
    let escapes = 0
    while (end - 1 - escapes >= at && json.charCodeAt(end - 1 - escapes) === ESCAPE) escapes += 1
    if (escapes % 2 === 0) return end
    at = end + 1
  }
  return json.length
}
