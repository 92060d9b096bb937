import type { MarkdownIt, StateInline } from 'markdown-it'
import { instantOf } from '../moments.ts'
import { contextOf } from '../render-types.ts'
import { pushElement, pushLiteral } from './emphasis.ts'

const opening = '<time:'
/** Limit of a time between the brackets; longer texts stay text. */
const maxTimeLength = 200

/**
 * Parses `<time:2024-03-07T15:00:00-08:00>`: a time shown in each reader's own zone. With any other content it stays text. Source: the
 * public API's message formatting, "Global times".
 */
function parseGlobalTime(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x3c || !src.startsWith(opening, pos)) return false
  const start = pos + opening.length
  const length = src.slice(start, Math.min(state.posMax, start + maxTimeLength + 1)).indexOf('>')
  if (length < 0) return false
  const text = src.slice(start, start + length)
  const datetime = instantOf(text, contextOf(state.env).lookups.now)
  if (!silent) {
    if (datetime !== undefined) pushElement(state, 'time', [['datetime', datetime]], text)
    else pushLiteral(state, `${opening}${text}>`)
  }
  state.pos = start + length + 1
  return true
}

export function useGlobalTimes(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'global_time', parseGlobalTime)
}
