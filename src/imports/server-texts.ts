/** What archives of servers of the public API have in common. */
import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import { linkTo } from '../integrations/slack/spans.ts'
import type { Known } from './known.ts'
import type { Edit, NeutralRecord, RecordOf } from './neutral.ts'
import { mentionOf, referenceTo, referenceToConversation } from './references.ts'

/** Who sees a user's address, by the numbers of the API. */
export const EMAIL_VISIBILITIES: Readonly<Record<string, RecordOf<'user'>['email_visibility']>> = {
  1: 'everyone',
  2: 'members',
  3: 'administrators',
  4: 'nobody',
  5: 'moderators',
}
export const BOT_KINDS: Readonly<Record<string, RecordOf<'user'>['bot_kind']>> = {
  2: 'incoming_webhook',
  3: 'outgoing_webhook',
}

/** Returns the kind of a bot that is no generic one. */
export function botKindIn(user: Payload): Pick<RecordOf<'user'>, 'bot_kind'> {
  const bot_kind = BOT_KINDS[user.text('bot_type')]
  return bot_kind ? { bot_kind } : {}
}

export const ROLES: Readonly<Record<number, RecordOf<'user'>['role']>> = {
  100: 'owner',
  200: 'administrator',
  300: 'moderator',
  400: 'member',
  600: 'guest',
}
const FIELD_KINDS: Readonly<Record<number, RecordOf<'profile_field'>['kind']>> = {
  2: 'long',
  3: 'choice',
  4: 'date',
  5: 'link',
  6: 'user',
  7: 'external_account',
  8: 'pronouns',
}
const CHOICE = 3

/** Returns the kind of a profile field of a type: others are short texts. */
export function kindOfField(type: number): RecordOf<'profile_field'>['kind'] {
  return FIELD_KINDS[type] ?? 'short'
}

export const POLICIES = ['', 'muted', 'unmuted', 'followed'] as const
const MAX_EDITS = 1_000
const MAX_STATUS = 1_000
/** UTF-16 units of the value of a setting. */
const MAX_VALUE = 1_000

/** Whether a host is the organization's own. */
export type IsOwn = (host: string) => boolean

/** Returns a user's status: a text, an emoji, or both. */
export function statusIn(row: Payload): Pick<RecordOf<'user'>, 'status' | 'status_emoji'> {
  const [text, name, code] = ['status_text', 'emoji_name', 'emoji_code'].map((key) => row.text(key))
  const isUnicode = row.text('reaction_type') === 'unicode_emoji'
  return {
    ...(text && { status: text.slice(0, MAX_STATUS) }),
    ...(name && {
      status_emoji: {
        emoji: name.slice(0, MAX_STATUS),
        kind: isUnicode ? 'unicode' : 'custom',
        ...(isUnicode && code && { code: code.slice(0, MAX_STATUS) }),
      },
    }),
  }
}

/** Returns a profile field of a type. Its data has the labels of choices, or the site of the accounts. */
export function fieldDetails(row: Payload, type: number): Omit<RecordOf<'profile_field'>, 'type' | 'id'> {
  return {
    name: row.text('name'),
    kind: kindOfField(type),
    hint: row.text('hint'),
    ...(row.text('field_data') !== '' && { data: row.text('field_data') }),
    required: row.isTrue('required'),
    in_summary: row.isTrue('display_in_profile_summary'),
    editable_by_user: row.at('editable_by_user').raw !== false,
    matched: row.isTrue('use_for_user_matching'),
  }
}

/** Returns the value of a profile field: of a choice, its label. */
export function valueOfField(type: number, data: string, value: string): string {
  if (type !== CHOICE) return value
  try {
    return new Payload(parseJson(data)).text(value, 'text') || value
  } catch {
    return value
  }
}

/** Whether a value can be that of a setting. */
export function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string'
    ? value.length <= MAX_VALUE
    : typeof value === 'number' || typeof value === 'boolean'
}

/** Returns a view of a person's sidebar. */
export function viewOf(user: string, row: Payload): RecordOf<'navigation_view'> {
  return {
    type: 'navigation_view',
    user,
    fragment: withIdsReferred(row.text('fragment')),
    pinned: row.isTrue('is_pinned'),
    name: row.has('name') ? row.text('name') : null,
  }
}

/** Returns a fragment of an address with references in place of ids. */
export function withIdsReferred(fragment: string): string {
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

/** Returns the earlier versions of a message from its history, the newest first. */
export function editsIn(history: Payload): Edit[] {
  return history
    .list()
    .slice(0, MAX_EDITS)
    .flatMap((edit) => {
      const time = edit.number('timestamp')
      if (time === undefined || time <= 0) return []
      const topic = edit.has('prev_topic') ? edit.text('prev_topic') : edit.text('prev_subject')
      return [
        {
          time_ms: time * 1_000,
          ...(edit.has('user_id') && { user: edit.text('user_id') }),
          ...(edit.has('prev_content') && { content: edit.text('prev_content') }),
          ...((edit.has('prev_topic') || edit.has('prev_subject')) && { topic }),
          ...(edit.has('prev_stream') && { channel: edit.text('prev_stream') }),
        },
      ]
    })
}

/** Yields a closed account for a user whom the archive lacks: one who was deleted, or belongs to another organization. */
export async function* ofUnlisted(id: string, name: string, known: Known): AsyncGenerator<NeutralRecord> {
  if (id === '' || id.length > 200 || (await known.get('user', id)) !== undefined) return
  await known.put('user', id, name.slice(0, 200))
  yield { type: 'user', id, full_name: name.slice(0, 1_000), email: null, deactivated: true }
}

const MENTION = /@_?\*\*[^*|\n]{0,200}\|(\d{1,15})\*\*/g
const MESSAGE_LINK = /#\*\*([^*>\n]{1,200})>([^*\n]{0,200})@(\d{1,15})\*\*/g
/**
 * An address that is no part of a link: in a label another link cannot be. It ends where its characters end, but for punctuation: a shorter
 * one would be cut off, and trying each takes long.
 */
const BARE =
  /(?<=^|[\s(])https?:\/\/[^\s()<>[\]`*]{1,2000}(?<![.,:;!?'"])(?=[.,:;!?'"]{0,100}(?:[\s()<>[\]`*]|$))(?![^[\n]{0,300}\]\()/g
const TARGET = /\]\(([^()\s]{1,2000})\)/g

/** Returns a text with references in place of ids. Code stays as it is. */
export async function rewritten(text: string, isOwn: IsOwn, known: Known): Promise<string> {
  const hasFile = (path: string) => known.seen('file', path) !== undefined
  return known.lookingUp(() => withReferences(text, { isOwn, hasFile }))
}

/** What a text may refer to. */
export interface Referable {
  readonly isOwn: IsOwn
  /** Whether the file at this path of uploads has a record. */
  hasFile(path: string): boolean
}

/** The line of a fence: its marker, and the words after it, in which the marker's character does not occur. */
const FENCE = /^[\s>]*(?:(`{3,})([^`]*)|(~{3,})([^~]*))$/

/** Returns the same where it is known at once which files have records. */
export function withReferences(text: string, within: Referable): string {
  /** The fences that are open, the innermost last. Quotations and spoilers are text, in which there may be others. */
  const open: { readonly marker: string; readonly isText: boolean }[] = []
  return text
    .split('\n')
    .map((line) => {
      const [, ticks, afterTicks, tildes, afterTildes] = FENCE.exec(line) ?? []
      const marker = ticks ?? tildes
      const info = (afterTicks ?? afterTildes ?? '').trim()
      const inner = open.at(-1)
      if (marker !== undefined && info === '' && marker === inner?.marker) {
        open.pop()
        return line
      }
      if (inner?.isText === false) return line
      if (marker !== undefined) open.push({ marker, isText: /^(?:quote|spoiler)(?:\s|$)/i.test(info) })
      return line
        .replace(MENTION, (whole, id: string) => mentionOf(id, whole.startsWith('@_')))
        .replace(MESSAGE_LINK, (_, channel: string, topic: string, id: string) =>
          linkTo(`#${channel} > ${topic}`, referenceTo('message', id)),
        )
        .replace(TARGET, (_, target: string) => `](${addressOf(target, within) ?? target})`)
        .replace(BARE, (url) => {
          const reference = addressOf(url, within)
          return reference === undefined ? url : linkTo(url, reference)
        })
    })
    .join('\n')
}

/** Returns the path of a target on the organization's own host; undefined for another host. */
function ownPath(target: string, isOwn: IsOwn): string | undefined {
  if (!/^[a-z]+:/i.test(target)) return target.replace(/^\/+/, '')
  const found = /^https?:\/\/([^/]+)\/(.*)$/.exec(target)
  return found && isOwn(found[1]!) ? found[2] : undefined
}

function uploadIn(target: string, isOwn: IsOwn): string | undefined {
  return /^user_uploads\/(?:thumbnail\/)?(\d+\/.+)$/.exec(ownPath(target, isOwn) ?? '')?.[1]
}

function addressOf(target: string, { isOwn, hasFile }: Referable): string | undefined {
  const upload = uploadIn(target, isOwn)
  if (upload !== undefined) return hasFile(upload) ? referenceTo('file', upload) : undefined
  const fragment = /^#(.+)$/.exec(ownPath(target, isOwn) ?? '')?.[1]
  return fragment === undefined ? undefined : referenceOf(fragment)
}

/** Returns the thing to which a view of the page leads: an id of the source would be another one here. */
function referenceOf(fragment: string): string | undefined {
  const found = (pattern: RegExp) => pattern.exec(fragment)?.[1]
  const message = found(/^narrow\/(?:.*\/(?:near|with)|id)\/(\d{1,15})$/)
  if (message !== undefined) return referenceTo('message', message)
  const people = found(/^narrow\/(?:dm|pm-with)\/(\d{1,15}(?:(?:,|%2C)\d{1,15}){0,199})(?:[-/]|$)/i)?.split(
    /,|%2C/i,
  )
  if (people !== undefined && people.length > 1) return referenceToConversation(people)
  const person = people?.[0] ?? found(/^(?:user|narrow\/sender)\/(\d{1,15})(?:[-/]|$)/)
  if (person !== undefined) return referenceTo('user', person)
  const channel = found(/^(?:narrow\/(?:channel|stream)|channels|streams)\/(\d{1,15})(?:[-/]|$)/)
  return channel === undefined ? undefined : referenceTo('channel', channel)
}

/** Returns a field with a list, unless the list is empty. */
export function listed<Key extends string, Item>(
  key: Key,
  list: readonly Item[] = [],
): Partial<Record<Key, Item[]>> {
  const field: Partial<Record<string, readonly Item[]>> = list.length > 0 ? { [key]: list } : {}
  return field as Partial<Record<Key, Item[]>>
}

/** Adds an item to a list of a map. */
export function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

/** Yields the record of an uploaded file. `created`: milliseconds. */
export async function* ofUpload(
  row: Payload,
  { name, owner }: { readonly name: string; readonly owner: string },
  created: number | undefined,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const id = row.text('path_id')
  const path = id === '' || id.length > 200 ? undefined : await known.get('upload', `uploads/${id}`)
  if (path === undefined) return yield { type: 'problem', kind: 'file is not in the archive', detail: id }
  await known.put('file', id, 'made')
  yield {
    type: 'file',
    id,
    name: name || 'file',
    path,
    content_type: row.text('content_type'),
    ...(owner !== '' && { owner }),
    ...(created !== undefined && created > 0 && { created_ms: created }),
  }
}
