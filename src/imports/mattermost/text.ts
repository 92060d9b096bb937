/** Turns Mattermost's Markdown into ours. The two differ in underscores, which emphasize there, in escaped characters, and in mentions. */
import { emojiNamed } from '../../integrations/slack/emoji.ts'

export interface MattermostNames {
  /** Returns the Markdown of the user or channel of this name; undefined if there is none. */
  user(name: string): string | undefined
  channel(name: string): string | undefined
  /** Returns the replacement of an address; undefined if it stays as it is. */
  address?(url: string): string | undefined
}

/** The differences between programs with this Markdown. */
interface Dialect {
  /** The character before the name of a channel. */
  readonly channelSign: '~' | '#'
  /** Whether one star is bold, and one tilde strikes out. */
  readonly isSingle: boolean
}

const MATTERMOST: Dialect = { channelSign: '~', isSingle: false }
export const ROCKET_CHAT: Dialect = { channelSign: '#', isSingle: true }

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const NAME = /[a-z0-9._-]{1,64}/iy
const CHANNEL = /[a-z0-9_-]{1,64}/iy
const EMOJI = /:([\w+-]{1,64}):/y
const SIGN = /[!-/:-@[-`{-~]/
/** UTF-16 units between a pair of emphasizing characters. */
const MAX_EMPHASIZED = 2_000
/** The size of a picture, after its address. */
const SIZE = /^ =\d{0,5}(?:x\d{0,5})?(?=\))/
const BORDER = /^[\s\p{P}\p{S}]?$/u

/** Returns a text as our Markdown. Code stays as it is. */
export function ofMattermostText(text: string, names: MattermostNames, dialect = MATTERMOST): string {
  let fence = ''
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      const [start = '', mark = ''] = FENCE.exec(line) ?? []
      const language = line.slice(start.length)
      if (fence !== '') {
        if (mark[0] === fence[0] && mark.length >= fence.length && language.trim() === '') fence = ''
        return line
      }
      if (mark !== '') {
        fence = mark
        return /^\s*(?:latex|tex)\s*$/i.test(language) ? `${mark}math` : line
      }
      return ofLine(line, names, dialect)
    })
    .join('\n')
}

function ofLine(line: string, names: MattermostNames, dialect: Dialect): string {
  let result = ''
  let at = 0
  while (at < line.length) {
    const read = readAt(line, at, names, dialect) ?? { markdown: line[at]!, end: at + 1 }
    result += read.markdown
    at = read.end
  }
  return result
}

interface Read {
  readonly markdown: string
  readonly end: number
}

function readAt(line: string, at: number, names: MattermostNames, dialect: Dialect): Read | undefined {
  if (line[at] === dialect.channelSign) return readName(line, at, CHANNEL, names.channel)
  switch (line[at]) {
    case '`':
      return readCode(line, at)
    case '\\':
      return readEscape(line, at)
    case '@':
      return readName(line, at, NAME, names.user)
    case '*':
    case '~':
      return dialect.isSingle ? readSingle(line, at, names, dialect) : undefined
    case ':':
      return readEmoji(line, at)
    case '_':
      return readEmphasis(line, at, names, dialect)
    case 'h':
      return readAddress(line, at, names)
    default:
      return undefined
  }
}

function readCode(line: string, at: number): Read | undefined {
  let length = 1
  while (line[at + length] === '`') length += 1
  const mark = line.slice(at, at + length)
  const end = line.indexOf(mark, at + length)
  return { markdown: end < 0 ? mark : line.slice(at, end + length), end: (end < 0 ? at : end) + length }
}

function readEscape(line: string, at: number): Read | undefined {
  const next = line[at + 1] ?? ''
  return SIGN.test(next) ? { markdown: `&#${next.charCodeAt(0)};`, end: at + 2 } : undefined
}

/** Reads a name. Punctuation at its end may belong to the sentence. */
function readName(
  line: string,
  at: number,
  form: RegExp,
  find: (name: string) => string | undefined,
): Read | undefined {
  if (!BORDER.test(line[at - 1] ?? '')) return undefined
  form.lastIndex = at + 1
  let name = form.exec(line)?.[0] ?? ''
  while (name !== '') {
    const markdown = find(name.toLowerCase())
    if (markdown !== undefined) return { markdown, end: at + 1 + name.length }
    if (!/[._-]$/.test(name)) return undefined
    name = name.slice(0, -1)
  }
  return undefined
}

function readEmoji(line: string, at: number): Read | undefined {
  EMOJI.lastIndex = at
  const name = EMOJI.exec(line)?.[1]
  if (name === undefined || emojiNamed(name).code === undefined) return undefined
  return { markdown: `:${emojiNamed(name).name}:`, end: at + name.length + 2 }
}

/** Reads an address, whose underscores do not emphasize. */
function readAddress(line: string, at: number, names: MattermostNames): Read | undefined {
  if (!BORDER.test(line[at - 1] ?? '') || !/^https?:\/\//.test(line.slice(at, at + 8))) return undefined
  let end = at
  while (end < line.length && !/[\s<>]/.test(line[end]!)) end += 1
  const address = line.slice(at, end)
  // The target of a link is no text.
  if (line[at - 1] === '(' && line[at - 2] === ']') {
    const size = SIZE.exec(line.slice(end, end + 20))?.[0] ?? ''
    return { markdown: address, end: end + size.length }
  }
  const bare = address.replace(/[.,;:!?)*~_'"]{1,20}$/, '')
  const replaced = names.address?.(bare)
  return { markdown: replaced === undefined ? address : replaced + address.slice(bare.length), end }
}

function readEmphasis(line: string, at: number, names: MattermostNames, dialect: Dialect): Read | undefined {
  const mark = line[at + 1] === '_' ? '__' : '_'
  const start = at + mark.length
  if (line[start] === '_' || (line[start] ?? ' ').trim() === '' || !BORDER.test(line[at - 1] ?? ''))
    return skipped(line, at)
  for (let end = line.indexOf(mark, start); end > 0; end = line.indexOf(mark, end + 1)) {
    const isEnd =
      line[end - 1]!.trim() !== '' && line[end - 1] !== '_' && BORDER.test(line[end + mark.length] ?? '')
    if (!isEnd || line[end + mark.length] === '_') continue
    const stars = mark.replaceAll('_', '*')
    const inside = line.slice(start, end)
    // Underscores inside belong to names: people write one level.
    return {
      markdown:
        stars + ofLine(inside.replaceAll('_', '\ue000'), names, dialect).replaceAll('\ue000', '_') + stars,
      end: end + mark.length,
    }
  }
  return skipped(line, at)
}

/** Reads text between single stars or tildes, which are double in our Markdown. */
function readSingle(line: string, at: number, names: MattermostNames, dialect: Dialect): Read | undefined {
  const sign = line[at]!
  if (line[at + 1] === sign) {
    let end = at
    while (line[end] === sign) end += 1
    return { markdown: line.slice(at, end), end }
  }
  if ((line[at + 1] ?? ' ').trim() === '' || !BORDER.test(line[at - 1] ?? '')) return undefined
  const end = line.slice(0, at + MAX_EMPHASIZED).indexOf(sign, at + 2)
  const isEnd = end > 0 && line[end - 1]!.trim() !== '' && BORDER.test(line[end + 1] ?? '')
  if (!isEnd || line[end + 1] === sign) return undefined
  // Such characters inside belong to names: people write one level.
  const inside = ofLine(line.slice(at + 1, end), names, dialect)
  return { markdown: sign + sign + inside + sign + sign, end: end + 1 }
}

function skipped(line: string, at: number): Read {
  let end = at
  while (line[end] === '_') end += 1
  return { markdown: line.slice(at, end), end }
}
