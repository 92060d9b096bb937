import type { RequestSource } from '../core/call.ts'
import type { Sql } from '../core/sql.ts'
import type { Actor } from '../rules/access.ts'
import { roleWithin } from '../rules/bot-rules.ts'
import { groupIdsOf } from '../rules/in-group.ts'
import { isFullMember, type Role } from '../rules/roles.ts'
import { realmProperty } from '../store/realm/realm-setting-rows.ts'
import { groupLinks } from '../store/user-groups/membership-rows.ts'
import { findUser, type User } from '../store/users/user-rows.ts'
import type { ActiveUser } from '../store/users/user-summary-rows.ts'

/** The caller of an operation that is open to anyone. */
export interface Anyone {
  readonly source: RequestSource
}

/** The account for which a command acts, and the source of the request. */
export interface Caller {
  readonly user: User
  readonly actor: Actor
  readonly source: RequestSource
}

/** Returns the caller. `now` in UNIX seconds. */
export function callerOf(sql: Sql, user: User, source: RequestSource, now: number): Caller {
  return { user, source, actor: actorOf(sql, user, now) }
}

/** Returns the actor. Group membership is read when a rule first needs it: most commands never do. */
export function actorOf(sql: Sql, user: ActiveUser, now: number): Actor {
  return new ActorOfUser(sql, user, now)
}

/** A class, since giving each of thousands of actors its own getters takes longer than everything that they are asked. */
class ActorOfUser implements Actor {
  readonly id: number
  readonly isBot: boolean
  readonly botOwnerId: number | null
  readonly isActive: boolean
  readonly #sql: Sql
  readonly #user: ActiveUser
  readonly #now: number
  #botOwner: Actor | undefined
  #role: Role | undefined
  #groupIds: ReadonlySet<number> | undefined
  #isFullMember: boolean | undefined

  constructor(sql: Sql, user: ActiveUser, now: number) {
    this.id = user.id
    this.isBot = user.botType !== null
    this.botOwnerId = user.botOwnerId
    this.isActive = user.isActive
    this.#sql = sql
    this.#user = user
    this.#now = now
  }

  /** Read when a rule first needs it, since a bot's depends on its owner's. */
  get role(): Role {
    this.#role ??= roleWithin(this.#user.role, ownerOf(this.#sql, this.#user)?.role)
    return this.#role
  }

  get botOwner(): Actor | undefined {
    if (this.#botOwner) return this.#botOwner
    const owner = ownerOf(this.#sql, this.#user)
    this.#botOwner = owner && actorOf(this.#sql, owner, this.#now)
    return this.#botOwner
  }

  get isFullMember(): boolean {
    this.#isFullMember ??= isFullMember(
      this,
      this.#now - this.#user.joinedAt,
      realmProperty(this.#sql, 'waiting_period_threshold'),
    )
    return this.#isFullMember
  }

  get groupIds(): ReadonlySet<number> {
    this.#groupIds ??= groupIdsOf(this, groupLinks(this.#sql))
    return this.#groupIds
  }
}

function ownerOf(sql: Sql, { botOwnerId }: ActiveUser): User | undefined {
  return botOwnerId === null ? undefined : findUser(sql, botOwnerId)
}

/** Returns the part of the User-Agent that names the client: `ZulipMobile` for `ZulipMobile/30.0 (iOS)`. */
export function clientNameOf({ userAgent }: Pick<RequestSource, 'userAgent'>): string {
  const name = userAgent.split('/')[0]!.trim()
  return name === '' ? 'Unspecified' : name.slice(0, 30)
}
