import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../import-reader.ts'

/** Discord's Markdown, as ours. It is nearly the same: names are mentioned otherwise, and single underscores emphasize there. */

interface DiscordNames {
  /** Returns the Markdown of a person or a channel with this id; undefined where there is none. */
  user(id: string): string | undefined
  channel(id: string): string | undefined
  /** People who are written as `@name` already. */
  readonly written: ReadonlyMap<string, string>
  role(id: string): string | undefined
  /** Returns the reference to a message, or to a channel, of an address in Discord; undefined for one of another place. */
  address(guild: string, channel: string, message: string): string | undefined
}

const FENCE = /^\s*`{3}/
/** What is not text within a line: code, addresses, and what Discord writes in angle brackets. */
const TOKEN =
  /(`{1,3})[^`\n]{1,4000}?\1|https:\/\/(?:[a-z]{1,20}\.)?discord(?:app)?\.com\/channels\/(\d{1,20}|@me)\/(\d{1,20})(?:\/(\d{1,20}))?(?![\w/])|https?:\/\/[^\s<>]{1,2000}|<@!?(\d{1,20})>|<@&(\d{1,20})>|<#(\d{1,20})>|<a?:(\w{1,64}):\d{1,20}>|<t:(-?\d{1,12})(?::[a-zA-Z])?>|@([^\s@#:`<>*][^\n@`<>*]{0,60})|[@#](?=_?\*\*)|__([^_\n]{1,2000})__|(?<![\p{L}\p{N}_])_([^_\n]{1,2000})_(?![\p{L}\p{N}_])/gu

/** Returns a text as Markdown of ours. Code stays as it is. */
export function ofDiscordText(text: string, names: DiscordNames): string {
  const whole = /^\s*\|\|([^|]{1,20000})\|\|\s*$/.exec(text)
  if (whole) return `\`\`\`\`spoiler\n${ofDiscordText(whole[1]!, names).trim()}\n\`\`\`\``
  let isCode = false
  let isQuote = false
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) {
        // One that begins and ends in a line is code of that line.
        if ((line.match(/`{3}/g)?.length ?? 0) % 2 === 1) isCode = !isCode
        return line
      }
      if (isCode) return line
      const quote = isQuote ? undefined : /^>>> (.*)$/.exec(line)?.[1]
      if (quote !== undefined) isQuote = true
      return isQuote ? `> ${ofLine(quote ?? line, names)}` : ofLine(line, names)
    })
    .join('\n')
}

function ofLine(line: string, names: DiscordNames): string {
  return line.replace(TOKEN, (whole: string, ...groups: (string | undefined)[]) => {
    const [, guild, inGuild, message, user, role, channel, emoji, time, written, underlined, emphasized] =
      groups
    if (guild !== undefined) {
      const reference = names.address(guild, inGuild!, message ?? '')
      // That of a link stands between brackets already.
      const isTarget = line.slice(0, Number(groups.at(-2))).endsWith('](')
      if (reference === undefined) return whole
      return isTarget ? reference : linkTo(whole, reference)
    }
    if (user) return names.user(user) ?? '@unknown'
    if (role) return `@${names.role(role) ?? 'role'}`
    if (channel) return names.channel(channel) ?? '#unknown'
    if (emoji) return `:${emoji}:`
    if (time) return timeOf(Number(time)) ?? whole
    if (written) return writtenName(written, names) ?? whole
    if (underlined !== undefined) return `**${ofLine(underlined, names)}**`
    if (emphasized !== undefined) return `*${ofLine(emphasized, names)}*`
    // What would be a mention here was none there.
    if (whole === '@') return '&#64;'
    return whole === '#' ? '&#35;' : whole
  })
}

/** Returns the mention of the longest name with which a text begins, with the rest of the text. */
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

/** Ids in one value of the store: each has at most 60 characters. */
const TOGETHER = 500

/** Lists of ids, each of which is in a list once. They are stored, so that they may grow over all units. */
export class Lists {
  private readonly known: Known

  constructor(known: Known) {
    this.known = known
  }

  /** Returns whether it is new. */
  async add(list: string, id: string): Promise<boolean> {
    if (id === '' || id.length > 60) return false
    const key = `${list}\n${id}`
    if ((await this.known.get('listed', key)) !== undefined) return false
    await this.known.put('listed', key, '')
    const count = Number((await this.known.get('list', list)) ?? '0')
    const part = `${list}\n${Math.floor(count / TOGETHER)}`
    const before = count % TOGETHER === 0 ? '' : `${await this.known.get('list', part)}\n`
    await this.known.put('list', part, before + id)
    await this.known.put('list', list, String(count + 1))
    return true
  }

  async all(list: string): Promise<string[]> {
    const count = Number((await this.known.get('list', list)) ?? '0')
    const ids: string[] = []
    for (let part = 0; part * TOGETHER < count; part += 1) {
      ids.push(...((await this.known.get('list', `${list}\n${part}`)) ?? '').split('\n'))
    }
    return ids
  }
}
