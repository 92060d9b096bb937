/** Messages of an organization here, and the personal data of its people. */

import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import { type NeutralRecord, type Reaction, type RecordOf, SETTINGS_LEFT_BEHIND } from '../neutral.ts'
import { referenceTo } from '../references.ts'
import {
  editsIn,
  isOwnHost,
  isPlain,
  listed,
  ofUnlisted,
  POLICIES,
  push,
  rewritten,
  viewOf,
} from '../server-texts.ts'
import { MessageLists } from '../stored-lists.ts'
import type { Taker } from './people.ts'

const [STARRED, UNREAD] = ['starred', 'unread'] as const
/** People who have starred or not read a message: one more than are kept, so that the import lists the message (docs/import.md). */
const MARKS_OF_MESSAGE = 1_001

/** personal/7.json: settings, stars and unread messages of one person. */
export class PersonalTaker implements Taker {
  private readonly known: Known
  private readonly marks: MessageLists
  private user = ''

  constructor(known: Known) {
    this.known = known
    this.marks = new MessageLists('marks', known)
  }

  async *take(list: string, row: Payload): AsyncGenerator<NeutralRecord> {
    const { user } = this
    switch (list) {
      case 'user_id':
        this.user = row.text().slice(0, 40)
        return
      case 'user_settings':
        await this.known.put('visibility', user, row.text('email_address_visibility'))
        yield settingsOf(user, row)
        return
      case 'starred_messages':
      case 'unread_messages': {
        const message = row.number()
        if (message !== undefined)
          await this.marks.addTo(message, [user, list === 'starred_messages' ? STARRED : UNREAD])
        return
      }
      case 'user_topics': {
        const policy = POLICIES[row.number('visibility_policy') ?? 0]
        const [channel, topic] = [row.text('stream_id'), row.text('topic_name')]
        if (policy && channel !== '') yield { type: 'user_topic', user, channel, topic, policy }
        return
      }
      case 'alert_words':
        if (row.text() !== '') yield { type: 'alert_word', user, word: row.text() }
        return
      case 'muted_users':
        yield { type: 'muted_user', user, muted: row.text('id') }
        return
      case 'saved_snippets':
        yield {
          type: 'saved_snippet',
          id: row.text('id'),
          user,
          title: row.text('title'),
          content: row.text('content'),
        }
        return
      case 'drafts':
        yield* ofDraft(user, row, this.known)
        return
      case 'scheduled_messages':
        yield* ofScheduled(user, row, this.known)
        return
      case 'reminders':
        yield reminderOf(user, row)
        return
      case 'navigation_views':
        yield viewOf(user, row)
    }
  }

  end(): Promise<void> {
    return this.marks.store()
  }
}

/** Messages whose marks are looked up together: as many as a file has, unless they are long. */
const TOGETHER = { messages: 200, bytes: 4_000_000 }

/** A file of messages. */
export class MessageTaker implements Taker {
  private readonly known: Known
  private rows: { readonly row: Payload; readonly entry: number }[] = []
  private bytes = 0

  constructor(known: Known) {
    this.known = known
  }

  async *take(_: string, row: Payload, entry: number, bytes: number): AsyncGenerator<NeutralRecord> {
    this.rows.push({ row, entry })
    this.bytes += bytes
    if (this.rows.length >= TOGETHER.messages || this.bytes >= TOGETHER.bytes) yield* this.end()
  }

  async *end(): AsyncGenerator<NeutralRecord> {
    const { known, rows } = this
    this.rows = []
    this.bytes = 0
    const starred = new Map<string, string[]>()
    const unread = new Map<string, string[]>()
    const ids = rows.flatMap(({ row }) => row.number('id') ?? [])
    for await (const mark of new MessageLists('marks', known).ofMessages(ids)) {
      const [message, user, kind] = [mark.text(0), mark.text(1), mark.text(2)]
      const lists = kind === STARRED ? starred : unread
      if ((lists.get(message)?.length ?? 0) < MARKS_OF_MESSAGE) push(lists, message, user)
    }
    const isOwn = await isOwnHost(known)
    for (const { row, entry } of rows) {
      const id = row.text('id')
      const place = placeOf(row)
      const sent = row.number('timestamp')
      const sender = row.text('sender_id')
      if (id === '' || !place || sent === undefined || sent <= 0 || sender === '') {
        yield { type: 'problem', kind: place ? 'bad message' : 'message without a place', detail: id, entry }
        continue
      }
      yield* ofUnlisted(sender, row.text('sender_full_name') || `User ${sender}`, known)
      for (const person of row.list('display_recipient'))
        yield* ofUnlisted(person.text('id'), person.text('full_name') || `User ${person.text('id')}`, known)
      yield {
        type: 'message',
        id,
        sender,
        time_ms: sent * 1_000,
        content: await rewritten(row.text('content'), isOwn, known),
        ...place,
        ...historyOf(row),
        ...listed('reactions', reactionsOf(row)),
        ...listed('widget', widgetOf(row)),
        ...listed('starred_by', starred.get(id)),
        ...listed('unread_by', unread.get(id)),
      }
    }
  }
}

function placeOf(row: Payload): { channel: string; topic: string } | { to: string[] } | undefined {
  const channel = row.text('stream_id')
  if (channel !== '') return { channel, topic: row.text('subject') }
  const to = row.list('display_recipient').map((person) => person.text('id'))
  return to.length > 0 ? { to } : undefined
}

function historyOf(row: Payload): Pick<RecordOf<'message'>, 'edits' | 'edited_ms'> {
  const edited = row.number('last_edit_timestamp')
  return {
    ...listed('edits', editsIn(row.at('edit_history'))),
    ...(edited !== undefined && edited > 0 && { edited_ms: edited * 1_000 }),
  }
}

function reactionsOf(row: Payload): Reaction[] {
  return row.list('reactions').flatMap((reaction) => {
    const [user, emoji, code] = ['user_id', 'emoji_name', 'emoji_code'].map((key) => reaction.text(key))
    if (!user || !emoji) return []
    const isUnicode = reaction.text('reaction_type') === 'unicode_emoji'
    return { user, emoji, kind: isUnicode ? 'unicode' : 'custom', ...(isUnicode && code && { code }) }
  })
}

// Unsent texts of people, and the views of their sidebars.

async function* ofDraft(user: string, row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const edited = row.number('timestamp')
  yield {
    type: 'draft',
    id: row.text('id'),
    user,
    content: await textIn(row, known),
    ...placeIn(row),
    ...(edited !== undefined && edited > 0 && { edited_ms: edited * 1_000 }),
  }
}

async function* ofScheduled(user: string, row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  yield {
    type: 'scheduled_message',
    id: row.text('scheduled_message_id'),
    user,
    content: await textIn(row, known),
    ...placeIn(row),
    due_ms: (row.number('scheduled_delivery_timestamp') ?? 0) * 1_000,
    failed: row.isTrue('failed'),
  }
}

function reminderOf(user: string, row: Payload): RecordOf<'reminder'> {
  return {
    type: 'reminder',
    id: row.text('reminder_id'),
    user,
    message: row.text('reminder_target_message_id'),
    due_ms: (row.number('scheduled_delivery_timestamp') ?? 0) * 1_000,
    note: row.text('note'),
  }
}

function settingsOf(user: string, row: Payload): RecordOf<'user_settings'> {
  const settings = row
    .entries()
    .filter(([name, { raw }]) => !SETTINGS_LEFT_BEHIND.has(name) && isPlain(raw))
    .map(([name, { raw }]) => [name, raw])
  return { type: 'user_settings', user, settings: Object.fromEntries(settings) }
}

/** Returns the entries of a poll or a to-do list. The keys of options and tasks contain the id of the user who added them. */
function widgetOf(row: Payload): NonNullable<RecordOf<'message'>['widget']> {
  return row.list('submessages').flatMap((entry) => {
    const [user, content] = [entry.text('sender_id'), entry.text('content')]
    return user === '' || content === '' ? [] : [{ user, content: withPeople(content) }]
  })
}

function withPeople(content: string): string {
  let data: unknown
  try {
    data = parseJson(content)
  } catch {
    return content
  }
  const entry = new Payload(data)
  const key = entry.text('key')
  const type = entry.text('type')
  const isKey = (type === 'vote' || type === 'strike') && key === entry.at('key').raw
  if (!isKey) return content
  const named = key.replace(type === 'vote' ? /^\d{1,15}(?=,)/ : /\d{1,15}$/, (id) => referenceTo('user', id))
  return JSON.stringify({ ...(data as object), key: named })
}

function placeIn(row: Payload): { channel?: string; topic?: string; to?: string[] } {
  const type = row.text('type')
  if (type === 'private') return { to: row.list('to').map((id) => id.text()) }
  if (type !== 'stream') return {}
  const channel = row.text('to') || row.text('to', 0)
  return { channel, topic: row.text('topic') }
}

async function textIn(row: Payload, known: Known): Promise<string> {
  return rewritten(row.text('content'), await isOwnHost(known), known)
}
