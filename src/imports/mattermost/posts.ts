/** Posts of a Mattermost export, with their replies. */

import { firstPoints } from '../../core/text-length.ts'
import { blocks, bold, link, linkIfAny, plain, words } from '../../integrations/markdown.ts'
import { Payload } from '../../integrations/payload.ts'
import { emojiNamed } from '../../integrations/slack/emoji.ts'
import { linkTo } from '../../integrations/slack/spans.ts'
import type { Known } from '../known.ts'
import { isTime, type NeutralRecord, type Reaction, type RecordOf } from '../neutral.ts'
import { channelMentionOf, mentionOf, referenceTo } from '../references.ts'
import { listed } from '../server-texts.ts'
import { newTopic } from '../slack/topics.ts'
import { asPlain, copyOutside, countOfReplies, cutText } from '../texts.ts'
import { channelId } from './people.ts'
import { ofMattermostText } from './text.ts'

const MAX_LIST = 50
const MAX_NAMES = 10_000
/** UTF-16 units of a text in which its first words are, and code points of a quotation. */
const [LOOKED_AT, QUOTED] = [600, 100] as const

/** The destination of posts: a channel, or people. */
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
  // Replies stay together even if the first post cannot be read.
  const began = root?.time ?? replies.map((reply) => reply.number('create_at')).find(isTime)
  const topic =
    'channel' in place && replies.length > 0 && isTime(began)
      ? await newTopic(place.channel, began, wordsOf(post.text('message')), known)
      : undefined
  if (root) {
    yield* recordOf(root, place, topic, replies.length > 0 ? root.id : undefined, '')
    if ('channel' in place && topic !== undefined) {
      const { id, sender, time } = root
      const { content } = cutText(root.content, id, '')
      const shown = { id, sender, time_ms: time, channel: place.channel, content }
      yield copyOutside(shown, `${countOfReplies(replies.length)} in “${topic}”`)
    }
  }
  const about = root && 'to' in place ? firstPoints(wordsOf(post.text('message')), QUOTED) : ''
  const quote = root && about !== '' ? `> ${linkTo(about, referenceTo('message', root.id))}\n\n` : ''
  for (const reply of replies) {
    const content = yield* contentOf(reply, place, known)
    if (content) yield* recordOf(content, place, topic, root?.id, quote)
  }
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
  const edited = post.number('edit_at')
  const reactions = await reactionsOf(post, known)
  for (const { user: reacting } of reactions) yield* unlisted(reacting, '', known)
  return {
    id: `${where}/${time}/${sender}`.slice(0, 190),
    sender,
    time,
    content,
    source: post.text('message'),
    more: {
      ...(isTime(edited) && { edited_ms: edited }),
      ...listed('reactions', reactions),
      ...listed('starred_by', namesOf(post, 'flagged_by')),
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

/** Yields a closed account for a user whom the archive does not list. */
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
  const idOf = (name: string) => ('team' in place ? channelId(place.team, name) : name)
  const names = {
    user: (name: string) => (known.seen('user', name) === undefined ? undefined : mentionOf(name)),
    channel: (name: string) =>
      known.seen('channel', idOf(name)) === undefined ? undefined : channelMentionOf(idOf(name)),
  }
  return known.lookingUp(() =>
    blocks(
      ofMattermostText(post.text('message'), names).trim(),
      ...post
        .list('props', 'attachments')
        .slice(0, MAX_LIST)
        .map((attachment) => attachmentOf(attachment, (text) => ofMattermostText(text, names))),
    ),
  )
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
    linkIfAny('image', attachment.firstText('image_url', 'thumb_url')),
    plain(attachment.text('footer')),
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
    const id = path.slice(-200) || 'file'
    // A later export may have one that is missing.
    if (at === undefined) records.push({ type: 'problem', kind: 'file is not in the archive', detail: path })
    else if ((await known.get('file', id)) === undefined) {
      await known.put('file', id, 'made')
      records.push({ type: 'file', id, name: name.slice(0, 1_000), path: at, owner })
    }
    lines.push(linkTo(name, referenceTo('file', id)))
  }
  return { records, text: lines.join('\n') }
}

async function reactionsOf(post: Payload, known: Known): Promise<Reaction[]> {
  const found = new Map<string, Reaction>()
  for (const reaction of post.list('reactions').slice(0, MAX_NAMES)) {
    const user = reaction.text('user').toLowerCase()
    const emoji = await emojiThere(reaction.text('emoji_name'), known)
    if (user === '' || user.length > 200 || emoji.emoji === '' || emoji.emoji.length > 200) continue
    found.set(`${user} ${emoji.emoji}`, { user, ...emoji })
  }
  return [...found.values()]
}

/** Returns the emoji of a name. A custom emoji of the archive may have the name of a Unicode emoji. */
export async function emojiThere(given: string, known: Known): Promise<Omit<Reaction, 'user'>> {
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
