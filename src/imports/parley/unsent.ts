/** What people of an organization here have written and not sent, and the views that they have put into their sidebar. */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import { type NeutralRecord, type RecordOf, SETTINGS_LEFT_BEHIND } from '../neutral.ts'
import { referenceTo } from '../references.ts'
import { isOwnHost, rewritten } from '../server-texts.ts'

const VALUE_LENGTH = 100

export async function* ofDraft(user: string, row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
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

export async function* ofScheduled(user: string, row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
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

export function reminderOf(user: string, row: Payload): RecordOf<'reminder'> {
  return {
    type: 'reminder',
    id: row.text('reminder_id'),
    user,
    message: row.text('reminder_target_message_id'),
    due_ms: (row.number('scheduled_delivery_timestamp') ?? 0) * 1_000,
    note: row.text('note'),
  }
}

export function viewOf(user: string, row: Payload): RecordOf<'navigation_view'> {
  return {
    type: 'navigation_view',
    user,
    fragment: fragmentOf(row.text('fragment')),
    pinned: row.isTrue('is_pinned'),
    name: row.has('name') ? row.text('name') : null,
  }
}

export function settingsOf(user: string, row: Payload): RecordOf<'user_settings'> {
  const settings = row
    .entries()
    .filter(([name, { raw }]) => !SETTINGS_LEFT_BEHIND.has(name) && isSetting(raw))
    .map(([name, { raw }]) => [name, raw])
  return { type: 'user_settings', user, settings: Object.fromEntries(settings) }
}

/** Returns what has made a poll of a message, and what was entered: the keys of options and tasks begin or end with who has added them. */
export function widgetOf(row: Payload): NonNullable<RecordOf<'message'>['widget']> {
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

/** Returns a place in the page with references in place of ids. */
function fragmentOf(fragment: string): string {
  return fragment
    .replace(/^(narrow\/(?:channel|stream)\/)(\d{1,15})/, (_, before: string, id: string) => {
      return before + referenceTo('channel', id)
    })
    .replace(/^(narrow\/(?:dm|pm-with)\/)([\d,]{1,900})/, (_, before: string, ids: string) => {
      return before + ids.replace(/\d+/g, (id) => referenceTo('user', id))
    })
    .replace(/\/(near|with|id)\/(\d{1,15})/, (_, how: string, id: string) => {
      return `/${how}/${referenceTo('message', id)}`
    })
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

function isSetting(value: unknown): boolean {
  return (
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    (typeof value === 'string' && value.length <= VALUE_LENGTH)
  )
}
