import { valuesText } from '../../core/json.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import { fragmentsOf, type InFragments, listOf, type Section, sectionOf } from '../../core/sections.ts'
import { mayCreateChannel, mayMakeWebPublic } from '../../rules/channel-setting-rules.ts'
import { hasRealmGrant } from '../../rules/grants.ts'
import { isAdministrator, isGuest, isModerator, isOwner, ROLES } from '../../rules/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../rules/user-rules.ts'
import { findPausedAddress } from '../../store/emails/email-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { blockOfUser, people } from '../../store/users/account-set-rows.ts'
import { listUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import { listSystemBots } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { creationFacts } from '../channels/visibility/channel-audiences.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { avatarUrl } from '../users/profile/avatar.ts'
import { presentUsers } from '../users/read/get-user.ts'
import { type PresentedUser, presentUser, type UserViewer } from '../users/read/present-user.ts'
import { presentUnknownUser, seenByGuest } from '../users/visibility/visible-users.ts'
import { hasAny } from './personal-lists.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `realm_user`: everybody whom the caller may see, and the caller's own account. */
export const realmUserSnapshot: Snapshot = (tx, caller, options) => {
  const { clientGravatar, capabilities } = options
  const { user, actor } = caller
  const viewer = { viewer: user, realm: tx.realm, clientGravatar, includeProfileData: true }
  const users = presentDirectory(tx, caller, {
    clientGravatar,
    mayBeIncomplete: capabilities.has('user_list_incomplete'),
  })
  const facts = creationFacts(tx.sql, caller.source)
  const mayCreatePublic = mayCreateChannel(actor, { isPrivate: false }, facts)
  const mayCreatePrivate = mayCreateChannel(actor, { isPrivate: true }, facts)
  return {
    realm_users: users.active,
    realm_non_active_users: users.nonActive,
    cross_realm_bots: listSystemBots(tx.sql).map((bot) => presentUser(bot, viewer)),
    avatar_source: user.avatarSource,
    avatar_url: avatarUrl(user, tx.realm),
    avatar_url_medium: avatarUrl(user, tx.realm, 'medium'),
    user_id: user.id,
    email: apiEmail(user, tx.realm),
    delivery_email: user.deliveryEmail,
    delivery_email_refused: hasAny('pausedAddresses', tx, user, options)
      ? findPausedAddress(tx.sql, user)
      : null,
    delivery_email_unconfirmed: !user.isEmailConfirmed && tx.sendsMail(),
    server_sends_mail: tx.sendsMail(),
    full_name: user.fullName,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    can_create_private_streams: mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_web_public_streams: mayMakeWebPublic(actor, facts),
    can_create_streams: mayCreatePrivate || mayCreatePublic,
    can_subscribe_other_users: hasRealmGrant(actor, facts, 'can_add_subscribers_group'),
    can_invite_others_to_realm: hasRealmGrant(actor, facts, 'can_invite_users_group'),
  }
}

interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client needs no placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
}

/** Lists of users by id. */
interface Directory {
  readonly active: InFragments
  readonly nonActive: InFragments
}

/** Returns all users as the caller sees them: in sections for each class of viewers, in own lists for guests who see only some. */
function presentDirectory(
  tx: RealmReads,
  caller: Caller,
  { clientGravatar, mayBeIncomplete }: DirectoryOptions,
): Directory {
  const { user, actor } = caller
  if (seesAllUsers(actor, realmPermissions(tx.sql))) return everybody(tx, user, clientGravatar)
  const viewer = { id: user.id, role: user.role }
  const lists = tx.use(listsOfGuest, {
    mayBeIncomplete,
    as: { viewer, realm: tx.realm, clientGravatar, includeProfileData: true },
  })
  return { active: listOf([lists.active]), nonActive: listOf([lists.nonActive]) }
}

/** Number of placeholders made in one turn: some 1 µs each. */
const PLACEHOLDERS_AT_A_TIME = 500

/** The lists of a guest who does not see everybody, as fragments. */
const listsOfGuest = defineReader({
  name: 'lists of users for a guest',
  key: ({ as: { viewer, clientGravatar }, mayBeIncomplete }: { as: UserViewer; mayBeIncomplete: boolean }) =>
    `${viewer.id} ${viewer.role} ${clientGravatar} ${mayBeIncomplete}`,
  *read(store, { as, mayBeIncomplete }) {
    const seen = yield* store.use(seenByGuest, as.viewer.id)
    const listed = yield* presentUsers(store, seen, (user) => itemOf(presentUser(user, as)))
    const unknown = mayBeIncomplete ? [] : people(store.sql).andNot(seen).toArray()
    for (const ids of inParts(unknown, PLACEHOLDERS_AT_A_TIME)) {
      for (const id of ids) listed.push(itemOf(presentUnknownUser(id, as.realm)))
      yield ids.length
    }
    listed.sort((one, other) => one.id - other.id)
    const textOf = (isActive: boolean) =>
      listed
        .filter((one) => one.isActive === isActive)
        .map(({ text }) => text)
        .join()
    return { active: textOf(true), nonActive: textOf(false) }
  },
})

function itemOf(presented: PresentedUser) {
  return {
    id: presented.user_id,
    isActive: presented.is_active,
    text: JSON.stringify(withoutActivity(presented)),
  }
}

function everybody(tx: RealmReads, reader: Caller['user'], clientGravatar: boolean): Directory {
  const asked = { viewers: emailVisibilityClass(reader), clientGravatar, realm: tx.realm }
  const blocks = userBlocks(tx.sql).map((block) => ({ ...asked, block }))
  const sections = tx.useAll(usersSeen, blocks)
  const view = { realm: tx.realm, clientGravatar, includeProfileData: true }
  // In their own list readers see more of themselves than others do.
  const own = JSON.stringify(withoutActivity(presentUser(reader, { ...view, viewer: reader })))
  const home = keyOfUsers({ ...asked, block: blockOfUser(reader.id) })
  const active = sections.flatMap((section) => {
    const { activeIds, key } = section
    const at = key === home ? activeIds.indexOf(reader.id) : -1
    if (at < 0) return [fragmentsOf(section, 0, activeIds.length)]
    return [fragmentsOf(section, 0, at), own, fragmentsOf(section, at + 1, activeIds.length)]
  })
  const nonActive = sections.map((section) => {
    const { length } = section.activeIds
    return fragmentsOf(section, length, length + 1)
  })
  return { active: listOf(active), nonActive: listOf(nonActive) }
}

interface UsersOfBlock {
  readonly block: number
  /** The class of the viewers, who all see the same addresses. */
  readonly viewers: ReturnType<typeof emailVisibilityClass>
  readonly clientGravatar: boolean
  readonly realm: RealmIdentity
}

function keyOfUsers({ block, viewers, clientGravatar }: UsersOfBlock): string {
  return `users ${block} ${viewers} ${clientGravatar}`
}

/** The users of a block: a fragment for each with an open account, by id, and one for the others. */
interface UsersSection extends Section {
  readonly activeIds: Uint32Array
}

const usersSeen = defineReader({
  name: 'users seen',
  key: (asked: UsersOfBlock) => `${keyOfUsers(asked)} ${asked.realm.host}`,
  *read({ sql }, asked): Generator<undefined, UsersSection> {
    const { viewers, clientGravatar, realm, block } = asked
    // No user has the id 0: nobody sees themselves in a section.
    const viewer = { id: 0, role: ROLES[viewers] }
    const users = listUsersOfBlock(sql, block)
    yield
    const presented = users.map((user) =>
      presentUser(user, { realm, clientGravatar, includeProfileData: true, viewer }),
    )
    const active = presented.filter(({ is_active }) => is_active)
    const others = presented.filter(({ is_active }) => !is_active)
    const section = sectionOf(keyOfUsers(asked), [
      ...active.map((user) => JSON.stringify(withoutActivity(user))),
      valuesText(others.map(withoutActivity)),
    ])
    return { ...section, activeIds: Uint32Array.from(active, ({ user_id }) => user_id) }
  },
})

/** Returns the user without `is_active`, which follows from the list that the user is in. */
function withoutActivity<Presented extends { is_active: boolean }>({ is_active: _, ...user }: Presented) {
  return user
}
