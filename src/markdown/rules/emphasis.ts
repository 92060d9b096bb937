import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it'

const star = 0x2a

/** Makes underscores plain text, since `snake_case` and `__init__` are so common. */
function skipUnderscores(state: StateInline, silent: boolean): boolean {
  let pos = state.pos
  while (pos < state.posMax && state.src.charCodeAt(pos) === 0x5f) pos++
  if (pos === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, pos)
  state.pos = pos
  return true
}

/** Drops pairs of marks with a line break between them: emphasis ends in its line. */
function dropPairsAcrossLines(state: StateInline): void {
  if (!state.src.includes('\n')) return
  const breaksBefore = countBreaks(state)
  const drop = (delimiters: Delimiter[]) => {
    for (const opener of delimiters) {
      if (opener.end < 0) continue
      if (breaksBefore[opener.token] !== breaksBefore[delimiters[opener.end]!.token]) opener.end = -1
    }
  }
  drop(state.delimiters)
  for (const meta of state.tokens_meta) if (meta?.delimiters) drop(meta.delimiters)
}

/**
 * Pairs double stars that the parser has left because of the spaces beside them: `** a **` is strong too. The two are in one line and around
 * whole elements, with something between them.
 */
function pairSpacedStars(state: StateInline): void {
  if (!/\*\*\s|\s\*\*/.test(state.src)) return
  const breaksBefore = countBreaks(state)
  pairIn(state.delimiters, breaksBefore)
  for (const meta of state.tokens_meta) if (meta?.delimiters) pairIn(meta.delimiters, breaksBefore)
}

/** An element around delimiters: where it ends, and double stars within it that wait for others. */
interface Around {
  readonly end: number
  waiting?: number | undefined
}

function pairIn(delimiters: Delimiter[], breaksBefore: readonly number[]): void {
  const around: Around[] = [{ end: Number.POSITIVE_INFINITY }]
  for (let index = 0; index < delimiters.length; index++) {
    if (around.at(-1)!.end === index) {
      around.pop()
      continue
    }
    const { end, token } = delimiters[index]!
    if (end >= 0) around.push({ end })
    else if (isLeftPair(delimiters, index) && around.at(-1)!.end !== index + 1) {
      const inner = around.at(-1)!
      const opener = inner.waiting
      if (opener !== undefined && breaksBefore[delimiters[opener]!.token] === breaksBefore[token]) {
        delimiters[opener]!.end = index + 1
        delimiters[opener + 1]!.end = index
        inner.waiting = undefined
      } else inner.waiting = index
      index++
    }
  }
}

/** Whether two stars, and no more, begin here, and neither of them begins an element. */
function isLeftPair(delimiters: readonly Delimiter[], index: number): boolean {
  const [first, second] = [delimiters[index]!, delimiters[index + 1]]
  return (
    first.marker === star &&
    first.length === 2 &&
    second?.marker === star &&
    second.token === first.token + 1 &&
    second.end < 0
  )
}

/** Returns the number of line breaks before each token. */
function countBreaks(state: StateInline): number[] {
  let breaks = 0
  return state.tokens.map((token) => {
    if (token.type === 'softbreak' || token.type === 'hardbreak') breaks++
    return breaks
  })
}

/**
 * Turns matched stars into elements, in pairs from the outside: `***x***` is strong outside and emphasised inside, as clients show it.
 * The parser's own rule nests the other way round.
 */
function buildElements(state: StateInline): void {
  buildFrom(state, state.delimiters)
  for (const meta of state.tokens_meta) if (meta?.delimiters) buildFrom(state, meta.delimiters)
}

function buildFrom(state: StateInline, delimiters: Delimiter[]): void {
  let index = delimiters.length - 1
  while (index >= 0) {
    const { marker, end } = delimiters[index]!
    if (marker !== star || end < 0) {
      index--
      continue
    }
    const length = nestedPairs(delimiters, index)
    let done = 0
    if (length % 2 === 1) {
      mark(state, delimiters, index, 'em', '*')
      done = 1
    }
    for (; done < length; done += 2) {
      mark(state, delimiters, index - done, 'strong', '**')
      erase(state, delimiters, index - done - 1)
    }
    index -= length
  }
}

/** Returns the number of pairs directly around one another, the innermost being the one at `index`. */
function nestedPairs(delimiters: Delimiter[], index: number): number {
  const { token, end } = delimiters[index]!
  let count = 1
  while (
    index - count >= 0 &&
    delimiters[index - count]!.marker === star &&
    delimiters[index - count]!.end === end + count &&
    delimiters[index - count]!.token === token - count &&
    delimiters[end + count]!.token === delimiters[end]!.token + count
  ) {
    count++
  }
  return count
}

function mark(state: StateInline, delimiters: Delimiter[], index: number, tag: string, markup: string): void {
  const opener = delimiters[index]!
  const close = delimiters[opener.end]!
  Object.assign(state.tokens[opener.token]!, { type: `${tag}_open`, tag, nesting: 1, markup, content: '' })
  Object.assign(state.tokens[close.token]!, { type: `${tag}_close`, tag, nesting: -1, markup, content: '' })
}

/** Removes the second star of a strong pair, which is already used. */
function erase(state: StateInline, delimiters: Delimiter[], index: number): void {
  const opener = delimiters[index]!
  state.tokens[opener.token]!.content = ''
  state.tokens[delimiters[opener.end]!.token]!.content = ''
}

const tilde = 0x7e

/** The last tilde delimiter of each list, and its position. */
const lastTildes = new WeakMap<Delimiter[], { delimiter: Delimiter; pos: number }>()

/** Parses exactly two tildes, which strike through, whether next to spaces or letters. */
function parseTildes(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== tilde) return false
  let end = state.pos + 1
  while (end < state.posMax && state.src.charCodeAt(end) === tilde) end++
  if (!silent) pushTildes(state, state.src.slice(state.pos, end))
  state.pos = end
  return true
}

/** Pushes tildes. A sequence of another length, and the end of a line, end what two tildes opened. */
function pushTildes(state: StateInline, tildes: string): void {
  const last = lastTildes.get(state.delimiters)
  if (tildes.length !== 2) {
    if (last) last.delimiter.open = false
    state.pending += tildes
    return
  }
  const close =
    last?.delimiter.open === true &&
    last.pos + 2 < state.pos &&
    !state.src.slice(last.pos, state.pos).includes('\n')
  state.push('text', '', 0).content = tildes
  const token = state.tokens.length - 1
  const delimiter: Delimiter = { marker: tilde, length: 0, token, end: -1, open: !close, close }
  state.delimiters.push(delimiter)
  lastTildes.set(state.delimiters, { delimiter, pos: state.pos })
}

export function useEmphasis(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', parseTildes)
  md.inline.ruler.before('emphasis', 'underscores', skipUnderscores)
  md.inline.ruler2.after('balance_pairs', 'pairs_in_one_line', dropPairsAcrossLines)
  md.inline.ruler2.after('pairs_in_one_line', 'spaced_stars', pairSpacedStars)
  md.inline.ruler2.at('emphasis', buildElements)
}

/** Attributes in output order. */
export type Attributes = [name: string, value: string][]

/** Pushes text that no later rule changes. */
export function pushLiteral(state: StateInline, text: string): void {
  state.push('literal', '', 0).content = text
}

/** Pushes `<tag …>text</tag>` as tokens. The text is a `literal`: no later rule changes it. */
export function pushElement(state: StateInline, tag: string, attributes: Attributes, text: string): void {
  state.push(`${tag}_open`, tag, 1).attrs = attributes
  if (text !== '') pushLiteral(state, text)
  state.push(`${tag}_close`, tag, -1)
}

/**
 * Shows a typed entity (`&amp;`, `&#39;`) as its character, hidden from other rules: clients write names with Markdown characters this way.
 */
export function useEntities(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'entity')!.fn
  md.inline.ruler.at('entity', (state, silent) => {
    if (!rule(state, silent)) return false
    if (!silent) Object.assign(state.tokens.at(-1)!, { type: 'literal', markup: '', info: '' })
    return true
  })
}

/** Returns a text with its entities decoded. */
export function withoutEntities({ utils }: MarkdownIt, text: string): string {
  // The decoder also removes backslashes, so each is doubled.
  return text.includes('&') ? utils.unescapeAll(text.replaceAll('\\', '\\\\')) : text
}
