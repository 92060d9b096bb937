/** Messages of a Discord export. Each is read separately. */
import { firstPoints } from '../../core/text-length.ts'
import { blocks, bold, firstLine, link, plain, quotedLines } from '../../integrations/markdown.ts'
import { Payload } from '../../integrations/payload.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../known.ts'
import { isTime, type NeutralRecord, type Reaction } from '../neutral.ts'
import { channelMentionOf, mentionOf, referenceTo, replaceReferences } from '../references.ts'
import { IdLists } from '../stored-lists.ts'
import { asPlain, cutText } from '../texts.ts'
import { CHANNELS, type DiscordPlace, type FindFile, nameOfChannel, ofPerson } from './channels.ts'
import { type DiscordNames, ofDiscordText } from './text.ts'

/** UTF-16 units of a text, items of a list, and reactions of a message. */
const [MAX_TEXT, MAX_LIST, MAX_REACTIONS] = [50_000, 50, 10_000] as const
/** UTF-16 units of a text in which its first words are. */
const LOOKED_AT = 600
/** Code points of a quotation, and number of messages whose first words are remembered. */
const [QUOTED, MAX_REMEMBERED] = [100, 20_000] as const
/** The upper bits of an id are the milliseconds since this epoch. */
const [EPOCH, TIME_BITS] = [1_420_070_400_000, 22n] as const
/** Kinds of notices, some of which newer exports write as numbers. */
const NOTICE =
  /^(?:RecipientAdd|RecipientRemove|Call|ChannelNameChange|ChannelIconChange|ChannelPinnedMessage|GuildMemberJoin|ThreadCreated|[1-7]|18|21)$/

/** Reads the messages of one file. */
export class DiscordMessages {
  private readonly known: Known
  private readonly lists: IdLists
  private readonly findFile: FindFile
  /** First words of earlier messages, for quotations in replies. */
  private readonly words = new Map<string, string>()

  constructor(known: Known, findFile: FindFile) {
    this.known = known
    this.lists = new IdLists(known)
    this.findFile = findFile
  }

  /** `writers`: the name of the list of the place's writers. */
  async *of(value: unknown, place: DiscordPlace, writers: string): AsyncGenerator<NeutralRecord> {
    const message = new Payload(value, MAX_TEXT)
    const id = message.text('id')
    const problem = (kind: string): NeutralRecord => ({ type: 'problem', kind, detail: id })
    const author = message.text('author', 'id')
    const time = timeOf(message.text('timestamp')) ?? timeOfId(id)
    if (id === '' || id.length > 60) return yield problem('message without an id')
    if (author === '' || author.length > 60) return yield problem('message without a sender')
    if (time === undefined) return yield problem('message without a time')
    if (NOTICE.test(message.text('type'))) return yield problem(`left out: ${message.text('type')}`)
    for (const person of [message.at('author'), ...message.list('mentions').slice(0, MAX_LIST)]) {
      if (this.known.seen('user', person.text('id')) === undefined)
        yield* ofPerson(person, this.known, this.findFile)
    }
    await this.lists.add(writers, author)
    const forwarded = message.at('forwardedMessage')
    const files = await this.filesOf([message, forwarded], id, author)
    yield* files.records
    for (const emoji of message.list('inlineEmojis').slice(0, MAX_LIST)) yield* this.emojiOf(emoji)
    const said = blocks(
      asPlain(await this.converted(message.text('content'), message)),
      await this.forwarded(forwarded),
      ...(await this.embedsOf(message)),
      files.text,
    )
    if (said === '') return yield problem('empty message')
    await this.remember(id, said)
    const { reactions, records } = await this.reactionsOf(message)
    yield* records
    const edited = timeOf(message.text('timestampEdited'))
    const { content, file } = cutText(this.quoteOf(message) + said, id, message.text('content'))
    if (file) yield file
    yield {
      type: 'message',
      id,
      sender: author,
      time_ms: time,
      content,
      ...(place.channel === '' ? { to: [...new Set([...place.to, author])] } : { channel: place.channel }),
      ...(place.topic !== '' && { topic: place.topic.slice(0, 1_000) }),
      ...(edited !== undefined && { edited_ms: edited }),
      ...(reactions.length > 0 && { reactions }),
    }
    if (message.isTrue('isPinned')) yield problem('pinned message')
  }

  private async remember(id: string, said: string): Promise<void> {
    if (this.words.size >= MAX_REMEMBERED) this.words.delete(this.words.keys().next().value!)
    const { known } = this
    const named = await known.lookingUp(() =>
      replaceReferences(said.slice(0, LOOKED_AT), ({ kind, id: ofThing, form, label }) => {
        if (form === 'link') return label
        return kind === 'user'
          ? `@${known.seen('user', ofThing) ?? ''}`
          : `#${nameOfChannel(known.seen('channel', ofThing))}`
      }),
    )
    this.words.set(
      id,
      firstPoints(
        firstLine(
          named
            .replace(/<time:([\d-]{10})[^>\n]{0,30}>/g, '$1')
            .replace(/\[([^\][]{0,300})\]\([^()]{0,2000}\)/g, '$1')
            .replace(/[*~`|]+/g, ''),
        ),
        QUOTED,
      ),
    )
  }

  /** Returns a quotation of the message that a reply is about. */
  private quoteOf(message: Payload): string {
    const about = message.text('reference', 'messageId')
    if (about === '' || message.has('forwardedMessage') || message.text('type') !== 'Reply') return ''
    return `> ${linkTo(this.words.get(about) || 'An earlier message', referenceTo('message', about))}\n\n`
  }

  private async converted(text: string, message: Payload): Promise<string> {
    if (text === '') return ''
    const { known, lists } = this
    const guild = await known.get('realm', 'guild')
    const written = message
      .list('mentions')
      .slice(0, MAX_LIST)
      .flatMap((one) =>
        [one.text('nickname'), one.text('name')].map((name) => [name, mentionOf(one.text('id'))] as const),
      )
      .filter(([name]) => name !== '')
    const names: DiscordNames = {
      user: (id) => (known.seen('user', id) === undefined ? undefined : mentionOf(id)),
      channel: (id) => (lists.hasSeen(CHANNELS, id) ? channelMentionOf(id) : undefined),
      role: (id) => known.seen('group', id),
      address: (place, channel, id) => {
        if (place !== guild && place !== '@me') return undefined
        if (id !== '') return referenceTo('message', id)
        return lists.hasSeen(CHANNELS, channel) ? referenceTo('channel', channel) : undefined
      },
      written: new Map(written),
    }
    return known.lookingUp(() => ofDiscordText(text, names).trim())
  }

  private async forwarded(message: Payload): Promise<string> {
    const text = blocks(
      await this.converted(message.text('content'), message),
      ...(await this.embedsOf(message)),
    )
    return quotedLines(text)
  }

  private async filesOf(
    messages: readonly Payload[],
    id: string,
    owner: string,
  ): Promise<{ records: NeutralRecord[]; text: string }> {
    const records: NeutralRecord[] = []
    const lines: string[] = []
    const listed = (key: string) => messages.flatMap((message) => message.list(key)).slice(0, MAX_LIST)
    for (const [at, file] of listed('attachments').entries()) {
      const name = file.text('fileName') || 'file'
      const found = await this.findFile(file.text('url'))
      const fileId = (file.text('id') || `${id}/${at}`).slice(0, 200)
      lines.push(linkTo(name, referenceTo('file', fileId)))
      // A later export may have it.
      if (!found) {
        records.push({ type: 'problem', kind: 'file without an address', detail: name })
        continue
      }
      const size = file.number('fileSizeBytes')
      records.push({
        type: 'file',
        id: fileId,
        name: name.slice(0, 1_000),
        owner,
        ...found,
        ...(size !== undefined && Number.isInteger(size) && size >= 0 && { size }),
      })
    }
    for (const sticker of listed('stickers'))
      lines.push(link(`Sticker: ${sticker.text('name')}`, sticker.text('sourceUrl')))
    return { records, text: lines.join('\n') }
  }

  /** Returns the embeds, except previews of addresses in the text. */
  private async embedsOf(message: Payload): Promise<string[]> {
    const shown: string[] = []
    for (const embed of message.list('embeds').slice(0, MAX_LIST)) {
      const url = embed.text('url')
      if (url !== '' && embed.list('fields').length === 0 && message.text('content').includes(url)) continue
      const fields: string[] = []
      for (const field of embed.list('fields').slice(0, MAX_LIST))
        fields.push(`${bold(field.text('name'))}: ${await this.converted(field.text('value'), message)}`)
      shown.push(
        blocks(
          plain(embed.text('author', 'name')),
          link(embed.text('title'), url) || plain(embed.text('title')),
          await this.converted(embed.text('description'), message),
          fields.join('\n'),
          ...[embed.at('image'), ...embed.list('images').slice(0, MAX_LIST)]
            .map((image) => image.text('url'))
            .filter((one, at, all) => one !== '' && all.indexOf(one) === at)
            .map((one) => link('Image', one)),
          plain(embed.text('footer', 'text')),
        ),
      )
    }
    return shown
  }

  private async *emojiOf(emoji: Payload): AsyncGenerator<NeutralRecord> {
    const [id, name] = [emoji.text('id'), emoji.text('name')]
    if (!/^\d{1,20}$/.test(id) || name === '' || (await this.known.get('emoji', name)) !== undefined) return
    const found = await this.findFile(emoji.text('imageUrl'))
    if (!found) return
    await this.known.put('emoji', name, 'made')
    yield {
      type: 'file',
      id: `emoji:${id}`,
      name: emoji.isTrue('isAnimated') ? 'emoji.gif' : 'emoji.png',
      ...found,
    }
    yield { type: 'emoji', id, name: name.slice(0, 200), image: `emoji:${id}` }
  }

  private async reactionsOf(message: Payload): Promise<{ reactions: Reaction[]; records: NeutralRecord[] }> {
    const reactions: Reaction[] = []
    const records: NeutralRecord[] = []
    for (const reaction of message.list('reactions')) {
      const emoji = reaction.at('emoji')
      const [id, name] = [emoji.text('id'), emoji.text('name')]
      const users = reaction.list('users')
      if (name === '') continue
      const unknown = Math.max((reaction.number('count') ?? 1) - users.length, 0)
      if (unknown > 0) {
        const detail = `${unknown} of ${name}, ${message.text('id')}`
        records.push({ type: 'problem', kind: 'reactions of people whom the export does not name', detail })
      }
      const isCustom = id !== ''
      if (isCustom) for await (const record of this.emojiOf(emoji)) records.push(record)
      for (const user of users) {
        const userId = user.text('id')
        if (userId === '' || userId.length > 60 || reactions.length >= MAX_REACTIONS) continue
        for await (const record of ofPerson(user, this.known, this.findFile)) records.push(record)
        const code = codeOf(name)
        reactions.push(
          isCustom
            ? { user: userId, emoji: name.slice(0, 200), kind: 'custom' }
            : { user: userId, emoji: (emoji.text('code') || name).slice(0, 200), kind: 'unicode', code },
        )
      }
    }
    return { reactions, records }
  }
}

/** Returns the code points of an emoji without its skin tone and variation. */
function codeOf(characters: string): string {
  const points = [...characters].map((one) => one.codePointAt(0)!)
  const kept = points.filter((point) => point !== 0xfe0f && !(point >= 0x1f3fb && point <= 0x1f3ff))
  return kept
    .slice(0, 20)
    .map((point) => point.toString(16).padStart(4, '0'))
    .join('-')
}

function timeOf(date: string): number | undefined {
  const time = Date.parse(date)
  return isTime(time) ? time : undefined
}

function timeOfId(id: string): number | undefined {
  return /^\d{15,20}$/.test(id) ? Number(BigInt(id) >> TIME_BITS) + EPOCH : undefined
}
