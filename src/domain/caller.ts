import type { RequestSource } from '../core/call.ts'
import type { Sql } from '../core/sql.ts'
import type { Actor } from '../permissions/actor.ts'
import { groupIdsOf } from '../permissions/in-group.ts'
import { isFullMember } from '../permissions/roles.ts'
import { realmProperty } from './realm/realm-setting-rows.ts'
import { groupLinks } from './user-groups/membership-rows.ts'
import type { User } from './users/user-rows.ts'

/** The account that a command acts for, and the source of the request. */
export interface Caller {
  readonly user: User
  /** The user as the rules see it. */
  readonly actor: Actor
  readonly source: RequestSource
}

/** `now` in UNIX seconds. */
export function callerOf(sql: Sql, user: User, source: RequestSource, now: number): Caller {
  return { user, source, actor: actorOf(sql, user, now) }
}

/** Group membership is looked up when a rule first asks for it: most commands never do. */
export function actorOf(sql: Sql, user: User, now: number): Actor {
  let groupIds: ReadonlySet<number> | undefined
  let fullMember: boolean | undefined
  const actor: Actor = {
    id: user.id,
    role: user.role,
    isBot: user.botType !== null,
    botOwnerId: user.botOwnerId,
    isActive: user.isActive,
    get isFullMember() {
      fullMember ??= isFullMember(user, now - user.joinedAt, realmProperty(sql, 'waiting_period_threshold'))
      return fullMember
    },
    get groupIds() {
      groupIds ??= groupIdsOf(
        { id: user.id, role: user.role, isFullMember: actor.isFullMember },
        groupLinks(sql),
      )
      return groupIds
    },
  }
  return actor
}

/** The part of the User-Agent that names the client: `ZulipMobile/30.0 (iOS)` is `ZulipMobile`. */
export function clientNameOf({ userAgent }: Pick<RequestSource, 'userAgent'>): string {
  const name = userAgent.split('/')[0]!.trim()
  return name === '' ? 'Unspecified' : name.slice(0, 30)
}
