import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { emojiCodeByName } from '../../markdown/emoji-data.ts'
import { customEmojiOf, findCustomEmojiNamed } from '../../store/emoji/custom-emoji-rows.ts'
import {
  type CustomEmojiLookup,
  type Emoji,
  EXTRA_EMOJI_NAME,
  emojiNamed,
  emojiWithCode,
} from '../../store/emoji/emoji-lookup.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import { type ImportWork, noteFound, targetOf } from './import-work.ts'
import { notePicture, notePictureUse } from './write-file.ts'

const MAX_NAME_LENGTH = 100

/** Prepares a custom emoji, which is entered with its picture. One of the organization with the same name is taken instead. */
export function writeEmoji(tx: RealmTransaction, work: ImportWork, record: RecordOf<'emoji'>): void {
  const { imported, tally } = work
  putNotes(tx.sql, imported.id, new Map([[keyOf(record.name), record.id]]))
  notePicture(tx, work, record.image)
  if (targetOf(tx, work, 'emoji', record.id) !== undefined) return
  const name = nameOf(record.name)
  if (name === '') {
    tally.problem('emoji whose name cannot be used', record.name)
    return
  }
  const namesake = findCustomEmojiNamed(tx.sql, name)
  if (namesake && !record.deactivated) {
    noteFound(tx, work, 'emoji', record.id, namesake.id, 'emoji that were here already')
    return
  }
  const author = record.author === undefined ? undefined : targetOf(tx, work, 'user', record.author)
  notePictureUse(tx, work, record.image, {
    kind: 'emoji',
    id: record.id,
    name,
    authorId: author ?? imported.actingUserId,
    isDeactivated: record.deactivated === true,
  })
}

/**
 * Returns the emoji of a reaction or a status: a custom one of the source, or else the one with its code points, or else with its name.
 * @throws BadRequestError for an unknown one
 */
export function emojiOf(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  { emoji, code, kind }: NonNullable<RecordOf<'user'>['status_emoji']>,
): Emoji {
  const custom = customEmojiOf(tx.sql)
  const known = kind === 'unicode' ? undefined : findNote(tx.sql, work.imported.id, keyOf(emoji))
  const id = known === undefined ? undefined : targetOf(tx, work, 'emoji', known)
  const uploaded = id === undefined ? undefined : custom.byId(id)
  if (uploaded)
    return { emoji_name: uploaded.name, emoji_code: String(uploaded.id), reaction_type: 'realm_emoji' }
  const byCode = kind === 'custom' || code === undefined ? undefined : emojiWithCode(code)
  return byCode ?? emojiNamed(custom.named(emoji) ? emoji : nameHere(emoji, custom), custom)
}

/** Returns the name by which an emoji is looked for here: the given one, unless only its valid form is the name of a custom emoji. */
function nameHere(given: string, custom: CustomEmojiLookup): string {
  const name = nameOf(given)
  return name !== '' && custom.named(name) ? name : given
}

/** Notes that the archive has an emoji, before it is written. */
export function noteEmoji(sql: WritableSql, importId: number, { name, id }: RecordOf<'emoji'>): void {
  putNotes(sql, importId, new Map([[keyOf(name), id]]))
}

/** Returns the name by which an owner could upload an emoji that neither the archive nor the organization has; undefined for any other. */
export function missingEmoji(
  sql: Sql,
  importId: number,
  { emoji, code, kind }: NonNullable<RecordOf<'user'>['status_emoji']>,
): string | undefined {
  if (kind !== 'custom' && code !== undefined && emojiWithCode(code)) return undefined
  if (kind !== 'unicode' && findNote(sql, importId, keyOf(emoji)) !== undefined) return undefined
  const name = nameOf(emoji)
  return name === '' || isEmojiHere(sql, emoji) || isEmojiHere(sql, name) ? undefined : name
}

/** Whether the organization has an emoji of this name. */
export function isEmojiHere(sql: Sql, name: string): boolean {
  return (
    findCustomEmojiNamed(sql, name) !== undefined ||
    name === EXTRA_EMOJI_NAME ||
    emojiCodeByName(name) !== undefined
  )
}

function keyOf(name: string): string {
  return `emoji:${name}`
}

/** Returns a valid name for an emoji; '' if nothing of it is valid. */
function nameOf(given: string): string {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/[^0-9a-z_-]+/g, '_')
    .slice(0, MAX_NAME_LENGTH)
  // A name begins and ends with a letter or digit.
  return /[0-9a-z](?:.*[0-9a-z])?/.exec(name)?.[0] ?? ''
}
