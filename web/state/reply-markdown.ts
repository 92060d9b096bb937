/**
 * The form in which the page writes a reply: a silent mention, a link to the answered message and one line of it, as the first block of the
 * text. Other clients read it as what it is.
 */
const HEAD = /^@_\*\*([^*\n]{1,200}?)(?:\|\d+)?\*\* \[↩\]\([^)\s]{1,2000}\):\n> ([^\n]{0,300})(?:\n\n|$)/

/** Characters of the answered message that a reply shows. */
const LINE_LENGTH = 120
/** What would be a format of its own within the line. */
const SIGNS = /`|\*\*|~~|\$\$/g
const LEADING_SIGNS = /^(?:[>#*+-]|\d{1,9}[.)])+[ \t]+/

/** Returns the first words of a text in one line, at most so many characters. */
export function firstWords(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const cut = line.slice(0, length)
  const end = cut.lastIndexOf(' ')
  return `${(end > length / 2 ? cut.slice(0, end) : cut).trimEnd()}…`
}

/** Returns the beginning of a reply. `sender`: a mention; `text`: the words of the answered message, without formats. */
export function replyHead(sender: string, link: string, text: string): string {
  const line = firstWords(text.replaceAll(SIGNS, ''), LINE_LENGTH).replace(LEADING_SIGNS, '')
  return `${sender} [↩](${link}):\n> ${line || '…'}\n\n`
}

/** Finds the beginning of a reply in Markdown. */
export function replyHeadIn(
  text: string,
): { readonly markdown: string; readonly sender: string; readonly said: string } | undefined {
  const found = HEAD.exec(text)
  return found ? { markdown: found[0], sender: found[1]!, said: found[2]! } : undefined
}
