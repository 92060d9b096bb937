const TEXT_END = '"'.charCodeAt(0)
const ESCAPE = '\\'.charCodeAt(0)
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)))

/**
 * Whether lists and objects of a JSON text are nested more than this number of levels deep. Reads the text in one
 * pass, before it is parsed: recursion into a deep value would overflow the stack.
 */
export function isJsonDeeperThan(levels: number, json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (isInText) {
      if (char === ESCAPE) at += 1
      else if (char === TEXT_END) isInText = false
    } else if (char === TEXT_END) isInText = true
    else if (CLOSING.has(char)) depth -= 1
    else if (OPENING.has(char)) {
      depth += 1
      if (depth > levels) return true
    }
  }
  return false
}
