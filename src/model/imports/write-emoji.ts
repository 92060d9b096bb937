import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { customEmojiOf, findCustomEmojiNamed } from '../../store/emoji/custom-emoji-rows.ts'
import { type Emoji, emojiNamed, emojiWithCode } from '../../store/emoji/emoji-lookup.ts'
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
  return byCode ?? emojiNamed(emoji, custom)
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
