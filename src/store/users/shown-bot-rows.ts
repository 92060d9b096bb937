import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
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

type BotColumns = [
  id: number,
  deliveryEmail: string,
  fullName: string,
  botType: number,
  botOwnerId: number | null,
  isActive: number,
  apiKey: string,
  avatarPath: string | null,
  avatarVersion: number,
]

/** Range of the ids of bots in one row of JSON: some 600 kB at the limits of names and addresses; a row may have 2 MB. */
const BOTS_IN_ONE_ROW = 500

/**
 * Lists the bots that users have made, or those of one owner, closed ones included, by id. Without the name of the index SQLite reads all
 * accounts, in their order.
 */
export function listShownBots(sql: Sql, ownerId?: number): ShownBot[] {
  return sql
    .all<{ bots: JsonText<BotColumns[]> }>(
      `SELECT json_group_array(json_array(id, delivery_email, full_name, bot_type, bot_owner_id, is_active,
         api_key, avatar_path, avatar_version)) AS bots
       FROM user INDEXED BY user_by_bot_owner
       WHERE bot_type IS NOT NULL AND is_system_bot = 0 ${ownerId === undefined ? '' : 'AND bot_owner_id = ?'}
       GROUP BY id / ${BOTS_IN_ONE_ROW}`,
      ...(ownerId === undefined ? [] : [ownerId]),
    )
    .flatMap(({ bots }) => fromJson(bots).map(shownBotOf))
    .sort((a, b) => a.id - b.id)
}

function shownBotOf([
  id,
  deliveryEmail,
  fullName,
  botType,
  botOwnerId,
  isActive,
  apiKey,
  avatarPath,
  avatarVersion,
]: BotColumns): ShownBot {
  return {
    id,
    deliveryEmail,
    fullName,
    botType,
    botOwnerId,
    isActive: isActive === 1,
    apiKey,
    avatarPath,
    avatarVersion,
    settings: {},
  }
}
