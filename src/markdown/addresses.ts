import { topLevelDomains } from './top-level-domains.ts'

/** A bare address in a text: `[start, end)` in UTF-16 units. */
export interface Address {
  start: number
  end: number
}

/** Limit of the nested parentheses in an address; a text with deeper ones is not an address. */
const deepestParentheses = 7
/** Limit of the possible starts of an address checked in one sequence without whitespace. */
const maxBeginnings = 10

/**
 * The bare addresses of a text: web addresses, with a scheme or known by their top-level domain, mail addresses, and those of other registered
 * schemes in the forms that these have.
 * An address begins at the start of a word or after one of `'"(,:<`, and only sentence punctuation may stand between it and the end of
 * the word, so nothing that looks like an attribute of a tag is one. A user name may stand before a host with a scheme, but not a
 * password, which people rarely mean to show. Source: the public server's renderings.
 */
export function findAddresses(text: string): Address[] {
  const found: Address[] = []
  for (let end = 0; ; ) {
    const sign = firstSignOfAddress(text, end)
    if (sign === text.length) return found
    let start = sign
    while (start > end && !isSpace(text, start - 1)) start--
    end = sign
    while (end < text.length && !isSpace(text, end)) end++
    const address = addressInWord(text.slice(start, end))
    if (address) found.push({ start: start + address.start, end: start + address.end })
  }
}

/** Returns the first position from `start` of a character that every address has; the text's length without one. */
function firstSignOfAddress(text: string, start: number): number {
  let position = start
  while (position < text.length && !isSignOfAddress(text.charCodeAt(position))) position++
  return position
}

function isSignOfAddress(code: number): boolean {
  return code === 0x2e || code === 0x40 || code === 0x3a
}

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  return code <= 0x20 || code >= 0xa0 ? /\s/.test(text[position]!) : false
}

/** Returns the address in a word. There is at most one, because it reaches to the word's last characters. */
function addressInWord(word: string): Address | undefined {
  let signs = word.length
  while (signs > 0 && mayFollow(word[signs - 1]!)) signs--
  if (firstSignOfAddress(word, 0) >= signs) return undefined
  if (!/[.@]|[a-z\d]:[/?+\w-]/i.test(word.slice(0, signs))) return undefined
  let beginnings = 0
  for (let start = 0; start < signs && beginnings < maxBeginnings; start++) {
    if (!mayBegin(word, start)) continue
    beginnings++
    const end =
      webAddressEnd(word, start, signs) ??
      (isInHost(word, start) ? undefined : mailAddressEnd(word, start, signs))
    if (end !== undefined) return { start, end }
  }
  return undefined
}

/** Whether an address may begin there: emphasis marks may surround it, and letters of scripts without spaces may precede its scheme. */
function mayBegin(word: string, start: number): boolean {
  if (!/[\w\u0080-\uffff]/.test(word[start]!)) return false
  if (start === 0 || `'"(,:<*~`.includes(word[start - 1]!)) return true
  return word[start - 1]! > '\x7f' && /^https?:/i.test(word.slice(start, start + 6))
}

/** Whether a position is within the host of an address with a scheme, where a password would look like a mail address. */
function isInHost(word: string, position: number): boolean {
  const host = word.lastIndexOf('://', position)
  return host >= 0 && !/[/?#]/.test(word.slice(host + 3, position))
}

function mayFollow(char: string): boolean {
  return `!:;?),.'">*~`.includes(char)
}

/** Schemes of addresses that begin with a host. */
const OF_HOSTS = /^(?:https?|ftps?|sftp|ssh|ircs?|webcal|news|nntp):\/\//i

/**
 * The beginnings of addresses of other schemes. A name and a colon alone are none, since people write `news:` and `mid:` in sentences. The
 * schemes are registered; those of applications (`obsidian:`) are links only where somebody makes them one.
 */
const OF_OTHERS =
  /^(?:magnet:\?|matrix:(?:u|r|user|room|roomid)\/|geo:-?\d|urn:[a-z\d][a-z\d-]{1,31}:[^\s:]|(?:mid|sips?|xmpp|im):[^\s@/?#]+@\w|(?:tel|sms|smsto):\+?\d|news:[\w+-]+[.@]\w|bitcoin:[13][a-z\d]{25,34}$)/i

/** Characters of an address that are looked at to know its scheme: more than any beginning of those has. */
const LOOKED_AT = 300

/** Returns the end of a web address that begins at `start`, or of one of another scheme; only punctuation may follow from `signs` on. */
function webAddressEnd(word: string, start: number, signs: number): number | undefined {
  const scheme = OF_HOSTS.exec(word.slice(start, start + 'webcal://'.length))?.[0]
  const first = word.slice(start, Math.min(signs, start + LOOKED_AT))
  if (scheme === undefined && OF_OTHERS.test(first)) return pathEnd(word, start, signs)
  const host = scheme === undefined ? start : start + scheme.length + userLength(word, start + scheme.length)
  let end = host
  while (end < signs && isHostChar(word[end]!)) end++
  if (end === host) return undefined
  if (scheme === undefined && !isKnownHost(word.slice(host, end))) return undefined
  // Punctuation of scripts without spaces ends a sentence too.
  if (end === signs || /[^\0-\x7f]/.test(word[end]!)) return end
  return /[/?#]/.test(word[end]!) ? pathEnd(word, end, signs) : undefined
}

/** Returns the length of the user name before a host, including its `@`; 0 without one. */
function userLength(word: string, start: number): number {
  let end = start
  while (end < word.length && isUserChar(word[end]!)) end++
  return end > start && word[end] === '@' ? end + 1 - start : 0
}

function isUserChar(char: string): boolean {
  return /[\w.%+-]/.test(char)
}

function isHostChar(char: string): boolean {
  return /[\w.:-]/.test(char) || (/[^\0-\x7f]/.test(char) && /[\p{L}\p{N}\p{M}\p{S}\p{Cs}]/u.test(char))
}

/** Whether a name has several parts and ends in a top-level domain, with or without a port. */
function isKnownHost(host: string): boolean {
  const [name, port, more] = host.split(':', 3) as [string, string?, string?]
  if (more !== undefined || (port !== undefined && !/^\d{1,5}$/.test(port))) return false
  const labels = name.split('.')
  return labels.length > 1 && !labels.includes('') && isTopLevelDomain(labels.at(-1)!)
}

/** Returns the first index from `signs` on at which all parentheses are closed. */
function pathEnd(word: string, start: number, signs: number): number | undefined {
  let depth = 0
  for (let pos = start; ; pos++) {
    if (pos >= signs && depth === 0) return pos
    const char = word[pos]
    if (char === undefined || char === '"') return undefined
    if (char === '(' && ++depth > deepestParentheses) return undefined
    if (char === ')' && --depth < 0) return undefined
  }
}

function mailAddressEnd(word: string, start: number, signs: number): number | undefined {
  const address = word.slice(start, signs)
  return /^[\w.+\u0080-\uffff-]+@(?:[\w\u0080-\uffff-]+\.)+[\w\u0080-\uffff]+$/.test(address)
    ? signs
    : undefined
}

/** Top-level domains that are endings of files first of all: `setup.py`, `README.md`, `clip.mov`. */
const OF_FILES = ['java', 'md', 'mov', 'py', 'zip']

let names: ReadonlySet<string> | undefined

/** Whether a name with this ending and without a scheme counts as a site. */
function isTopLevelDomain(name: string): boolean {
  names ??= new Set(topLevelDomains.split(/\s/).filter((domain) => !OF_FILES.includes(domain)))
  return names.has(name.toLowerCase())
}
