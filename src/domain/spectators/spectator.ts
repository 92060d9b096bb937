import type { RequestSource } from '../../core/call.ts'
import type { Sql } from '../../core/sql.ts'
import { SPECTATOR_ID } from '../../permissions/actor.ts'
import { actorOf, type Caller } from '../caller.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { User } from '../users/user-rows.ts'

/**
 * Somebody who reads without an account, as rules and forms see them: a guest who is nobody, is subscribed to nothing and has
 * read everything. Such a guest reads what is web-public and nothing else. Source: docs/interface/visitors.md#the-snapshot;
 * docs/interface/visitors.md#messages.
 */
export function spectatorCaller(
  { sql, now }: { readonly sql: Sql; readonly now: number },
  source: RequestSource,
): Caller {
  const user: User = {
    ...NOBODY,
    settings: { default_language: realmProperty(sql, 'default_language'), web_home_view: 'recent_topics' },
  }
  return { user, source, actor: actorOf(sql, user, now) }
}

const NOBODY: Omit<User, 'settings'> = {
  id: SPECTATOR_ID,
  deliveryEmail: 'username@example.com',
  fullName: 'Anonymous User',
  role: 600,
  roleSinceEvent: 0,
  isActive: true,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  canCreateUsers: false,
  canChangeEmails: false,
  joinedAt: 0,
  timezone: '',
  avatarSource: 'G',
  avatarVersion: 1,
  avatarPath: null,
  apiKey: '',
  passwordHash: null,
  profileData: {},
  readFloor: Number.MAX_SAFE_INTEGER,
}
