/** Messages of a Slack export. Each is read separately. */
import { firstPoints } from '../../core/text-length.ts'
import { blocks as joined } from '../../integrations/markdown.ts'
import { Payload } from '../../integrations/payload.ts'
import { ofAttachments, ofBlocks } from '../../integrations/slack/blocks.ts'
import { emojiNamed, type SlackNames } from '../../integrations/slack/emoji.ts'
import { markdownOf, unescaped } from '../../integrations/slack/mrkdwn.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord, Reaction, RecordOf } from '../neutral.ts'
import { channelMentionOf, mentionOf, referenceTo, referenceToConversation } from '../references.ts'
import { asPlain, copyOutside, countOfReplies, cutText } from '../texts.ts'
import { type Conversation, conversationOf, peopleIn, timeOf } from './conversations.ts'
import { filesOf } from './files.ts'
import { botOf, ofUnlisted, SLACKBOT } from './people.ts'
import { firstWords, newTopic } from './topics.ts'

/** UTF-16 units of a text that are read: Slack allows 40,000. */
const MAX_TEXT = 200_000
const MAX_REACTIONS = 10_000
/** Code points of a quotation. */
const QUOTED = 100

/** What messages repeat the lists of an export, are no longer there, or were written by nobody: in words, by their kinds. */
const DROPPED = new Map(
  Object.entries({
    'notice of who joins or leaves':
      'channel_join channel_leave group_join group_leave joiner_notification joiner_notification_for_inviter',
    'notice of a new name': 'channel_name group_name',
    'notice of a pin': 'pinned_item unpinned_item',
    'notice of an app': 'bot_add bot_remove bot_enable bot_disable app_conversation_join',
    'notice of a changed canvas': 'channel_canvas_updated',
    'earlier version of a message': 'message_changed',
    'deleted message': 'message_deleted',
  }).flatMap(([words, kinds]) => kinds.split(' ').map((kind) => [kind, words] as const)),
)
/** Notices about a channel, rather than messages in it. */
const NOTICE =
  /^(?:channel|group)_(?:topic|purpose|archive|unarchive|convert_to_private|convert_to_public|posting_permissions)$/
const CALLS = new Set(['sh_room_created', 'huddle_thread'])

/** Yields the records of one item of a day. */
export async function* ofMessage(
  value: unknown,
  conversation: Conversation,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const message = new Payload(value, MAX_TEXT)
  const subtype = message.text('subtype')
  const ts = message.text('ts')
  const time = timeOf(ts)
  const problem = (kind: string): NeutralRecord => ({
    type: 'problem',
    kind,
    detail: ts || message.text('text').slice(0, 100),
  })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return yield problem('no message')
  if (time === undefined) return yield problem('message without a time')
  const type = message.text('type')
  if (type !== '' && type !== 'message') return yield problem(`left out: ${type}`)
  const dropped = DROPPED.get(subtype)
  if (dropped !== undefined) return yield problem(`left out: ${dropped}`)
  const sender = await senderOf(message, subtype, known)
  yield* sender.records
  if (sender.id === undefined) return yield problem(sender.why)
  const id = `${conversation.id}/${ts}`
  const written = await textOf(message, subtype, conversation, known)
  yield* written.records
  if (written.text === '') return yield problem(subtype === '' ? 'empty message' : `left out: ${subtype}`)
  const reactions = await reactionsOf(message, known)
  yield* reactions.records
  const edited = timeOf(message.text('edited', 'ts'))
  const whole: Omit<RecordOf<'message'>, 'content'> = {
    type: 'message',
    id,
    sender: sender.id,
    time_ms: time,
    ...(edited !== undefined && { edited_ms: edited }),
    ...(reactions.list.length > 0 && { reactions: reactions.list }),
  }
  const thread = threadOf(message, ts)
  if (conversation.isDirect) {
    const quote = await quoteOf(message, thread, conversation, known)
    const { content, file } = cutText(quote + written.text, id, message.text('text'))
    if (file) yield file
    yield { ...whole, to: [...conversation.members], content }
    return
  }
  const { content, file } = cutText(written.text, id, message.text('text'))
  if (file) yield file
  if (!thread) {
    yield { ...whole, channel: conversation.id, content }
    return
  }
  const topic = await topicOf(message, thread, conversation, known)
  const placed = { ...whole, channel: conversation.id, content }
  yield { ...placed, topic, topic_of_thread: `${conversation.id}/${thread.root}` }
  // Readers of the channel see the thread too, one click away.
  const label = thread.isRoot
    ? countOfReplies(thread.replies)
    : subtype === 'thread_broadcast'
      ? 'Reply'
      : undefined
  if (label !== undefined) yield copyOutside(placed, `${label} in “${topic}”`)
}

interface Sender {
  readonly id: string | undefined
  readonly why: string
  readonly records: readonly NeutralRecord[]
}

async function senderOf(message: Payload, subtype: string, known: Known): Promise<Sender> {
  const records: NeutralRecord[] = []
  const user =
    (subtype === 'file_comment' ? message.text('comment', 'user') : '') ||
    (CALLS.has(subtype) ? message.text('room', 'created_by') : '') ||
    (NOTICE.test(subtype) || subtype === 'tombstone' ? SLACKBOT : message.text('user'))
  if (user === 'U00') return { id: undefined, why: 'left out: notice of a new name', records }
  if (user !== '') {
    for await (const record of ofUnlisted(
      user,
      message.at('user_profile'),
      message.text('username'),
      known,
    )) {
      records.push(record)
    }
    return { id: user.slice(0, 200), why: '', records }
  }
  if (message.text('bot_id') === '' && message.text('username').trim() === '') {
    return { id: undefined, why: 'message without a sender', records }
  }
  const bot = await botOf(message, known)
  return { id: bot.id, why: '', records: bot.record ? [bot.record] : [] }
}

interface Written {
  readonly text: string
  readonly records: readonly NeutralRecord[]
}

/** Returns the whole text of a message, with the records of the files and people that it names. */
async function textOf(
  message: Payload,
  subtype: string,
  conversation: Conversation,
  known: Known,
): Promise<Written> {
  const all = message.list('attachments')
  const attachments: Payload[] = []
  for (const one of all) if (!(await isHidden(one, conversation, known))) attachments.push(one)
  const names = new Mentioned(known, message.text('text'))
  const text = await known.lookingUp(() => converted(message, subtype, attachments, names))
  const records = await names.unlisted()
  const files = await filesOf(message, attachments, known)
  const comment = message.text('file', 'initial_comment', 'comment')
  const whole = joined(text, subtype === 'file_share' ? markdownOf(comment, names) : '', files.text)
  return {
    text: subtype === 'me_message' || CALLS.has(subtype) ? whole : asPlain(whole),
    records: [
      ...records,
      ...names.problems.values(),
      ...files.records,
      ...(attachments.length < all.length ? [HIDDEN_PREVIEW] : []),
    ],
  }
}

const HIDDEN_PREVIEW: NeutralRecord = { type: 'problem', kind: 'left out: preview of a private message' }

/** Whether an attachment previews a message of another conversation, which Slack shows to those alone who may read that one. */
async function isHidden(attachment: Payload, { id }: Conversation, known: Known): Promise<boolean> {
  const channel = attachment.text('channel_id')
  if (!attachment.isTrue('is_msg_unfurl') || attachment.isTrue('is_share')) return false
  return channel !== id && (await conversationOf(channel, known))?.isPrivate === true
}

function converted(
  message: Payload,
  subtype: string,
  attachments: readonly Payload[],
  names: SlackNames,
): string {
  const said = message.text('text')
  if (subtype === 'me_message') return `/me ${markdownOf(said, names).replaceAll('\n', ' ')}`
  if (CALLS.has(subtype)) return callOf(message)
  if (subtype === 'ekm_access_denied') return '*This message cannot be read: its key was withdrawn*'
  if (subtype === 'file_comment') return markdownOf(message.text('comment', 'comment') || said, names)
  // Such a text is Slack's announcement of the file.
  if (subtype === 'file_share' && message.has('file') && message.list('files').length === 0) {
    return message.has('file', 'initial_comment') || / (?:uploaded|shared) a file: /.test(said)
      ? ''
      : markdownOf(said, names)
  }
  const main = ofBlocks(message.list('blocks'), names) || markdownOf(said, names)
  return joined(main, ofAttachments(attachments, names, `${said}\n${main}`))
}

function callOf(message: Payload): string {
  const room = message.at('room')
  const [start, end] = [room.number('date_start'), room.number('date_end')]
  const minutes = start !== undefined && end !== undefined && end > start ? Math.ceil((end - start) / 60) : 0
  const people = room.list('participant_history').length || room.list('participants').length
  const facts = [
    ...(minutes > 0 ? [`${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`] : []),
    ...(people > 0 ? [`${people} ${people === 1 ? 'person' : 'people'}`] : []),
  ]
  return `/me held a call${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}

/** A mention with its name. */
const LABELLED = /<(?:[@#]|!subteam\^)([A-Za-z0-9]{1,50})\|([^<>|]{1,200})>/g
/** What an escaped text has where `&amp;` and the like were typed. */
const ESCAPED_TWICE = /&amp;(?:amp|lt|gt);/

/** The names in a text. */
class Mentioned implements SlackNames {
  private readonly known: Known
  private readonly text: string
  private readonly users = new Map<string, string>()
  private labels: Map<string, string> | undefined
  readonly problems = new Map<string, NeutralRecord>()

  /** `text`: that of the message, since its blocks have ids without names. */
  constructor(known: Known, text: string) {
    this.known = known
    this.text = text
  }

  user(id: string, given: string): string {
    const label = given || this.labelOf(id)
    if (id === '' || id.length > 200) return label && `@${label}`
    this.users.set(id, label)
    return mentionOf(id)
  }

  channel(id: string, label: string): string {
    if (this.known.seen('channel', id) !== undefined) return channelMentionOf(id)
    return `#${label || this.labelOf(id) || escapeName(id)}`
  }

  group(id: string, given: string): string {
    const label = (given || this.labelOf(id)).replace(/^(?:@|&#64;)/, '')
    if (label === '') this.unknown('mention of a group without a name')
    return `@${label || escapeName(id)}`
  }

  private labelOf(id: string): string {
    this.labels ??= new Map(
      [...this.text.matchAll(LABELLED)].map(([, found = '', label = '']) => [
        found,
        escapeName(unescaped(label)),
      ]),
    )
    return this.labels.get(id) ?? ''
  }

  /** Some exports escape rich text as they do all other text. */
  typed(text: string): string {
    return ESCAPED_TWICE.test(this.text) && !ESCAPED_TWICE.test(text) ? text : unescaped(text)
  }

  /** An address of a message in Slack has the channel, and the time without its point. */
  address(url: string): string | undefined {
    const found =
      /^https:\/\/[a-z0-9.-]+\.slack\.com\/archives\/([A-Z0-9]{1,50})(?:\/p(\d{10})(\d{6}))?\/?(?:[?#]|$)/.exec(
        url,
      )
    if (!found) return undefined
    const [, channel = '', seconds, rest] = found
    if (seconds !== undefined) return referenceTo('message', `${channel}/${seconds}.${rest}`)
    if (this.known.seen('channel', channel) !== undefined) return referenceTo('channel', channel)
    const people = peopleIn(this.known.seen('folder', channel))
    return people === undefined ? undefined : referenceToConversation(people)
  }

  /** An export has no custom emoji, so none is known. */
  hasEmoji(): boolean {
    return false
  }

  unknown(kind: string): void {
    this.problems.set(kind, { type: 'problem', kind: `not understood: ${kind}` })
  }

  /** Returns the records of mentioned people whom no list has. */
  async unlisted(): Promise<NeutralRecord[]> {
    const records: NeutralRecord[] = []
    for (const [id, label] of this.users) {
      for await (const record of ofUnlisted(id, NOTHING, label, this.known)) records.push(record)
    }
    return records
  }
}

const NOTHING = new Payload(undefined)

async function reactionsOf(
  message: Payload,
  known: Known,
): Promise<{ list: Reaction[]; records: NeutralRecord[] }> {
  const list = new Map<string, Reaction>()
  const records: NeutralRecord[] = []
  for (const reaction of message.list('reactions')) {
    const { name, code } = emojiNamed(reaction.text('name'))
    if (name === '' || name.length > 200) continue
    const users = reaction.list('users')
    const unknown = (reaction.number('count') ?? 0) - users.length
    if (unknown > 0) {
      const detail = `${unknown} of :${name}:, ${message.text('ts')}`
      records.push({ type: 'problem', kind: 'reactions of people whom the export does not name', detail })
    }
    for (const { raw: user } of users) {
      if (typeof user !== 'string' || user === '' || user.length > 200 || list.size >= MAX_REACTIONS) continue
      for await (const record of ofUnlisted(user, NOTHING, '', known)) records.push(record)
      // Two skin tones of one person are one reaction.
      list.set(`${user} ${name}`, {
        user,
        emoji: name,
        kind: code === undefined ? 'custom' : 'unicode',
        ...(code && { code }),
      })
    }
  }
  return { list: [...list.values()], records }
}

interface Thread {
  /** The time of its first message, which is its id. */
  readonly root: string
  readonly isRoot: boolean
  readonly replies: number
}

function threadOf(message: Payload, ts: string): Thread | undefined {
  const root = message.text('thread_ts')
  const replies = Math.max(message.number('reply_count') ?? 0, message.list('replies').length)
  if (root !== '' && root !== ts) return { root, isRoot: false, replies: 0 }
  return root === ts || replies > 0 ? { root: ts, isRoot: true, replies } : undefined
}

async function topicOf(
  message: Payload,
  thread: Thread,
  conversation: Conversation,
  known: Known,
): Promise<string> {
  const key = `${conversation.id}/${thread.root}`
  const topic = await known.get('thread', key)
  if (topic !== undefined) return topic
  // If the first message is missing, the copy of it in a reply, or the first reply, gives the name.
  const copy = message.at('root')
  const source = copy.text('text') === '' ? message : copy
  const isDeleted = message.text('subtype') === 'tombstone'
  const words = isDeleted ? 'Deleted message' : firstWords(source, known)
  const made = await newTopic(
    conversation.id,
    timeOf(thread.root) ?? timeOf(message.text('ts'))!,
    words,
    known,
  )
  await known.put('thread', key, made)
  return made
}

/** Returns a quotation of the message that a reply is about, since direct conversations have no topics. */
async function quoteOf(
  message: Payload,
  thread: Thread | undefined,
  conversation: Conversation,
  known: Known,
): Promise<string> {
  if (!thread) return ''
  const key = `${conversation.id}/${thread.root}`
  if (thread.isRoot) {
    await known.put('root', key, firstPoints(firstWords(message, known), QUOTED))
    return ''
  }
  const words = (await known.get('root', key)) || firstPoints(firstWords(message.at('root'), known), QUOTED)
  return words === '' ? '' : `> ${linkTo(words, referenceTo('message', key))}\n\n`
}
