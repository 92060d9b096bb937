import { createHash } from 'node:crypto'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import { settingsFor } from '../../events/user-settings.ts'
import {
  type ComparedSection,
  comparedOrganization,
  comparedSettings,
  partOfThing,
  textOfPart,
  textOfSection,
} from '../../rules/compared-state.ts'
import { ROLES } from '../../rules/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../rules/user-rules.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { realmPermissions, realmProperties } from '../../store/realm/realm-setting-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { listUserTopics } from '../../store/user-topics/user-topic-rows.ts'
import { blockOfUser } from '../../store/users/account-set-rows.ts'
import { userSettings } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import type { Caller } from '../caller.ts'
import { presentChannel, presentFolder } from '../channels/read/present-channel.ts'
import { presentCustomEmoji } from '../realm/present-realm.ts'
import { presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import { presentGroupSettings, presentMadeGroup } from '../user-groups/present-user-group.ts'
import { userTopicPresenter } from '../user-topics/topic-attention.ts'
import { presentUsers } from '../users/read/get-user.ts'
import { presentUser, type UserViewer } from '../users/read/present-user.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'
import { visibleChannels } from './channels-in-sections.ts'
import { groupsMade } from './groups-in-sections.ts'

type Digests = ReadonlyMap<number, string>

/**
 * Returns the digest of each section of what the caller sees. People by 128, channels and groups have digests that all callers share, and that
 * are made anew only after a change. Source: docs/interface/register.md#the-digest-of-the-state.
 */
export function digestOfState(tx: RealmReads, caller: Caller): Record<ComparedSection, string> {
  const { sql } = tx
  const { user, source } = caller
  const channels = visibleChannels(tx, caller, { withArchived: true })
  const channelIds = channels.map(({ channel }) => channel.id)
  const groupIds = tx.use(groupsMade, undefined).map(({ id }) => id)
  const subscriptions = channels.flatMap(({ subscription }) =>
    subscription?.isActive
      ? [{ stream_id: subscription.channelId, ...presentPersonalSettings(subscription) }]
      : [],
  )
  const organization = {
    ...realmProperties(sql),
    ...presentGroupSettings(sql, realmPermissions(sql)),
  }
  return {
    people: sha256(textOfSection(peopleSeen(tx, caller))),
    channels: joined(channelIds, tx.useAll(channelDigest, channelIds)),
    subscriptions: whole('subscriptions', subscriptions),
    groups: joined(groupIds, tx.useAll(groupDigest, groupIds)),
    folders: whole('folders', listFolders(sql).map(presentFolder)),
    emoji: whole('emoji', Object.values(presentCustomEmoji(sql))),
    topics: tx.use(topicsDigest, user.id),
    organization: whole('organization', comparedOrganization(organization)),
    settings: whole(
      'settings',
      comparedSettings({ ...settingsFor(source, userSettings(user)), timezone: user.timezone }),
    ),
  }
}

function peopleSeen(tx: RealmReads, { user, actor }: Caller): Digests {
  const { realm } = tx
  if (!seesAllUsers(actor, realmPermissions(tx.sql))) {
    return tx.use(peopleOfGuest, { id: user.id, role: user.role, realm })
  }
  const viewers = emailVisibilityClass(user)
  const blocks = userBlocks(tx.sql)
  const own = blockOfUser(user.id)
  // Callers see their own address, whoever else does.
  const asked = blocks.map((block) => ({ block, viewers, realm, viewerId: block === own ? user.id : 0 }))
  const digests = tx.useAll(peopleOfBlock, asked)
  return new Map(blocks.flatMap((block, at) => (digests[at] === undefined ? [] : [[block, digests[at]]])))
}

const VIEW = { clientGravatar: false, includeProfileData: true } as const

interface PeopleOfBlock {
  readonly block: number
  readonly viewers: ReturnType<typeof emailVisibilityClass>
  readonly realm: RealmIdentity
  /** The viewer, if it is one of them; else 0. */
  readonly viewerId: number
}

/** The digest of the people of a block; undefined for a block that has only system bots. */
const peopleOfBlock = defineReader({
  name: 'digest of people',
  key: ({ block, viewers, viewerId }: PeopleOfBlock) => `${block} ${viewers} ${viewerId}`,
  *read({ sql }, { block, viewers, realm, viewerId }): Generator<undefined, string | undefined> {
    const view: UserViewer = { ...VIEW, viewer: { id: viewerId, role: ROLES[viewers] }, realm }
    const people = listUsersOfBlock(sql, block).map((user) => presentUser(user, view))
    yield
    return people.length === 0 ? undefined : sha256(textOfPart('people', people))
  },
})

/** The digests of the people whom a guest sees who does not see everybody, by part. */
const peopleOfGuest = defineReader({
  name: 'digests of people for a guest',
  key: ({ id, role }: UserViewer['viewer'] & { readonly realm: RealmIdentity }) => `${id} ${role}`,
  *read(store, { id, role, realm }): Steps<Digests> {
    const seen = yield* store.use(seenByGuest, id)
    const view: UserViewer = { ...VIEW, viewer: { id, role }, realm }
    const people = yield* presentUsers(store, seen, (user) => presentUser(user, view))
    const digests = new Map<number, string>()
    for (const [part, some] of Map.groupBy(people, (person) => partOfThing('people', person))) {
      digests.set(part, sha256(textOfPart('people', some)))
      yield
    }
    return digests
  },
})

const channelDigest = defineReader({
  name: 'digest of a channel',
  key: (id: number) => `${id}`,
  *read({ sql }, id): Generator<undefined, string> {
    const channel = presentChannel(sql, findChannel(sql, id)!, { subscriberCount: 0 })
    yield
    return sha256(textOfPart('channels', [channel]))
  },
})

const groupDigest = defineReader({
  name: 'digest of a group',
  key: (id: number) => `${id}`,
  *read({ sql }, id): Generator<undefined, string> {
    const group = presentMadeGroup(sql, findGroup(sql, id)!)
    yield
    return sha256(textOfPart('groups', [group]))
  },
})

const topicsDigest = defineReader({
  name: 'digest of topics',
  key: (userId: number) => `${userId}`,
  *read({ sql }, userId): Generator<undefined, string> {
    const topics = listUserTopics(sql, userId).map(userTopicPresenter((topic) => topic))
    yield
    return whole('topics', topics)
  },
})

/** Returns the digest of a section of one part. */
function whole(section: ComparedSection, things: readonly object[]): string {
  const digests = things.length === 0 ? [] : [[0, sha256(textOfPart(section, things))] as const]
  return sha256(textOfSection(new Map(digests)))
}

function joined(ids: readonly number[], digests: readonly string[]): string {
  return sha256(textOfSection(new Map(ids.map((id, at) => [id, digests[at]!]))))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
