import { ROWS_OF_SLICE } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NeutralType } from '../../imports/neutral.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'
import { removeFromSet, type SetName } from '../id-set-rows.ts'
import { MESSAGE_BIT } from '../messages/flags/message-bits.ts'
import { noteForD1 } from '../users/user-rows.ts'
import { REFERENCES, type Reference } from '../verification/references.ts'

/** The things here that things of a source have become. The table `imported_thing` is owned by this file. */
export type ImportedType =
  | Exclude<NeutralType, 'parley-import' | 'problem'>
  | 'subscription'
  | 'awaited_files'

/** Returns the id here of a thing of a source; undefined for one that was not imported. */
export function findImported(sql: Sql, sourceId: number, type: ImportedType, id: string): number | undefined {
  return sql.value(
    `SELECT target_id FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`,
    sourceId,
    type,
    id,
  )
}

/** Whether a thing of the source is this one here. It looks at all of that type, of which there are some thousand at most. */
export function isImportedAs(sql: Sql, sourceId: number, type: 'channel', targetId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM imported_thing WHERE source_id = ? AND type = ? AND target_id = ? LIMIT 1`,
    sourceId,
    type,
    targetId,
  )
}

/** Returns one of these ids of a source that is something else here than the given id; undefined without any. */
export function findImportedOtherwise(
  sql: Sql,
  sourceId: number,
  type: ImportedType,
  targets: Readonly<Record<string, number>>,
): string | undefined {
  return sql.value<string>(
    `SELECT t.id AS id FROM json_each(?3) j JOIN imported_thing t
       ON t.source_id = ?1 AND t.type = ?2 AND t.id = j.key WHERE t.target_id <> j.value LIMIT 1`,
    sourceId,
    type,
    JSON.stringify(targets),
  )
}

export interface MadeMessage extends ImportedMessage {
  readonly id: string
  readonly targetId: number
}

/** The thing here that an import has made or found for one of the source. */
interface NewImported {
  readonly sourceId: number
  readonly importId: number
  readonly type: ImportedType
  readonly id: string
  readonly targetId: number
  /** False for what was here before. */
  readonly isMade: boolean
}

/** Facts about an imported message: a digest of the source's text, the version that has this text here, and the number of its reactions and poll entries there. */
export interface ImportedMessage {
  readonly digest: number
  readonly version: number
  readonly reactions: number
  /** Digests of the place and of the reactions that it was given; null if an earlier build has imported it. */
  readonly place: number | null
  readonly marks: number | null
}

/** What is known of a thing as the source had it when it was last imported (store/schema/imported-changes.ts). */
export interface Facts {
  readonly digest: number | null
  readonly version: number | null
  readonly reactions: number | null
  readonly place: number | null
  readonly marks: number | null
}

export interface KnownThing extends Facts {
  readonly targetId: number
  readonly importId: number
  readonly isMade: boolean
}

const FACTS = 'digest, version, reactions, place, marks'

/** Returns what is known of a thing that was imported. */
export function findThing(sql: Sql, { sourceId, type, id }: ThingOfSource): KnownThing | undefined {
  const row = sql.first<Omit<KnownThing, 'isMade'> & { isMade: number }>(
    `SELECT target_id AS targetId, import_id AS importId, is_made AS isMade, ${FACTS}
     FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`,
    sourceId,
    type,
    id,
  )
  return row && { ...row, isMade: row.isMade === 1 }
}

/** Records what the source has now. */
export function putFacts(
  sql: WritableSql,
  { sourceId, type, id }: ThingOfSource,
  { digest, version, reactions, place, marks }: Facts,
): void {
  sql.run(
    `UPDATE imported_thing SET digest = ?, version = ?, reactions = ?, place = ?, marks = ?
     WHERE source_id = ? AND type = ? AND id = ?`,
    ...[digest, version, reactions, place, marks, sourceId, type, id],
  )
}

/** A thing that an import has made, or found. */
export interface ImportedThing {
  readonly id: string
  readonly targetId: number
  readonly importId: number
  readonly isMade: boolean
  readonly version: number
  readonly reactions: number
}

/** Lists the next things of a source of one type, by their ids there. */
export function listThingsOf(
  sql: Sql,
  sourceId: number,
  type: ImportedType,
  after: string,
  limit: number,
): ImportedThing[] {
  return sql
    .all<Omit<ImportedThing, 'isMade'> & { isMade: number }>(
      `SELECT id, target_id AS targetId, import_id AS importId, is_made AS isMade, ifnull(version, 0) AS version,
         ifnull(reactions, 0) AS reactions
       FROM imported_thing WHERE source_id = ? AND type = ? AND id > ? ORDER BY id LIMIT ?`,
      sourceId,
      type,
      after,
      limit,
    )
    .map((thing) => ({ ...thing, isMade: thing.isMade === 1 }))
}

/** The facts about an imported message that a further import of its source needs. */
export type KnownMessage = ImportedMessage & { readonly targetId: number; readonly importId: number }

/** Ids of one statement, which may have a hundred parameters. */
const IDS_OF_A_STATEMENT = 99

/** Returns imported messages by their ids in the source. */
export function findImportedMessages(
  sql: Sql,
  sourceId: number,
  ids: readonly string[],
): Map<string, KnownMessage> {
  const found = new Map<string, KnownMessage>()
  for (const some of inParts(ids, IDS_OF_A_STATEMENT)) {
    const rows = sql.all<KnownMessage & { readonly id: string }>(
      `SELECT id, target_id AS targetId, import_id AS importId, ifnull(digest, 0) AS digest, ifnull(version, 0) AS version,
         ifnull(reactions, 0) AS reactions, place, marks
       FROM imported_thing WHERE source_id = ? AND type = 'message' AND id IN (${some.map(() => '?').join()})`,
      sourceId,
      ...some,
    )
    for (const { id, ...known } of rows) found.set(id, known)
  }
  return found
}

/** Returns those of the messages that lack files, with a digest of which. */
export function findAwaiting(sql: Sql, sourceId: number, ids: readonly string[]): Map<string, number> {
  const rows = sql.all<{ id: string; digest: number }>(
    `SELECT id, ifnull(digest, 0) AS digest FROM imported_thing
     WHERE source_id = ? AND type = 'awaited_files' AND id IN (SELECT value FROM json_each(?))`,
    sourceId,
    ids,
  )
  return new Map(rows.map(({ id, digest }) => [id, digest]))
}

/** Notes that a message lacks files, since a further import may bring them. `digest`: of which. */
export function putAwaiting(
  sql: WritableSql,
  { sourceId, importId, id, targetId }: Pick<NewImported, 'sourceId' | 'importId' | 'id' | 'targetId'>,
  digest: number,
): void {
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made, digest)
     VALUES (?, 'awaited_files', ?, ?, ?, 1, ?) ON CONFLICT (source_id, type, id) DO UPDATE SET digest = excluded.digest`,
    ...[sourceId, id, targetId, importId, digest],
  )
}

export function deleteThings(
  sql: WritableSql,
  sourceId: number,
  type: ImportedType,
  ids: readonly string[],
): void {
  sql.run(
    `DELETE FROM imported_thing WHERE source_id = ? AND type = ? AND id IN (SELECT value FROM json_each(?))`,
    sourceId,
    type,
    ids,
  )
}

/** Whether this import has made it: another may have, or it was here. */
export function isMadeBy(sql: Sql, importId: number, thing: ThingOfSource): boolean {
  return isNoted(sql, importId, thing, true)
}

/** Whether this import has found it here. */
export function isFoundBy(sql: Sql, importId: number, thing: ThingOfSource): boolean {
  return isNoted(sql, importId, thing, false)
}

type ThingOfSource = Pick<NewImported, 'sourceId' | 'type' | 'id'>

function isNoted(
  sql: Sql,
  importId: number,
  { sourceId, type, id }: ThingOfSource,
  isMade: boolean,
): boolean {
  return sql.finds(
    `SELECT 1 FROM imported_thing WHERE source_id = ? AND type = ? AND id = ? AND import_id = ? AND is_made = ?`,
    sourceId,
    type,
    id,
    importId,
    Number(isMade),
  )
}

/** Whether an import in the name of this user has made it. */
export function isMadeFor(sql: Sql, actingUserId: number, { sourceId, type, id }: ThingOfSource): boolean {
  return sql.finds(
    `SELECT 1 FROM imported_thing t JOIN realm_import i ON i.id = t.import_id
     WHERE t.source_id = ? AND t.type = ? AND t.id = ? AND t.is_made = 1 AND i.acting_user_id = ?`,
    sourceId,
    type,
    id,
    actingUserId,
  )
}

/** Forgets an imported thing: a further import of the source looks for it again. */
export function forgetImported(sql: WritableSql, sourceId: number, type: ImportedType, id: string): void {
  sql.run(`DELETE FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`, sourceId, type, id)
}

/** Forgets an imported file: a further import of the source copies it again. */
export function forgetImportedFile(sql: WritableSql, attachmentId: number): void {
  sql.run(`DELETE FROM imported_thing WHERE type = 'file' AND target_id = ?`, attachmentId)
}

export function insertImported(
  sql: WritableSql,
  { sourceId, importId, type, id, targetId, isMade }: NewImported,
  { digest = null, place = null, marks = null }: Partial<Facts> = {},
): void {
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made, digest, place, marks)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[sourceId, type, id, targetId, importId, Number(isMade), digest, place, marks],
  )
}

/**
 * Notes what an import has added to accounts and channels that were here before: subscriptions, and what people have for themselves. The id of
 * each is the JSON of what identifies it here.
 */
export function noteAdded(
  sql: WritableSql,
  { id: importId, sourceId }: { readonly id: number; readonly sourceId: number },
  type: ImportedType,
  added: readonly Added[],
): void {
  if (added.length === 0) return
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made)
     SELECT ?1, ?2, value ->> 0, value ->> 1, ?3, 1 FROM json_each(?4) WHERE true
     ON CONFLICT (source_id, type, id) DO UPDATE SET import_id = excluded.import_id`,
    sourceId,
    type,
    importId,
    added.map(({ userId, of }) => [JSON.stringify([userId, ...of]), userId]),
  )
}

/** What an import has added to an account: in which channel, which word. */
export interface Added {
  readonly userId: number
  readonly of: readonly (string | number)[]
}

/** Returns what was noted. */
export function addedBy({ id, targetId }: Pick<ImportedThing, 'id' | 'targetId'>): Added {
  return { userId: targetId, of: fromJson(id as JsonText<[number, ...Added['of']]>).slice(1) }
}

/** Rows of one statement, which may have a hundred parameters. */
const ROWS_OF_A_STATEMENT = 11

export function insertImportedMessages(
  sql: WritableSql,
  { sourceId, importId }: Pick<NewImported, 'sourceId' | 'importId'>,
  messages: readonly MadeMessage[],
): void {
  for (const some of inParts(messages, ROWS_OF_A_STATEMENT)) {
    const rows = some.map(() => `(?, 'message', ?, ?, ?, 1, ?, ?, ?, ?, ?)`).join()
    sql.run(
      `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made, digest, version, reactions, place, marks)
       VALUES ${rows}`,
      ...some.flatMap(({ id, targetId, digest, version, reactions, place, marks }) => [
        ...[sourceId, id, targetId, importId, digest, version, reactions, place, marks],
      ]),
    )
  }
}

/** Deletions of imported things that nothing else ever deletes, in other files' tables: accounts, channels, groups. */

/** Tables whose rows go with the messages that they are about, and have no index by person. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'submessage'])

/** Rows that name people and are not deleted with them. */
export const LASTING_NAMES: readonly Reference[] = REFERENCES.filter(
  ({ target, table, repair }) => target === 'user' && (repair === 'report' || OF_MESSAGES.has(table)),
)

/** Rows that one turn searches for names of bots, half of what it reads: it first looks up where the next turn continues. */
const ROWS_LOOKED_AT = ROWS_OF_SLICE / 2

export function hasImportedBots(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM user WHERE bot_type IS NOT NULL AND is_imported = 1 LIMIT 1`)
}

/** Returns the imported bots that the next rows after a key name, and where the next call continues. */
export function importedBotsNamedBy(
  sql: Sql,
  { table, column, key }: Reference,
  after: number,
): { readonly ids: number[]; readonly next: number | undefined } {
  const next = sql.value(
    `SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${ROWS_LOOKED_AT}`,
    after,
  )
  const bots = sql.values(
    `SELECT id FROM user WHERE bot_type IS NOT NULL AND is_imported = 1
       AND id IN (SELECT ${column} FROM ${table} WHERE ${key} > ? AND ${key} <= ?)`,
    after,
    next ?? Number.MAX_SAFE_INTEGER,
  )
  return { ids: bots, next }
}

/** Returns those of the accounts that own bots. */
export function ownersOfBots(sql: Sql, ids: readonly number[]): Set<number> {
  const owners = sql.values(
    `SELECT DISTINCT bot_owner_id AS id FROM user
     WHERE bot_type IS NOT NULL AND bot_owner_id IN (SELECT value FROM json_each(?))`,
    ids,
  )
  return new Set(owners)
}

/** Deletes the rows of other tables that name these things. */
function deleteNaming(sql: WritableSql, target: 'user' | 'user_group', ids: readonly number[]): void {
  for (const { table, column, repair, ...reference } of REFERENCES) {
    if (reference.target !== target || repair !== 'delete' || OF_MESSAGES.has(table)) continue
    sql.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, ids)
  }
}

export function deleteAccounts(sql: WritableSql, ids: readonly number[]): void {
  const sets = setsWith(sql, ids)
  deleteConversationsOf(sql, ids)
  deleteNaming(sql, 'user', ids)
  sql.run(`DELETE FROM user WHERE id IN (SELECT value FROM json_each(?))`, ids)
  for (const name of sets) removeFromSet(sql, name, ids)
  noteForD1(sql, ids)
}

/** Returns the sets in which any of the accounts are. */
function setsWith(sql: Sql, ids: readonly number[]): SetName[] {
  const named = (query: string) => sql.values(query, ids)
  const among = `IN (SELECT value FROM json_each(?))`
  return [
    'closed',
    'bots',
    ...ROLE_VALUES.map((role): SetName => `role ${role}`),
    ...named(`SELECT DISTINCT channel_id AS id FROM subscription WHERE user_id ${among}`).map(
      (id): SetName => `subscribers ${id}`,
    ),
    ...named(`SELECT DISTINCT group_id AS id FROM user_group_member WHERE user_id ${among}`).map(
      (id): SetName => `members ${id}`,
    ),
  ]
}

function deleteConversationsOf(sql: WritableSql, userIds: readonly number[]): void {
  const conversations = sql.all<{ id: number; members: string }>(
    `SELECT id, members FROM conversation WHERE id IN
       (SELECT conversation_id FROM conversation_member WHERE user_id IN (SELECT value FROM json_each(?)))`,
    userIds,
  )
  for (const { id, members } of conversations) {
    sql.run(
      `DELETE FROM conversation_member WHERE conversation_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      id,
      `[${members}]`,
    )
    sql.run(`DELETE FROM conversation WHERE id = ?`, id)
  }
}

/**
 * Deletes up to `limit` of the subscriptions of a channel, of people's topics in it, and of its own topics. Returns whether any of them may be
 * left.
 */
export function deletePartOfChannel(sql: WritableSql, channelId: number, limit: number): boolean {
  const subscribers = idsIn(
    sql,
    `SELECT user_id AS id FROM subscription WHERE channel_id = ? ORDER BY user_id`,
    [channelId, limit],
  )
  const among = `IN (SELECT value FROM json_each(?))`
  // A subscription outlives its periods, which have no index by channel.
  for (const table of ['subscription_period', 'subscription'])
    sql.run(`DELETE FROM ${table} WHERE channel_id = ? AND user_id ${among}`, channelId, subscribers)
  removeFromSet(sql, `subscribers ${channelId}`, subscribers)
  const policies = sql.run(
    `DELETE FROM user_topic WHERE (user_id, channel_id, name_key) IN
       (SELECT user_id, channel_id, name_key FROM user_topic WHERE channel_id = ? LIMIT ?)`,
    channelId,
    limit,
  )
  const topics = idsIn(sql, `SELECT id FROM topic WHERE channel_id = ?`, [channelId, limit])
  sql.run(`DELETE FROM emptied_topic WHERE topic_id ${among}`, topics)
  sql.run(`DELETE FROM topic WHERE id ${among}`, topics)
  return [subscribers.length, policies, topics.length].some((count) => count >= limit)
}

function idsIn(sql: Sql, query: string, [of, limit]: readonly [of: number, limit: number]): number[] {
  return sql.values(`${query} LIMIT ?`, of, limit)
}

/** Deletes a channel that has no messages or other rows left. */
export function deleteChannelRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM id_set WHERE name = ?`, `subscribers ${id}` satisfies SetName)
  sql.run(`DELETE FROM channel WHERE id = ?`, id)
}

export function deleteGroupRow(sql: WritableSql, id: number): void {
  deleteNaming(sql, 'user_group', [id])
  sql.run(`DELETE FROM id_set WHERE name = ?`, `members ${id}` satisfies SetName)
  sql.run(`DELETE FROM user_group WHERE id = ?`, id)
}

export function deleteFolderRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM channel_folder WHERE id = ?`, id)
}

export function hasMessages(sql: Sql, channelId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM message_index WHERE recipient_id = ? LIMIT 1`,
    channelRecipientId(channelId),
  )
}

/** Returns the newest message of a channel or conversation, unless an import has brought it. */
export function newestWritten(sql: Sql, recipientId: number): { readonly senderId: number } | undefined {
  const newest = sql.first<{ senderId: number; bits: number }>(
    `SELECT sender_id AS senderId, bits FROM message_index WHERE recipient_id = ? ORDER BY id DESC LIMIT 1`,
    recipientId,
  )
  return newest && (newest.bits & MESSAGE_BIT.isImported) === 0 ? newest : undefined
}

/** Returns those of the accounts that take part in a direct conversation with messages. */
export function conversationsWithMessages(sql: Sql, userIds: readonly number[]): Set<number> {
  const ids = sql.list(
    `SELECT json_group_array(DISTINCT c.user_id) AS ids FROM conversation_member c
     WHERE c.user_id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM message_index m WHERE m.recipient_id = c.conversation_id * 3 + 2)`,
    userIds,
  )
  return new Set(ids)
}

/** Whether anybody has a value of a profile field. */
export function hasValueOf(sql: Sql, fieldId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM user WHERE json_extract(profile_data, '$."' || ? || '"') IS NOT NULL LIMIT 1`,
    fieldId,
  )
}
