import { codeBlock, quotedLines } from '../../integrations/markdown.ts'
import { linkTo } from '../../integrations/slack/spans.ts'

/** Turns Discord's Markdown into ours. The two differ in mentions and in single underscores, which emphasize there. */

export interface DiscordNames {
  /** Returns the Markdown of the user or channel with this id; undefined if there is none. */
  user(id: string): string | undefined
  channel(id: string): string | undefined
  /** Mentions by the name that stands in the text as `@name`. */
  readonly written: ReadonlyMap<string, string>
  role(id: string): string | undefined
  /** Returns a reference to the message or channel of a Discord address; undefined for one of another server. */
  address(guild: string, channel: string, message: string): string | undefined
}

const FENCE = '```'
/** What is not text within a line: code, addresses, and what Discord writes in angle brackets, such as addresses without a preview. */
const TOKEN =
  /(`{1,3})[^`\n]{1,4000}?\1|<?(?:https:\/\/(?:[a-z]{1,20}\.)?discord(?:app)?\.com\/channels\/(?<guild>\d{1,20}|@me)\/(?<inGuild>\d{1,20})(?:\/(?<message>\d{1,20}))?(?![\w/])|https?:\/\/[^\s<>]{1,2000})>?|<@!?(?<user>\d{1,20})>|<@&(?<role>\d{1,20})>|<#(?<channel>\d{1,20})>|<a?:(?<emoji>\w{1,64}):\d{1,20}>|<t:(?<time>-?\d{1,12})(?::[a-zA-Z])?>|@(?<written>[^\s@#:`<>*][^\n@`<>*]{0,60})|[@#](?=_?\*\*)|__(?<underlined>[^_\n]{1,2000})__|(?<![\p{L}\p{N}_])_(?<emphasized>[^_\n]{1,2000})_(?![\p{L}\p{N}_])/gu

/** The language of a block of code, in its first line. */
const LANGUAGE = /^([\w+#.-]{1,30})\r?\n/
/** Blanks after a block of code that are passed over. */
const MAX_GAP = 100
const ALL_QUOTED = /^>>> (.*)$/
/** The beginning of a quoted line. */
const QUOTED = /^>(?: |$)/
/** What is before a block of code at the beginning of a line. */
const LEAD = /(?:^|\n) *(>>> |> ?)?$/

/** Returns a text as our Markdown. Code stays as it is: a block of it may begin and end anywhere in a line. */
export function ofDiscordText(given: string, names: DiscordNames): string {
  const text = given.replaceAll('\r\n', '\n')
  const whole = /^\s*\|\|([^|]{1,20000})\|\|\s*$/.exec(text)
  if (whole) return `\`\`\`\`spoiler\n${ofDiscordText(whole[1]!, names).trim()}\n\`\`\`\``
  const parts: string[] = []
  let isQuote = false
  const ofLines = (lines: string) =>
    lines
      .split('\n')
      .map((line) => {
        const quote = isQuote ? undefined : ALL_QUOTED.exec(line)?.[1]
        if (quote !== undefined) isQuote = true
        return isQuote ? `> ${ofLine(quote ?? line, names)}` : ofLine(line, names)
      })
      .join('\n')
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf(FENCE, at)
    const end = start < 0 ? -1 : text.indexOf(FENCE, start + FENCE.length)
    const isBlock = end >= 0 && text.slice(start + FENCE.length, end).trim() !== ''
    const before = text.slice(at, isBlock ? start : undefined)
    const isQuotedLine = QUOTED.test(text.slice(text.lastIndexOf('\n', start) + 1, start))
    const lead = isBlock ? LEAD.exec(before) : null
    const shown = ofLines(lead ? before.slice(0, lead.index) : before)
    if (shown.trim() !== '') parts.push(shown)
    if (!isBlock) break
    if (lead?.[1] === '>>> ') isQuote = true
    const code = blockOf(text.slice(start + FENCE.length, end), isQuotedLine)
    parts.push(isQuote || isQuotedLine ? quotedLines(code) : code)
    at = end + FENCE.length
    at += /^ *\n?/.exec(text.slice(at, at + MAX_GAP))![0].length
  }
  return parts.join('\n')
}

function blockOf(inside: string, isQuoted: boolean): string {
  const text = isQuoted ? inside.replaceAll(/\n> ?/g, '\n') : inside
  const language = LANGUAGE.exec(text)?.[1] ?? ''
  return codeBlock(text.slice(language.length).replace(/^\n/, ''), language)
}

function ofLine(line: string, names: DiscordNames): string {
  return line.replace(TOKEN, (whole: string, ...groups: unknown[]) => {
    const token = groups.at(-1) as Readonly<Record<string, string | undefined>>
    const address = /^<(https?:.*)>$/.exec(whole)?.[1] ?? whole
    if (token.guild !== undefined) {
      const reference = names.address(token.guild, token.inGuild!, token.message ?? '')
      if (reference === undefined) return address
      // The target of a link is between brackets already.
      const isTarget = line.slice(0, Number(groups.at(-3))).endsWith('](')
      return isTarget ? reference : linkTo(address, reference)
    }
    if (token.user) return names.user(token.user) ?? '@unknown'
    if (token.role) return `@${names.role(token.role) ?? 'role'}`
    if (token.channel) return names.channel(token.channel) ?? '#unknown'
    if (token.emoji) return `:${token.emoji}:`
    if (token.time) return timeOf(Number(token.time)) ?? whole
    if (token.written) return writtenName(token.written, names) ?? whole
    if (token.underlined !== undefined) return `**${ofLine(token.underlined, names)}**`
    if (token.emphasized !== undefined) return `*${ofLine(token.emphasized, names)}*`
    // What would be a mention here was none there.
    if (whole === '@') return '&#64;'
    return whole === '#' ? '&#35;' : address
  })
}

/** Returns the mention of the longest name that a text begins with, and the rest of the text. */
function writtenName(text: string, names: DiscordNames): string | undefined {
  for (let length = text.length; length > 0; length -= 1) {
    const mention = names.written.get(text.slice(0, length))
    if (mention !== undefined) return mention + ofLine(text.slice(length), names)
  }
  return undefined
}

function timeOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? undefined : `<time:${date.toISOString().slice(0, 19)}Z>`
}
