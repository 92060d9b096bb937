/** Messages of a Rocket.Chat database. */
import { parseJson } from '../../core/json.ts'
import { firstPoints } from '../../core/text-length.ts'
import { blocks } from '../../integrations/markdown.ts'
import { Payload } from '../../integrations/payload.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../known.ts'
import { attachmentOf, emojiThere, wordsOf } from '../mattermost/posts.ts'
import { ofMattermostText, ROCKET_CHAT } from '../mattermost/text.ts'
import { isTime, type NeutralRecord, type Reaction } from '../neutral.ts'
import { channelMentionOf, mentionOf, peopleOf, referenceTo, referenceToConversation } from '../references.ts'
import { listed, ofUnlisted } from '../server-texts.ts'
import { newTopic } from '../slack/topics.ts'
import { asPlain, copyOutside, countOfReplies, cutText, decodedPath } from '../texts.ts'
import type { RoomPlace } from './rooms.ts'

const MAX_LIST = 50
const MAX_NAMES = 10_000
/** Code points of a quotation. */
const QUOTED = 100
/** Rooms whose places are cached. */
const MAX_ROOMS = 1_000
/** A quotation: a link without text to the message, which an attachment repeats. */
const QUOTE_LINK = /\[ ?\]\(https?:\/\/[^()\s]{1,500}[?&]msg=([A-Za-z0-9]{1,60})\)/g
/** The address of a room, or of a message in it, on any server. */
const ROOM_ADDRESS =
  /^https?:\/\/[^()\s]{1,500}\/(channel|group|direct)\/([^()\s?/]{1,200})(?:\?msg=([A-Za-z0-9]{1,60}))?$/
/** A link to such an address. */
const LINK = /\]\((https?:\/\/[^()\s]{1,800})\)/g

/** Caches the places of rooms. */
export class Rooms {
  private readonly known: Known
  private readonly places = new Map<string, RoomPlace | undefined>()

  constructor(known: Known) {
    this.known = known
  }

  /** Returns the destination of a room's messages; undefined for a room that is left out or unknown. */
  async placeOf(room: string): Promise<RoomPlace | undefined> {
    if (this.places.has(room)) return this.places.get(room)
    const text = room === '' ? undefined : await this.known.get('recipient', room)
    const place = text ? (new Payload(parseJson(text)).raw as RoomPlace) : undefined
    if (this.places.size >= MAX_ROOMS) this.places.clear()
    this.places.set(room, place)
    return place
  }
}

/** Notes the first message of a thread, since replies may come before it. */
export async function noteRoot(message: Payload, rooms: Rooms, known: Known): Promise<void> {
  const [id, time] = [message.text('_id'), message.number('ts')]
  if ((message.number('tcount') ?? 0) <= 0 || id === '' || !isTime(time)) return
  const place = await rooms.placeOf(message.text('rid'))
  const words = wordsOf(message.text('msg'))
  if (place?.channel !== undefined)
    await known.put('thread', `${place.channel}/${id}`, await newTopic(place.channel, time, words, known))
  else await known.put('root', `${message.text('rid')}/${id}`, firstPoints(words, QUOTED))
}

/** Yields the records of a message. */
export async function* ofMessage(
  message: Payload,
  rooms: Rooms,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const [id, room, time] = [message.text('_id'), message.text('rid'), message.number('ts')]
  const leftOut = reasonToLeaveOut(message)
  if (leftOut !== undefined) return yield { type: 'problem', kind: `left out: ${leftOut}` }
  if (id === '' || id.length > 150) return yield { type: 'problem', kind: 'message without an id' }
  if (!isTime(time)) return yield { type: 'problem', kind: 'message without a time', detail: id }
  const place = await rooms.placeOf(room)
  if (!place) {
    const isLeftOut = (await known.get('recipient', room)) === ''
    return yield isLeftOut
      ? { type: 'problem', kind: 'left out: message of such a room' }
      : { type: 'problem', kind: 'message in an unknown channel', detail: `${id}: ${room}`.slice(0, 300) }
  }
  const sender = message.text('u', '_id')
  if (sender === '' || sender.length > 200)
    return yield { type: 'problem', kind: 'message without a sender', detail: id }
  yield* ofUnlisted(
    sender,
    message.at('u').firstText('name', 'username').trim() || `Rocket.Chat user ${sender}`,
    known,
  )
  if (message.isTrue('pinned'))
    yield { type: 'problem', kind: 'pinned message', detail: message.text('msg').slice(0, 100) }
  const files = await filesOf(message, known)
  yield* files.problems
  const content = blocks(asPlain(await textOf(message, known)), files.text)
  if (content === '') return yield { type: 'problem', kind: 'empty message', detail: id }
  const root = message.text('tmid')
  const isRoot = (await known.get('thread', `${place.channel}/${id}`)) !== undefined
  const quote = place.to && root !== '' ? await quoteOf(root, room, known) : ''
  const cut = cutText(quote + content, id, quote + message.text('msg'))
  if (cut.file) yield cut.file
  const { starred, reactions, unknown } = await marksOf(message, known)
  if (unknown > 0)
    yield {
      type: 'problem',
      kind: 'reactions of people whom the export does not name',
      detail: `${unknown}, ${id}`,
    }
  const behind = place.behind.flatMap(([user, until]) => (until < time && user !== sender ? [user] : []))
  const edited = message.number('editedAt')
  const topic =
    place.channel === undefined
      ? undefined
      : isRoot || root !== ''
        ? await threadTopic(isRoot ? id : root, place.channel, time, known)
        : place.topic
  yield {
    type: 'message',
    id,
    sender,
    time_ms: time,
    content: cut.content,
    ...(place.channel === undefined
      ? { to: [...new Set([...(place.to ?? []), sender])] }
      : { channel: place.channel }),
    ...(topic !== undefined && { topic }),
    ...(topic !== undefined && (isRoot || root !== '') && { topic_of_thread: isRoot ? id : root }),
    ...(isTime(edited) && { edited_ms: edited }),
    ...listed('reactions', reactions),
    ...listed('starred_by', starred),
    ...listed('unread_by', behind),
  }
  // The first message of a thread, and replies that were sent to the room, are shown outside of the thread too.
  const isShown = isRoot || (root !== '' && message.isTrue('tshow'))
  if (place.channel === undefined || topic === undefined || !isShown) return
  const label = isRoot ? countOfReplies(message.number('tcount') ?? 0) : 'Reply'
  const shown = { id, sender, time_ms: time, channel: place.channel, content: cut.content }
  yield {
    ...copyOutside(shown, `${label} in “${topic}”`),
    ...(place.topic !== undefined && { topic: place.topic }),
  }
}

function reasonToLeaveOut(message: Payload): string | undefined {
  const type = message.text('t')
  if (message.isTrue('_hidden')) return 'earlier version'
  if (type === 'e2e') return 'encrypted message'
  return type === '' ? undefined : `notice ${type.slice(0, 60)}`
}

/** Returns the topic of a thread, even if its first message was deleted. */
async function threadTopic(root: string, channel: string, time: number, known: Known): Promise<string> {
  const topic = await known.get('thread', `${channel}/${root}`)
  if (topic !== undefined) return topic
  const made = await newTopic(channel, time, '', known)
  await known.put('thread', `${channel}/${root}`, made)
  return made
}

async function quoteOf(root: string, room: string, known: Known): Promise<string> {
  const words = await known.get('root', `${room}/${root}`)
  return words ? `> ${linkTo(words, referenceTo('message', root))}\n\n` : ''
}

async function textOf(message: Payload, known: Known): Promise<string> {
  const names = {
    user: (name: string) => {
      const id = known.seen('name', name)
      return id === undefined ? undefined : mentionOf(id)
    },
    channel: (name: string) => {
      const id = known.seen('room', name)
      return id === undefined ? undefined : channelMentionOf(id)
    },
    address: (url: string) => {
      const reference = referenceOf(url)
      return reference === undefined ? undefined : linkTo(url, reference)
    },
  }
  const referenceOf = (url: string) => {
    const [, kind, name = '', message] = ROOM_ADDRESS.exec(url) ?? []
    if (message !== undefined) return referenceTo('message', message)
    if (kind === undefined) return undefined
    const key = decodedPath(name)
    if (kind === 'direct') {
      // By its id, or by the username of the other person in it.
      const people = known.seen('direct', key) ?? known.seen('name', key.toLowerCase())
      return people === undefined ? undefined : referenceToConversation(peopleOf(people))
    }
    const id = known.seen('room', key.toLowerCase())
    return id === undefined ? undefined : referenceTo('channel', id)
  }
  const convert = (text: string) =>
    ofMattermostText(text, names, ROCKET_CHAT).replace(
      LINK,
      (_, url: string) => `](${referenceOf(url) ?? url})`,
    )
  const attachments = message.list('attachments').slice(0, MAX_LIST)
  const quoted = new Set<string>()
  return known.lookingUp(() =>
    blocks(
      ...attachments.map((attachment) => quotationOf(attachment, quoted)),
      convert(
        message
          .text('msg')
          .replace(QUOTE_LINK, (_, id: string) =>
            quoted.has(id) ? '' : linkTo('the message', referenceTo('message', id)),
          ),
      ).trim(),
      ...attachments.map((attachment) => convert(attachment.text('description')).trim()),
      ...attachments.filter(isOther).map((attachment) => attachmentOf(attachment, convert)),
    ),
  )
}

/** Whether an attachment is neither a quotation nor an uploaded file. */
function isOther(attachment: Payload): boolean {
  return (
    attachment.text('message_link') === '' && !/(?:^|\/)file-upload\//.test(attachment.text('title_link'))
  )
}

/** Returns the quotation in an attachment, and notes its message. */
function quotationOf(attachment: Payload, quoted: Set<string>): string {
  const id = /[?&]msg=([A-Za-z0-9]{1,60})$/.exec(attachment.text('message_link'))?.[1]
  if (id === undefined) return ''
  quoted.add(id)
  const about = [attachment.text('author_name').trim(), wordsOf(attachment.text('text'))]
  const words = firstPoints(about.filter((part) => part !== '').join(': '), QUOTED)
  return `> ${linkTo(words || 'the message', referenceTo('message', id))}`
}

async function filesOf(message: Payload, known: Known): Promise<{ problems: NeutralRecord[]; text: string }> {
  const problems: NeutralRecord[] = []
  const lines: string[] = []
  const listed = message.list('files')
  const files = listed.length > 0 ? listed : message.has('file') ? [message.at('file')] : []
  for (const file of files.slice(0, MAX_LIST)) {
    const [id, name] = [file.text('_id'), file.text('name').trim() || 'file']
    if (id === '' || file.text('typeGroup') === 'thumb') continue
    // A later dump may have one that is missing.
    lines.push(linkTo(name, referenceTo('file', id)))
    if ((await known.get('file', id)) === undefined)
      problems.push({ type: 'problem', kind: 'file is not in the archive', detail: name.slice(0, 200) })
  }
  return { problems, text: lines.join('\n') }
}

async function marksOf(
  message: Payload,
  known: Known,
): Promise<{ starred: string[]; reactions: Reaction[]; unknown: number }> {
  const starred = new Set<string>()
  for (const star of message.list('starred').slice(0, MAX_NAMES)) {
    const user = star.text('_id')
    if ((await known.get('user', user)) !== undefined) starred.add(user)
  }
  const reactions = new Map<string, Reaction>()
  let unknown = 0
  for (const [key, reaction] of message.entries('reactions').slice(0, MAX_LIST)) {
    const emoji = await emojiThere(key.replace(/^:|:$/g, ''), known)
    if (emoji.emoji === '' || emoji.emoji.length > 200) continue
    for (const username of reaction.list('usernames').slice(0, MAX_NAMES)) {
      const user = await known.get('name', username.text().toLowerCase())
      if (user === undefined) {
        unknown += 1
        continue
      }
      // Two skin tones of one person are one reaction.
      reactions.set(`${user} ${emoji.emoji}`, { user, ...emoji })
    }
  }
  return { starred: [...starred], reactions: [...reactions.values()], unknown }
}
