import type { RealmIdentity } from '../../core/realm-transaction.ts'
import { avatarUrl } from './avatar.ts'
import type { User } from './user-rows.ts'

/** A bot with what only its owner and administrators may know: the key. Source: core-endpoints 1, realm_bot. */
export function presentBot(bot: User, realm: RealmIdentity) {
  return {
    user_id: bot.id,
    email: bot.deliveryEmail,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: bot.apiKey,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    avatar_url: avatarUrl(bot, realm),
    owner_id: bot.botOwnerId,
    services: [],
  }
}
