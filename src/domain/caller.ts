import type { RequestSource } from '../core/call.ts'
import type { Sql } from '../core/sql.ts'
import type { Actor } from '../permissions/actor.ts'
import { groupIdsOf } from '../permissions/in-group.ts'
import { isFullMember } from '../permissions/roles.ts'
import { realmProperty } from './realm/realm-setting-rows.ts'
import { groupLinks } from './user-groups/membership-rows.ts'
import type { ActiveUser, User } from './users/user-rows.ts'

/** The account for which a command acts, and the source of the request. */
export interface Caller {
  readonly user: User
  /** The user in the form for rules. */
  readonly actor: Actor
  readonly source: RequestSource
}

/** Returns the caller. `now` in UNIX seconds. */
export function callerOf(sql: Sql, user: User, source: RequestSource, now: number): Caller {
  return { user, source, actor: actorOf(sql, user, now) }
}

/** Returns the actor. Group membership is read when a rule first needs it: most commands never do. */
export function actorOf(sql: Sql, user: ActiveUser, now: number): Actor {
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

/** Returns the part of the User-Agent that names the client: `ZulipMobile` for `ZulipMobile/30.0 (iOS)`. */
export function clientNameOf({ userAgent }: Pick<RequestSource, 'userAgent'>): string {
  const name = userAgent.split('/')[0]!.trim()
  return name === '' ? 'Unspecified' : name.slice(0, 30)
}
