/**
 * A digest of the content of an archive, independent of the ids in it: an export, and the export of an organization that imported it, have
 * the same digest. People go by their addresses, or else their names; channels, groups and the like by their names; messages by their
 * position in time; files by their bytes.
 */
import { createHash } from 'node:crypto'
import { CHANNEL_PROPERTIES, CHANNEL_PROPERTY_NAMES } from '../src/core/channel-properties.ts'
import type {
  Bytes,
  ImportArchive,
  ImportContext,
  ImportReader,
  ImportUnit,
} from '../src/imports/import-reader.ts'
import { findReaderOf } from '../src/imports/index.ts'
import { type NeutralRecord, type Permission, type RecordOf, takeRecord } from '../src/imports/neutral.ts'
import { peopleOf, type Reference, replaceReferences } from '../src/imports/references.ts'

const BLOCK_BYTES = 1024 * 1024

export interface ArchiveDigest {
  /** The digest of all sections. */
  readonly whole: string
  readonly sections: readonly {
    readonly name: string
    readonly count: number
    readonly digest: string
    /** The lines that were digested, in order; present only with `keepsLines`. */
    readonly lines: readonly string[]
  }[]
}

/** Types of records that a digest leaves out, since they say where the archive is from. */
const LEFT_OUT: ReadonlySet<string> = new Set(['parley-import', 'problem'])

/** @throws Error if no importer can read the file */
export async function digestOf(archive: ImportArchive, { keepsLines = false } = {}): Promise<ArchiveDigest> {
  const reader = await findReaderOf(archive)
  if (!reader) throw new Error('This file has an unknown format')
  const names = new Names()
  for await (const record of recordsOf(reader, archive)) await names.take(record, reader, archive)
  names.finish()
  const sections = new Map<string, string[]>()
  const messages: string[] = []
  const messageLines: string[] = []
  for await (const record of recordsOf(reader, archive)) {
    if (LEFT_OUT.has(record.type)) continue
    if (record.type === 'read_state' || record.type === 'starred_messages') {
      const lines = sections.get(record.type) ?? []
      sections.set(record.type, lines)
      for (const mark of marksIn(record, names)) lines.push(JSON.stringify(mark))
      continue
    }
    const line = JSON.stringify(canonical(record, names))
    if (record.type === 'message') {
      const at = names.placeOf(record.id)
      messages[at] = sha256(line)
      if (keepsLines) messageLines[at] = line
    } else {
      const lines = sections.get(record.type)
      if (lines) lines.push(line)
      else sections.set(record.type, [line])
    }
  }
  const found = [...sections]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, lines]) => {
      lines.sort()
      return { name, count: lines.length, digest: sha256(lines.join('\n')), lines: keepsLines ? lines : [] }
    })
  const all = [
    ...found,
    { name: 'message', count: messages.length, digest: sha256(messages.join('\n')), lines: messageLines },
  ]
  return { whole: sha256(all.map(({ name, digest }) => `${name} ${digest}`).join('\n')), sections: all }
}

/** Reads all records of an archive, as an import does. */
async function* recordsOf(reader: ImportReader, archive: ImportArchive): AsyncGenerator<NeutralRecord> {
  const stored = new Map<string, string>()
  const units: ImportUnit[] = []
  const context: ImportContext = {
    state: {},
    store: {
      get: async (key) => stored.get(key),
      put: async (key, value) => {
        stored.set(key, value)
      },
    },
    add(unit) {
      units.push(unit)
    },
  }
  for await (const unit of reader.units(archive)) units.push(unit)
  for (const unit of units) {
    for await (const value of reader.read(archive, unit, context)) {
      const taken = takeRecord(value)
      if ('record' in taken) yield taken.record
    }
  }
}

/** The meaning of the ids of an archive. */
class Names {
  private readonly names = new Map<string, string>()
  private readonly people = new Map<string, number>()
  private readonly closed = new Set<string>()
  private messages: { id: string; time: number }[] = []
  private readonly places = new Map<string, number>()

  async take(record: NeutralRecord, reader: ImportReader, archive: ImportArchive): Promise<void> {
    switch (record.type) {
      case 'user':
        this.names.set(`user ${record.id}`, this.personName(record))
        if (record.deactivated) this.closed.add(record.id)
        return
      case 'channel':
      case 'group':
      case 'channel_folder':
      case 'profile_field':
      case 'emoji':
        this.names.set(`${record.type} ${record.id}`, record.name)
        return
      case 'file':
        this.names.set(`file ${record.id}`, await contentOf(record, reader, archive))
        return
      case 'message':
        this.messages.push({ id: record.id, time: record.time_ms })
    }
  }

  /** Sorts messages by time, and those of one second as they are in the archive. */
  finish(): void {
    this.messages.sort((one, other) => one.time - other.time)
    for (const [at, { id }] of this.messages.entries()) this.places.set(id, at)
    this.messages = []
  }

  of(type: string, id: string): string {
    return this.names.get(`${type} ${id}`) ?? `unknown ${type}`
  }

  /** Returns the people of a list who may read. Others cannot see what is unread for them, and no import brings it over. */
  readers(ids: readonly string[] = []): string[] {
    return ids.filter((id) => !this.closed.has(id)).map((id) => this.of('user', id))
  }

  placeOf(id: string): number {
    return this.places.get(id) ?? -1
  }

  private personName(user: RecordOf<'user'>): string {
    const isMade = /^imported-[0-9a-f]+@no-mail\./.test(user.email ?? '')
    const name =
      user.email && !isMade && !user.is_bot ? user.email.toLowerCase() : `${user.full_name} (no address)`
    const number = (this.people.get(name) ?? 0) + 1
    this.people.set(name, number)
    return number === 1 ? name : `${name} ${number}`
  }
}

/** Returns the digest of a file's bytes. */
async function contentOf(
  file: RecordOf<'file'>,
  reader: ImportReader,
  archive: ImportArchive,
): Promise<string> {
  if (file.data !== undefined) return sha256(Buffer.from(file.data, 'base64'))
  const bytes = file.path === undefined ? undefined : await reader.file?.(archive, file.path)
  if (!bytes) return file.url ?? 'no bytes'
  const hash = createHash('sha256')
  for await (const block of blocksOf(bytes)) hash.update(block)
  return hash.digest('hex').slice(0, 32)
}

async function* blocksOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.size; at += BLOCK_BYTES) yield await bytes.read(at, at + BLOCK_BYTES)
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

/** Returns the content of a record, without ids. */
function canonical(record: NeutralRecord, names: Names): unknown {
  const user = (id: string) => names.of('user', id)
  const sorted = (ids: readonly string[] | undefined, type = 'user') =>
    (ids ?? []).map((id) => names.of(type, id)).sort()
  switch (record.type) {
    case 'organization':
      return [
        record.name,
        record.description,
        record.icon !== undefined,
        record.logo !== undefined,
        record.night_logo !== undefined,
      ]
    case 'user':
      return [
        user(record.id),
        record.full_name,
        record.role ?? 'member',
        record.is_bot === true,
        record.bot_kind ?? 'generic',
        record.deactivated === true,
        record.timezone ?? '',
        record.avatar !== undefined,
        record.status ?? '',
        record.status_emoji
          ? [record.status_emoji.kind, record.status_emoji.code ?? record.status_emoji.emoji]
          : null,
        (record.profile ?? []).map(({ field, value }) => [names.of('profile_field', field), value]).sort(),
      ]
    case 'profile_field':
      return [
        record.name,
        record.kind ?? 'short',
        record.hint ?? '',
        record.data ?? '',
        record.required === true,
        record.in_summary === true,
        record.editable_by_user !== false,
        record.matched === true,
      ]
    case 'group':
      return [
        record.name,
        record.description ?? '',
        sorted(record.members),
        sorted(record.subgroups, 'group'),
        record.deactivated === true,
        permissionsOf(record.permissions, names),
      ]
    case 'channel_folder':
      return [record.name, record.description ?? '']
    case 'channel':
      return [
        record.name,
        record.description ?? '',
        record.privacy ?? 'public',
        record.history_public ?? true,
        record.archived === true,
        record.folder === undefined ? '' : names.of('channel_folder', record.folder),
        record.default === true,
        (record.members ?? [])
          .map((one) => [
            user(one.user),
            one.color ?? '',
            one.muted === true,
            one.pinned === true,
            Object.entries(one.notifications ?? {}).sort(byJson),
          ])
          .sort(byJson),
        record.retention_days ?? null,
        CHANNEL_PROPERTY_NAMES.map((name) => record[name] ?? CHANNEL_PROPERTIES[name].default),
        permissionsOf(record.permissions, names),
      ]
    case 'emoji':
      return [record.name, record.deactivated === true]
    case 'file': {
      // Pictures of people and emoji are encoded again when they are uploaded.
      return record.content_type === undefined
        ? ['picture', record.id.replace(/\d+/, '')]
        : [
            names.of('file', record.id),
            record.name,
            record.content_type,
            record.owner ? user(record.owner) : '',
          ]
    }
    case 'message':
      return messageOf(record, names)
    case 'user_topic':
      return [user(record.user), names.of('channel', record.channel), record.topic, record.policy]
    case 'pin':
      return [
        names.of('channel', record.channel),
        record.message === undefined ? record.topic : names.placeOf(record.message),
        record.user === undefined ? '' : user(record.user),
        record.time_ms ?? null,
      ]
    case 'muted_user':
      return [user(record.user), user(record.muted)]
    case 'alert_word':
      return [user(record.user), record.word]
    case 'saved_snippet':
      return [user(record.user), record.title, record.content]
    case 'draft':
      return [
        user(record.user),
        placeOf(record, names),
        textOf(record.content, names),
        record.edited_ms ?? null,
      ]
    case 'scheduled_message':
      return [
        user(record.user),
        placeOf(record, names),
        textOf(record.content, names),
        Math.floor(record.due_ms / 1_000),
        record.failed === true,
      ]
    case 'reminder':
      return [
        user(record.user),
        names.placeOf(record.message),
        Math.floor(record.due_ms / 1_000),
        record.note ?? '',
      ]
    case 'navigation_view':
      return [user(record.user), textOf(record.fragment, names), record.pinned === true, record.name ?? null]
    case 'realm_setting':
      return [record.name, settingOf(record.value, names)]
    case 'user_settings':
      return [user(record.user), Object.entries(record.settings).sort(byJson)]
    case 'linkifier':
      return [
        record.pattern,
        record.url_template,
        record.example_input ?? '',
        record.reverse_template ?? '',
        record.alternative_url_templates ?? [],
      ]
    case 'default_channel_group':
      return [record.name, record.description ?? '', sorted(record.channels, 'channel')]
    case 'playground':
      return [record.name, record.language, record.url_template]
    default:
      return record
  }
}

/** Returns the value of a setting of the organization, which may be a permission, or name a channel. */
function settingOf(value: unknown, names: Names): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('channel' in value) return names.of('channel', String(value.channel))
  return permissionsOf({ value: value as Permission }, names)
}

/** Returns the groups of a permission; those that every organization has get the same names. */
function permissionsOf(given: Readonly<Record<string, Permission>> = {}, names: Names): unknown {
  const groupOf = (id: string) => (id.startsWith('role:') ? id : names.of('group', id))
  return Object.entries(given)
    .map(([name, { groups = [], users = [] }]) => [
      name,
      groups.map(groupOf).sort(),
      users.map((id) => names.of('user', id)).sort(),
    ])
    .sort(byJson)
}

/** Returns each message that a person who may read has starred or not read: a list may be in several records. */
function marksIn(record: RecordOf<'read_state'> | RecordOf<'starred_messages'>, names: Names): unknown[] {
  const messages = record.type === 'read_state' ? record.unread.flat() : record.messages
  const [reader] = names.readers([record.user])
  return reader === undefined ? [] : messages.map((id) => [reader, names.placeOf(id)])
}

function messageOf(record: RecordOf<'message'>, names: Names): unknown {
  const user = (id: string) => names.of('user', id)
  const text = (content: string) => textOf(content, names)
  return [
    user(record.sender),
    Math.floor(record.time_ms / 1_000),
    placeOf(record, names),
    text(record.content),
    record.edited_ms === undefined ? null : Math.floor(record.edited_ms / 1_000),
    (record.edits ?? []).map((edit) => [
      Math.floor(edit.time_ms / 1_000),
      edit.user === undefined ? '' : user(edit.user),
      edit.content === undefined ? null : text(edit.content),
      edit.topic ?? null,
      edit.channel === undefined ? null : names.of('channel', edit.channel),
    ]),
    (record.reactions ?? []).map((one) => [user(one.user), one.kind, one.code ?? one.emoji]).sort(byJson),
    names.readers(record.starred_by).sort(),
    names.readers(record.unread_by).sort(),
    (record.widget ?? []).map((entry) => [user(entry.user), text(entry.content)]),
  ]
}

function placeOf(
  { channel, topic, to }: Pick<RecordOf<'message'>, 'channel' | 'topic' | 'to'>,
  names: Names,
): unknown {
  if (channel !== undefined) return [names.of('channel', channel), topic ?? '']
  return to === undefined ? null : to.map((id) => names.of('user', id)).sort()
}

function textOf(content: string, names: Names): string {
  return replaceReferences(content, (reference) => `<${wordsOf(reference, names)}>`)
}

function wordsOf({ kind, id, form, label, isSilent }: Reference, names: Names): string {
  const what =
    kind === 'message'
      ? `message ${names.placeOf(id)}`
      : kind === 'conversation'
        ? `conversation ${peopleOf(id)
            .map((person) => names.of('user', person))
            .sort()}`
        : `${kind} ${names.of(kind, id)}`
  return [form, label, isSilent, what].join('|')
}

function byJson(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
