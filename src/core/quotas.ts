/**
 * The number of stored things of each kind that there may be, and their size together. Anything above is
 * refused where it is written (model/quotas/within-quota.ts) and changes nothing; a thing that was there
 * before a quota stays readable and deletable. Which table has which quota, or why it has none:
 * `core/quota-of-table.ts`.
 *
 * The data that POST /register sends to everybody has an organization's quota in bytes, so that all of it
 * together stays below the 32 MiB of one RPC, and each list that is sent whole in an event below the 2 MB of
 * a row.
 */
export interface Quota {
  /** The things as the refusal names them. */
  readonly what: string
  /** The number for one account. Administrators are held only to the organization's, where `madeForAll`. */
  readonly account?: number
  /** UTF-8 bytes of all texts of one account. */
  readonly accountBytes?: number
  readonly organization?: number
  readonly organizationBytes?: number
  /** Whether one person makes them and everybody sees them; otherwise they belong to one account. */
  readonly madeForAll?: true
}

export type QuotaLimit = 'account' | 'accountBytes' | 'organization' | 'organizationBytes'

const KB = 1_000
const MB = 1_000_000

export const QUOTAS = {
  // Things that everybody has alone. The organization's quotas keep the object, which holds 10 GB, for
  // messages.
  drafts: own('drafts', 1_000, 2 * MB, 500_000, 500 * MB),
  snippets: own('saved snippets', 500, 1 * MB, 200_000, 200 * MB),
  scheduled: own('scheduled messages', 500, 2 * MB, 200_000, 200 * MB),
  reminders: own('reminders', 500, 2 * MB, 200_000, 200 * MB),
  // Held in memory for the whole organization, in two megabytes.
  alertWords: own('alert words', 500, 10 * KB, 50_000, 500 * KB),
  mutedUsers: own('muted users', 5_000, undefined, 500_000),
  // Sent in full in every snapshot. A topic has at most 60 code points: all of an account are at most 2.4 MB, and five million 1.2 GB of
  // the object.
  topicSettings: own('topics with a setting', 10_000, undefined, 5_000_000),
  views: own('navigation views', 200, 100 * KB, 200_000, 50 * MB),
  pushDevices: own('push devices', 50, 200 * KB, 100_000, 100 * MB),
  pushTokens: own('push devices', 50, 200 * KB, 100_000, 50 * MB),
  files: own('uploaded files', 20_000, 10 * MB, 2_000_000, 1_000 * MB),
  uploads: own('uploads under way', 100, 200 * KB, 10_000, 20 * MB),
  profiles: own('values in profiles', undefined, 32 * KB, undefined, 3 * MB),
  // Held in memory while an event is looked at. Load tests open a thousand as one user.
  queues: own('event queues', 1_200, 1 * MB, 20_000, 16 * MB),
  botStorage: own('stored keys', 10_000, 4 * MB, 1_000_000, 500 * MB),
  // Counted by bot: a message that mentions a bot with too many pending webhook calls makes no call for it.
  webhookCalls: own('webhook calls waiting', 1_000, 20 * MB, 20_000, 200 * MB),

  // Things that one person makes and everybody gets. Deactivated bots count too, since they stay among the
  // users.
  bots: made('bots', 100, undefined, 5_000),
  channels: made('channels', 500, 500 * KB, 10_000, 4 * MB),
  groups: made('user groups', 200, 200 * KB, 5_000, 2 * MB),
  // Counted over all groups that the account made. A permission, or a mention, may concern all of the organization's, which one turn reads.
  groupMembers: made('members of user groups', 50_000, undefined, 200_000),
  subgroups: made('subgroups', 2_000, undefined, 20_000),
  emoji: made('custom emoji', 500, undefined, 5_000),
  folders: made('channel folders', 200, undefined, 1_000, 500 * KB),
  invitations: made('invitations', 1_000, 1 * MB, 50_000, 10 * MB),

  // Bots and deactivated accounts count too.
  accounts: ofOrganization('accounts', 20_000, undefined),

  // Only administrators create these.
  defaultGroups: ofOrganization('default channel groups', 200, 200 * KB),
  linkifiers: ofOrganization('linkifiers', 500, 300 * KB),
  playgrounds: ofOrganization('code playgrounds', 500, 300 * KB),
  profileFields: ofOrganization('custom profile fields', 100, 300 * KB),
  domains: ofOrganization('domains', 1_000, 100 * KB),
  settings: ofOrganization('settings', 1_000, 1 * MB),
} as const satisfies Record<string, Quota>

export type QuotaKind = keyof typeof QUOTAS

/**
 * Bytes of the object's SQLite, of 10 GB that the platform allows, from which on everything that makes it
 * grow is refused, so that reading, deleting and administration have room.
 */
export const MAX_OBJECT = 9_500_000_000

/**
 * Quotas of one message. Answers with many messages send large reactions and submessages separately
 * (core/budgets.ts, BYTES_AT_ONCE).
 */
export const MESSAGE_QUOTAS = {
  submessages: { message: 5_000, messageBytes: 500 * KB, account: 500, accountBytes: 50 * KB },
  reactions: { message: 10_000, account: 100 },
} as const

function own(
  what: string,
  account?: number,
  accountBytes?: number,
  organization?: number,
  organizationBytes?: number,
): Quota {
  return { what, account, accountBytes, organization, organizationBytes }
}

function made(...quota: Parameters<typeof own>): Quota {
  return { ...own(...quota), madeForAll: true }
}

function ofOrganization(what: string, organization: number, organizationBytes?: number): Quota {
  return { what, organization, organizationBytes }
}

/** The quotas that a deployment has lowered. */
export type LoweredQuotas = { readonly [Kind in QuotaKind]?: { readonly [Limit in QuotaLimit]?: number } }
