import type { Sql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import type { User } from './user-rows.ts'

/** The form of bots that their owner and administrators see. There may be thousands, so none is read in full: `settings` is empty. */
export type ShownBot = Pick<
  User,
  | 'id'
  | 'deliveryEmail'
  | 'fullName'
  | 'botType'
  | 'botOwnerId'
  | 'isActive'
  | 'apiKey'
  | 'avatarPath'
  | 'avatarVersion'
  | 'settings'
>

const BOTS = new Rows<Omit<ShownBot, 'settings'>>(
  'user',
  'id delivery_email full_name bot_type bot_owner_id is_active:flag api_key avatar_path avatar_version',
)

/**
 * Lists the bots that users have made, or those of one owner, closed ones included, by id. Without the name of the index SQLite reads all
 * accounts, in their order.
 */
export function listShownBots(sql: Sql, ownerId?: number): ShownBot[] {
  return BOTS.list(
    sql,
    `INDEXED BY user_by_bot_owner
     WHERE bot_type IS NOT NULL AND is_system_bot = 0 ${ownerId === undefined ? '' : 'AND bot_owner_id = ?'}`,
    ...(ownerId === undefined ? [] : [ownerId]),
  )
    .map((bot) => ({ ...bot, settings: {} }))
    .sort((a, b) => a.id - b.id)
}
