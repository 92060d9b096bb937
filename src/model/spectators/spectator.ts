import type { RequestSource } from '../../core/call.ts'
import type { Sql } from '../../core/sql.ts'
import { SPECTATOR_ID } from '../../rules/access.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf, type Caller } from '../caller.ts'

/**
 * Returns a reader without an account in the form for rules and presentations: a guest who is subscribed to nothing and
 * has read everything, and so can read only web-public channels. Source: docs/interface/visitors.md#the-snapshot;
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
  isEmailConfirmed: true,
  fullName: 'Anonymous User',
  role: 600,
  roleSinceEvent: 0,
  isActive: true,
  isDeleted: false,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  canCreateUsers: false,
  canChangeEmails: false,
  joinedAt: 0,
  awaitsLogin: false,
  isImported: false,
  timezone: '',
  avatarSource: 'G',
  avatarVersion: 1,
  avatarPath: null,
  apiKey: '',
  passwordHash: null,
  editedSettings: [],
  profileData: {},
  readFloor: Number.MAX_SAFE_INTEGER,
}
