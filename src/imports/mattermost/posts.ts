/** Posts of a Mattermost export, with their replies. */

import { firstPoints } from '../../core/text-length.ts'
import { blocks, bold, link, plain, words } from '../../integrations/markdown.ts'
import { Payload } from '../../integrations/payload.ts'
import { emojiNamed } from '../../integrations/slack/emoji.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../import-reader.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'
import { channelMentionOf, mentionOf, referenceTo } from '../references.ts'
import { cutText, MAX_CONTENT } from '../server-texts.ts'
import { newTopic } from '../slack/topics.ts'
import { channelId } from './people.ts'
import { ofMattermostText } from './text.ts'

/** 1 January 2100, in milliseconds. */
const LAST_TIME = 4_102_444_800_000
const MAX_LIST = 50
const MAX_NAMES = 10_000
/** Units of a text that are looked at for its first words, and code points of a quotation. */
const [LOOKED_AT, QUOTED] = [600, 100] as const

/** Where posts go: to a channel, or to people. */
type Place = { readonly channel: string; readonly team: string } | { readonly to: readonly string[] }

/** Yields the records of a `post` or a `direct_post`. */
export async function* ofPost(post: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const place = placeOf(post)
  if (!place) return yield { type: 'problem', kind: 'post without a place' }
  if ('channel' in place && (await known.get('channel', place.channel)) === undefined) {
    return yield { type: 'problem', kind: 'post in an unknown channel', detail: place.channel }
  }
  const replies = post.list('replies')
  const root = yield* contentOf(post, place, known)
  // Replies stay together also where the first post cannot be read.
  const began = root?.time ?? replies.map((reply) => reply.number('create_at')).find(isTime)
  const topic =
    'channel' in place && replies.length > 0 && isTime(began)
      ? await newTopic(place.channel, began, wordsOf(post.text('message')), known)
      : undefined
  if (root) {
    yield* recordOf(root, place, topic, replies.length > 0 ? root.id : undefined, '')
    if ('channel' in place && topic !== undefined) {
      const leads = linkTo(
        `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'} in “${topic}”`,
        referenceTo('message', root.id),
      )
      const { content } = cutText(root.content, root.id, '')
      const shown = blocks(firstPoints(content, MAX_CONTENT - leads.length - 2), leads)
      yield {
        type: 'message',
        id: `${root.id}/main`,
        sender: root.sender,
        time_ms: root.time,
        channel: place.channel,
        content: shown,
      }
    }
  }
  const about = root && 'to' in place ? firstPoints(wordsOf(post.text('message')), QUOTED) : ''
  const quote = root && about !== '' ? `> ${linkTo(about, referenceTo('message', root.id))}\n\n` : ''
  for (const reply of replies) {
    const content = yield* contentOf(reply, place, known)
    if (content) yield* recordOf(content, place, topic, root?.id, quote)
  }
}

function isTime(time: number | undefined): time is number {
  return time !== undefined && time > 0 && time < LAST_TIME
}

function placeOf(post: Payload): Place | undefined {
  const [team, channel] = [post.text('team'), post.text('channel')]
  if (team !== '' && channel !== '') return { channel: channelId(team, channel), team }
  const to = namesOf(post, 'channel_members')
  return to.length > 0 ? { to } : undefined
}

function namesOf(post: Payload, key: string): string[] {
  const names = post.list(key).map((name) => name.text().toLowerCase())
  return [...new Set(names.filter((name) => name !== '' && name.length <= 200))].slice(0, MAX_NAMES)
}

interface Content {
  readonly id: string
  readonly sender: string
  readonly time: number
  readonly content: string
  readonly source: string
  readonly more: Pick<RecordOf<'message'>, 'edited_ms' | 'reactions' | 'starred_by'>
}

async function* contentOf(
  post: Payload,
  place: Place,
  known: Known,
): AsyncGenerator<NeutralRecord, Content | undefined> {
  const time = post.number('create_at')
  const type = post.text('type')
  const user = post.text('user').toLowerCase()
  if (!isTime(time)) {
    yield { type: 'problem', kind: 'post without a time', detail: user }
    return undefined
  }
  if (type.startsWith('system_')) {
    yield { type: 'problem', kind: `left out: ${type}` }
    return undefined
  }
  const hook =
    post.text('props', 'from_webhook') === 'true' ? post.text('props', 'override_username').trim() : ''
  const sender = (hook === '' ? user : `webhook:${hook}`).slice(0, 200)
  if (sender === '') {
    yield { type: 'problem', kind: 'post without a sender', detail: String(time) }
    return undefined
  }
  yield* unlisted(sender, hook, known)
  for (const starred of namesOf(post, 'flagged_by')) yield* unlisted(starred, '', known)
  if (post.isTrue('is_pinned'))
    yield { type: 'problem', kind: 'pinned message', detail: post.text('message').slice(0, 100) }
  const text = await converted(post, place, known)
  const files = await filesOf(post, sender, known)
  yield* files.records
  const content = blocks(type === 'me' ? `/me ${text.replaceAll(/^\*|\*$/g, '')}` : asPlain(text), files.text)
  if (content === '') {
    yield { type: 'problem', kind: 'empty message', detail: String(time) }
    return undefined
  }
  const where = 'channel' in place ? place.channel : [...place.to].sort().join(',').slice(0, 120)
  const edited = post.number('edit_at') ?? 0
  const reactions = await reactionsOf(post, known)
  for (const { user: reacting } of reactions) yield* unlisted(reacting, '', known)
  const starred = namesOf(post, 'flagged_by')
  return {
    id: `${where}/${time}/${sender}`.slice(0, 190),
    sender,
    time,
    content,
    source: post.text('message'),
    more: {
      ...(edited > 0 && edited < LAST_TIME && { edited_ms: edited }),
      ...(reactions.length > 0 && { reactions }),
      ...(starred.length > 0 && { starred_by: starred }),
    },
  }
}

function* recordOf(
  { id, sender, time, content, source, more }: Content,
  place: Place,
  topic: string | undefined,
  thread: string | undefined,
  quote: string,
): Generator<NeutralRecord> {
  const cut = cutText(quote + content, id, source)
  if (cut.file) yield cut.file
  const message = { type: 'message' as const, id, sender, time_ms: time, content: cut.content, ...more }
  if ('to' in place) yield { ...message, to: [...place.to] }
  else
    yield {
      ...message,
      channel: place.channel,
      ...(topic !== undefined && { topic }),
      ...(thread !== undefined && { topic_of_thread: thread }),
    }
}

/** A user who has written, and whom no list has. */
async function* unlisted(id: string, name: string, known: Known): AsyncGenerator<NeutralRecord> {
  if ((await known.get('user', id)) !== undefined) return
  await known.put('user', id, name || id)
  yield {
    type: 'user',
    id,
    full_name: (name || id).slice(0, 1_000),
    email: null,
    is_bot: name !== '',
    deactivated: true,
  }
}

async function converted(post: Payload, place: Place, known: Known): Promise<string> {
  const asked = { user: new Set<string>(), channel: new Set<string>() }
  let isComplete = true
  const seen = (kind: 'user' | 'channel', id: string) => {
    asked[kind].add(id)
    if (!known.hasAsked(kind, id)) isComplete = false
    return known.seen(kind, id) !== undefined
  }
  const idOf = (name: string) => ('team' in place ? channelId(place.team, name) : name)
  const names = {
    user: (name: string) => (seen('user', name) ? mentionOf(name) : undefined),
    channel: (name: string) => (seen('channel', idOf(name)) ? channelMentionOf(idOf(name)) : undefined),
  }
  const read = () =>
    blocks(
      ofMattermostText(post.text('message'), names).trim(),
      ...post
        .list('props', 'attachments')
        .slice(0, MAX_LIST)
        .map((attachment) => attachmentOf(attachment, (text) => ofMattermostText(text, names))),
    )
  // Names are known only once they have been asked for.
  const first = read()
  if (isComplete) return first
  for (const name of asked.user) await known.get('user', name)
  for (const id of asked.channel) await known.get('channel', id)
  return read()
}

export function attachmentOf(attachment: Payload, ofText: (text: string) => string): string {
  const fields = attachment
    .list('fields')
    .slice(0, MAX_LIST)
    .map((field) =>
      words(bold(field.text('title')) && `${bold(field.text('title'))}:`, ofText(field.text('value'))),
    )
  const shown = blocks(
    ofText(attachment.text('pretext')),
    plain(attachment.text('author_name')),
    link(attachment.text('title'), attachment.text('title_link')),
    ofText(attachment.text('text')),
    fields.filter((field) => field !== '').join('\n'),
  )
  return shown || ofText(attachment.text('fallback'))
}

async function filesOf(
  post: Payload,
  owner: string,
  known: Known,
): Promise<{ records: NeutralRecord[]; text: string }> {
  const records: NeutralRecord[] = []
  const lines: string[] = []
  for (const attachment of post.list('attachments').slice(0, MAX_LIST)) {
    const path = attachment.text('path').replace(/^\.?\/?(?:data\/)?/, '')
    const name = path.split('/').at(-1) || 'file'
    const at = await known.get('upload', path)
    if (at === undefined) {
      records.push({ type: 'problem', kind: 'file is not in the archive', detail: path })
      lines.push(`*This file is not in the export: ${plain(name)}*`)
      continue
    }
    const id = path.slice(-200)
    if ((await known.get('file', id)) === undefined) {
      await known.put('file', id, 'made')
      records.push({ type: 'file', id, name: name.slice(0, 1_000), path: at, owner })
    }
    lines.push(linkTo(name, referenceTo('file', id)))
  }
  return { records, text: lines.join('\n') }
}

async function reactionsOf(
  post: Payload,
  known: Known,
): Promise<NonNullable<RecordOf<'message'>['reactions']>> {
  const found = new Map<string, NonNullable<RecordOf<'message'>['reactions']>[number]>()
  for (const reaction of post.list('reactions').slice(0, MAX_NAMES)) {
    const user = reaction.text('user').toLowerCase()
    const emoji = await emojiThere(reaction.text('emoji_name'), known)
    if (user === '' || user.length > 200 || emoji.emoji === '' || emoji.emoji.length > 200) continue
    found.set(`${user} ${emoji.emoji}`, { user, ...emoji })
  }
  return [...found.values()]
}

/** Returns the emoji of a name at a place whose own emoji are known: one of those may have the name of a Unicode emoji. */
export async function emojiThere(
  given: string,
  known: Known,
): Promise<Pick<NonNullable<RecordOf<'message'>['reactions']>[number], 'emoji' | 'kind' | 'code'>> {
  if ((await known.get('emoji', given)) !== undefined) return { emoji: given, kind: 'custom' }
  const { name, code } = emojiNamed(given)
  return code === undefined ? { emoji: name, kind: 'custom' } : { emoji: name, kind: 'unicode', code }
}

/** Returns the beginning of a text without its markup. */
export function wordsOf(text: string): string {
  return new Payload(text.slice(0, LOOKED_AT))
    .text()
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/[*`~>#]+|(?<![\p{L}\p{N}_])_+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?])_+(?![\p{L}\p{N}_])/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Keeps what only looks like a command from being one. */
export function asPlain(text: string): string {
  return /^\/(?:me|poll|todo)\b/.test(text) ? `&#47;${text.slice(1)}` : text
}
