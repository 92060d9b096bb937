import type { MarkdownIt, StateInline } from 'markdown-it'
import { type Address, findAddresses } from '../addresses.ts'
import { contextOf } from '../render-context.ts'
import { withoutEntities } from './entities.ts'
import { pushLiteral } from './spans.ts'

/** Returns the addresses of the text that is parsed, in their order. */
function addresses({ env, src }: StateInline): readonly Address[] {
  const context = contextOf(env)
  if (context.addresses.text !== src) context.addresses = { text: src, found: findAddresses(src) }
  return context.addresses.found
}

/** Returns the first address that begins at `pos` or after it. */
function nextAddress(state: StateInline, pos: number): Address | undefined {
  const found = addresses(state)
  let low = 0
  let high = found.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (found[middle]!.start < pos) low = middle + 1
    else high = middle
  }
  return found[low]
}

/**
 * Turns a bare address into a link, except in the text of a link; its text stays as it was typed,
 * except entities.
 */
function parseAddress(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0) return false
  const address = nextAddress(state, state.pos)
  if (address === undefined || address.start !== state.pos || address.end > state.posMax) return false
  const text = withoutEntities(state.md, state.src.slice(address.start, address.end))
  const isMail = !/^[a-z]+:/i.test(text) && /^[^/?#]*@/.test(text)
  const href = state.md.normalizeLink(isMail ? `mailto:${text}` : text)
  if (!state.md.validateLink(href)) return false
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href]]
  open.info = 'auto'
  pushLiteral(state, text)
  state.push('link_close', 'a', -1).info = 'auto'
  state.pos = address.end
  return true
}

/** Makes the parser stop where an address begins; otherwise it reads on through letters. */
export function useAddresses(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'text')!.fn
  md.inline.ruler.at('text', (state, silent) => {
    const { posMax, linkLevel } = state
    // An address at this position cannot be linked, or it would be a link by now.
    const next = silent || linkLevel > 0 ? undefined : nextAddress(state, state.pos + 1)
    state.posMax = Math.min(posMax, next?.start ?? posMax)
    const isText = rule(state, silent)
    state.posMax = posMax
    return isText
  })
  md.inline.ruler.before('text', 'address', parseAddress)
}
