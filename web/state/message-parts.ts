import { replyHeadIn } from './reply-markdown.ts'

/** A quoted message at the beginning of a text, and a file at its end: shown as a chip each. */
export interface QuotePart {
  readonly markdown: string
  readonly sender: string
  readonly said: string
}

export interface FilePart {
  readonly markdown: string
  readonly name: string
  readonly url: string
}

/** A message's text in parts, from which `wholeOf` restores it. */
export interface MessageParts {
  readonly quotes: readonly QuotePart[]
  readonly body: string
  readonly files: readonly FilePart[]
}

/** The form that `quoteOf` makes, up to its fence. */
const QUOTE_HEAD =
  /^@_\*\*([^*\n]{1,200}?)(?:\|\d+)?\*\* \[[^\]\n]{0,600}\]\([^)\s]{1,2000}\):\n(`{3,})quote\n/
const FILE_LINE = /^!?\[([^\]\n]{0,300})\]\((\/user_uploads\/[^)\s]{1,1000})\)$/

/** Splits a text into parts. `keepsQuotes`: quotes stay in the text, where they can be edited. */
export function partsOf(text: string, { keepsQuotes = false } = {}): MessageParts {
  const quotes: QuotePart[] = []
  let body = text
  while (!keepsQuotes) {
    const quote = quoteAt(body)
    if (!quote) break
    quotes.push(quote)
    body = body.slice(quote.markdown.length)
  }
  const files: FilePart[] = []
  for (;;) {
    const at = body.lastIndexOf('\n')
    const file = FILE_LINE.exec(body.slice(at + 1))
    if (!file) break
    files.unshift({ markdown: file[0], name: file[1]!, url: file[2]! })
    body = body.slice(0, Math.max(0, at))
    if (at === -1) break
  }
  if (files.length > 0 && body.endsWith('\n')) body = body.slice(0, -1)
  return { quotes, body, files }
}

export function wholeOf({ quotes, body, files }: MessageParts): string {
  const end = files.map(({ markdown }) => markdown).join('\n')
  // After one line alone they would be a part of a list or quote that ends the text.
  const gap = body !== '' && end !== '' ? '\n\n' : ''
  return `${quotes.map(({ markdown }) => markdown).join('')}${body}${gap}${end}`
}

/** Returns the text with a file at its end. */
export function withFile(text: string, markdown: string): string {
  const { quotes, body, files } = partsOf(text)
  const [file] = partsOf(markdown).files
  return file
    ? wholeOf({ quotes, body, files: [...files, file] })
    : wholeOf({ quotes, body: body === '' ? markdown : `${body}\n${markdown}`, files })
}

/** Returns the text with a quote after those at its beginning; undefined for one that no chip can show. */
export function withQuote(text: string, markdown: string): string | undefined {
  const [quote, ...more] = partsOf(markdown).quotes
  if (!quote || more.length > 0) return undefined
  const { quotes, ...rest } = partsOf(text)
  return wholeOf({ ...rest, quotes: [...quotes, quote] })
}

function quoteAt(text: string): QuotePart | undefined {
  const head = QUOTE_HEAD.exec(text)
  if (!head) return replyHeadIn(text)
  const [start, sender, fence] = head
  const end = `\n${fence}\n`
  const at = text.indexOf(end, start.length - 1)
  if (at === -1) return undefined
  const markdown = text.slice(0, at + end.length)
  return { markdown, sender: sender!, said: text.slice(start.length, at) }
}

/** Returns a fence that is longer than any within the text. */
export function fenceAround(text: string): string {
  return '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)))
}

/** Returns a quote. `source`: the words of the link to the message, as they stand in one. */
export function quoteOf(sender: string, link: string, content: string, source = '↗'): string {
  const fence = fenceAround(content)
  return `${sender} [${source}](${link}):\n${fence}quote\n${content}\n${fence}\n`
}
