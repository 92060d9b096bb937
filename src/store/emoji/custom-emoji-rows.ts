import { listOf, type Sql, type WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import type { CustomEmoji, CustomEmojiLookup } from './emoji-lookup.ts'

const EMOJI = new Rows<UploadedEmoji>('id name path still_path author_id is_deactivated:flag')

/** An emoji that the organization uploaded, with its pictures. The table `custom_emoji` is owned by this file. */
export interface UploadedEmoji extends CustomEmoji {
  readonly path: string
  /** Address of a still picture of an animated one. */
  readonly stillPath: string | null
  readonly authorId: number
}

/** Lists all custom emoji, deactivated ones too. */
export function listCustomEmoji(sql: Sql): UploadedEmoji[] {
  const all: UploadedEmoji[] = []
  for (let above = 0; ; above = all.at(-1)!.id) {
    const page = nextCustomEmoji(sql, above)
    all.push(...page)
    if (page.length < EMOJI_IN_ONE_ROW) return all
  }
}

/** Number of emoji that are read in one row, since a row for each costs more than everything else. */
const EMOJI_IN_ONE_ROW = 1_000

type EmojiFacts = [
  id: number,
  name: string,
  path: string,
  stillPath: string | null,
  author: number,
  off: number,
]

function nextCustomEmoji(sql: Sql, above: number): UploadedEmoji[] {
  return listOf<EmojiFacts>(
    sql,
    `SELECT json_group_array(json_array(id, name, path, still_path, author_id, is_deactivated)) AS facts
     FROM (SELECT * FROM custom_emoji WHERE id > ? ORDER BY id LIMIT ${EMOJI_IN_ONE_ROW})`,
    above,
  ).map(([id, name, path, stillPath, authorId, off]) => ({
    id,
    name,
    path,
    stillPath,
    authorId,
    isDeactivated: off === 1,
  }))
}

/** Finds the active emoji of this name. */
export function findCustomEmojiNamed(sql: Sql, name: string): UploadedEmoji | undefined {
  return EMOJI.first(
    sql,
    `SELECT ${EMOJI.columns} FROM custom_emoji WHERE name = ? AND is_deactivated = 0`,
    name,
  )
}

export function insertCustomEmoji(
  sql: WritableSql,
  emoji: Pick<UploadedEmoji, 'name' | 'path' | 'stillPath' | 'authorId'>,
): void {
  EMOJI.insert(sql, 'custom_emoji', emoji)
}

export function deactivateCustomEmojiRow(sql: WritableSql, id: number): void {
  sql.run(`UPDATE custom_emoji SET is_deactivated = 1 WHERE id = ?`, id)
}

/** Returns the lookup by which reactions, statuses and messages find the organization's emoji. */
export function customEmojiOf(sql: Sql): CustomEmojiLookup {
  return {
    named: (name) => findCustomEmojiNamed(sql, name),
    byId: (id) => EMOJI.first(sql, `SELECT ${EMOJI.columns} FROM custom_emoji WHERE id = ?`, id),
  }
}
