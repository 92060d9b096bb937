import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import type { CustomEmoji, CustomEmojiLookup } from './emoji-lookup.ts'

const EMOJI = new Rows<UploadedEmoji>('custom_emoji', 'id name path still_path author_id is_deactivated:flag')

/** An emoji that the organization uploaded, with its pictures. The table `custom_emoji` is owned by this file. */
export interface UploadedEmoji extends CustomEmoji {
  readonly path: string
  /** Address of a still picture of an animated one. */
  readonly stillPath: string | null
  readonly authorId: number
}

/** Lists all custom emoji, deactivated ones too. */
export function listCustomEmoji(sql: Sql): UploadedEmoji[] {
  return EMOJI.list(sql, `ORDER BY id`)
}

/** Finds the active emoji of this name. */
export function findCustomEmojiNamed(sql: Sql, name: string): UploadedEmoji | undefined {
  return EMOJI.find(sql, `WHERE name = ? AND is_deactivated = 0`, name)
}

export function insertCustomEmoji(
  sql: WritableSql,
  emoji: Pick<UploadedEmoji, 'name' | 'path' | 'stillPath' | 'authorId'>,
): void {
  EMOJI.insert(sql, emoji)
}

export function deactivateCustomEmojiRow(sql: WritableSql, id: number): void {
  sql.run(`UPDATE custom_emoji SET is_deactivated = 1 WHERE id = ?`, id)
}

/** Returns the lookup by which reactions, statuses and messages find the organization's emoji. */
export function customEmojiOf(sql: Sql): CustomEmojiLookup {
  return {
    named: (name) => findCustomEmojiNamed(sql, name),
    byId: (id) => EMOJI.find(sql, `WHERE id = ?`, id),
  }
}
