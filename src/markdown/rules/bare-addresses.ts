import type { MarkdownIt, StateInline } from 'markdown-it'
import { type Address, findAddresses } from '../addresses.ts'
import { pushLiteral } from './spans.ts'

/** The addresses of the text being parsed, in their order. */
const addressesOf = new WeakMap<StateInline, Address[]>()

function addresses(state: StateInline): Address[] {
  let found = addressesOf.get(state)
  if (found === undefined) {
    found = findAddresses(state.src)
    addressesOf.set(state, found)
  }
  return found
}

/** The first address that begins at `pos` or behind it. */
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

/** A bare address becomes a link, except in the text of a link; it is shown as it was typed. */
function parseAddress(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0) return false
  const address = nextAddress(state, state.pos)
  if (address === undefined || address.start !== state.pos || address.end > state.posMax) return false
  const text = state.src.slice(address.start, address.end)
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

/** Lets the parser read no further than to where an address begins: it reads on through letters otherwise. */
export function useAddresses(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'text')!.fn
  md.inline.ruler.at('text', (state, silent) => {
    const { posMax, linkLevel } = state
    // An address at this position is none that may be linked, or it would be a link by now.
    const next = silent || linkLevel > 0 ? undefined : nextAddress(state, state.pos + 1)
    state.posMax = Math.min(posMax, next?.start ?? posMax)
    const isText = rule(state, silent)
    state.posMax = posMax
    return isText
  })
  md.inline.ruler.before('text', 'address', parseAddress)
}
