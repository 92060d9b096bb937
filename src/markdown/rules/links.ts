import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { withoutEnd } from '../../core/text-length.ts'
import { type Address, findAddresses } from '../addresses.ts'
import { contextOf } from '../render-types.ts'
import { pushLiteral, withoutEntities } from './emphasis.ts'

/**
 * Allowed schemes: those that the HTML standard lets web pages handle, further registered ones, and those of programs for notes and literature.
 * Others make no link, above all `javascript:`; nor does `file:`, which names another file, or none, on each reader's own machine.
 */
const linkSchemes = new Set(
  (
    'http https ftp ftps sftp mailto tel sms smsto bitcoin geo im irc ircs magnet matrix mid news nntp sip sips ssh urn webcal ' +
    'xmpp obsidian zotero joplin logseq notion'
  ).split(' '),
)

const schemeOf = /^\s*([a-z][a-z0-9+.-]*):/i

/** Whether this address may be linked: it is relative, or has an allowed scheme. */
export function isAllowedLink(url: string): boolean {
  const scheme = schemeOf.exec(url)?.[1]
  return scheme === undefined || linkSchemes.has(scheme.toLowerCase())
}

/**
 * Returns an address for a link: as the author spelled it, without percent-encoding of non-ASCII characters. `[text](example.com)` means
 * a site: without a scheme, only paths and fragments stay relative.
 */
function writtenUrl(url: string): string {
  const written = withScheme(url.replace(/[\t\r\n]/g, '').trim())
    .replaceAll(' ', '%20')
    .replaceAll('\\', '%5C')
  const scheme = schemeOf.exec(written)?.[0] ?? ''
  // Empty queries and fragments are dropped.
  return withPlainHost(scheme.toLowerCase() + withoutEnd(withoutEnd(written.slice(scheme.length), '#'), '?'))
}

/** Encodes a host with non-ASCII letters, which may look like other letters. */
function withPlainHost(url: string): string {
  const match = /^(https?:\/\/)([^/?#]+)/.exec(url)
  if (match === null || !/[^\0-\x7f]/.test(match[2]!) || !URL.canParse(match[0])) return url
  return `${match[1]}${new URL(match[0]).host}${url.slice(match[0].length)}`
}

function withScheme(url: string): string {
  if (url === '' || url.startsWith('#') || (url.startsWith('/') && !url.startsWith('//'))) return url
  if (url.startsWith('//')) return `http:${url}`
  if (schemeOf.test(url) && !/^[^/]*\.[a-z]+:\d+(\/|$)/i.test(url)) return url
  if (/^(user_uploads|user_avatars)\//.test(url)) return `/${url}`
  if (/^[^\s/@:]+@[^\s/@:]+$/.test(url)) return `mailto:${url}`
  return `http://${url}`
}

/** Sets up links, bare addresses, and their replacements. */
export function useLinks(md: MarkdownIt): void {
  md.validateLink = (url) => url !== '' && isAllowedLink(url)
  md.normalizeLink = writtenUrl
  refuseInsideLinks(md)
  useLinkLabels(md)
  useAddresses(md)
  md.core.ruler.after('inline', 'finish_links', (state) => {
    const context = contextOf(state.env)
    for (const block of state.tokens) {
      if (block.type !== 'inline' || !block.children?.some(isLinkStart)) continue
      undoEmptyLinks(block.children)
      for (const token of block.children) {
        if (token.type !== 'link_open') continue
        const href = localHref(String(token.attrGet('href')), context.lookups.realmUrl)
        token.attrSet('href', href)
        context.hasLink = true
        const upload = uploadPathOf(href)
        if (upload !== undefined) context.uploadPaths.add(upload)
      }
      block.children = block.children.flatMap((token, index, tokens) =>
        withText(state, token, tokens, index + 1),
      )
    }
  })
}

function isLinkStart({ type }: Token): boolean {
  return type === 'link_open'
}

/** Refuses links inside links; the parser itself checks only some of their forms. */
function refuseInsideLinks(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'link')!.fn
  md.inline.ruler.at('link', (state, silent) => state.linkLevel === 0 && rule(state, silent))
}

/** Undoes `[text]()`, which has no target: its tokens become the text from which they were made. */
function undoEmptyLinks(tokens: readonly Token[]): void {
  let undoing = false
  for (const token of tokens) {
    if (token.type === 'link_open') undoing = token.attrGet('href') === ''
    if (!undoing || !/^link_(open|close)$/.test(token.type)) continue
    const content = token.nesting === 1 ? '[' : ']()'
    Object.assign(token, { type: 'text', tag: '', nesting: 0, attrs: null, content })
  }
}

/** Pushes the start of a link, with its address as text if it has none: a reader could neither see nor follow `[ ](address)`. */
function withText(state: StateCore, token: Token, tokens: readonly Token[], first: number): Token[] {
  if (token.type !== 'link_open') return [token]
  let end = first
  while (
    tokens[end]?.type === 'softbreak' ||
    (/^(?:text|literal)$/.test(tokens[end]?.type ?? '') && tokens[end]!.content.trim() === '')
  )
    end++
  if (tokens[end]?.type !== 'link_close') return [token]
  for (const blank of tokens.slice(first, end)) Object.assign(blank, { type: 'text', tag: '', content: '' })
  const text = new state.Token('literal', '', 0)
  text.content = String(token.attrGet('href'))
  return [token, text]
}

/** Removes the origin from links into the realm itself, so that they work under every name of the realm. */
function localHref(href: string, realmUrl: string): string {
  if (!href.startsWith(`${realmUrl}/`)) return href
  const path = href.slice(realmUrl.length)
  if (path.startsWith('/#')) return path.slice(1)
  return path.startsWith('/user_uploads/') ? path : href
}

/** Returns the path id of an upload: the part after `/user_uploads/`, decoded, without query and fragment. */
export function uploadPathOf(href: string): string | undefined {
  const match = /^\/user_uploads\/(?:download\/)?([^?#]+)/.exec(href)
  if (match === null || match[1]!.startsWith('thumbnail/')) return undefined
  try {
    return decodeURIComponent(match[1]!)
  } catch {
    return match[1]
  }
}

/** The end of each bracket's label, by the bracket's position; -1 if it makes no link. */
const endsIn = new WeakMap<StateInline, Map<number, number>>()

/**
 * Finds the end of each label once. The parser searches again at each bracket: for thousands of unclosed ones it read the rest of the
 * text each time, which took 60 to 100 ms.
 */
function useLinkLabels(md: MarkdownIt): void {
  md.helpers.parseLinkLabel = (state, start) => {
    const ends = endsIn.get(state) ?? new Map<number, number>()
    endsIn.set(state, ends)
    const end = ends.get(start) ?? findEnd(state, start, ends)
    ends.set(start, end)
    return end
  }
}

/** Returns the bracket that closes the one at `start`; -1 without one, or if a link comes first. */
function findEnd(state: StateInline, start: number, ends: ReadonlyMap<number, number>): number {
  const { pos: before, src, posMax } = state
  state.pos = start + 1
  let end = -1
  while (state.pos < posMax && end < 0) {
    const at = state.pos
    if (src[at] === ']') end = at
    else {
      // The end of a bracket's own label is known once the rules have seen it.
      state.md.inline.skipToken(state)
      if (src[at] === '[') {
        const inner = state.pos === at + 1 ? (ends.get(at) ?? -1) : -1
        if (inner < 0) break
        state.pos = inner + 1
      }
    }
  }
  state.pos = before
  return end
}

/** Returns the addresses of the text being parsed, in order. */
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

/** Turns a bare address into a link, except in the text of a link; its text stays as typed, except entities. */
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
function useAddresses(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'text')!.fn
  md.inline.ruler.at('text', (state, silent) => {
    const { posMax, linkLevel } = state
    // An address at this position cannot be linked, or it would already be a link.
    const next = silent || linkLevel > 0 ? undefined : nextAddress(state, state.pos + 1)
    state.posMax = Math.min(posMax, next?.start ?? posMax)
    const isText = rule(state, silent)
    state.posMax = posMax
    return isText
  })
  md.inline.ruler.before('text', 'address', parseAddress)
}
