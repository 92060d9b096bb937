/**
 * The limits on the number and total size of stored things of each kind. A write beyond a quota is refused (model/quotas/within-quota.ts)
 * and changes nothing; things that existed before a quota was lowered stay readable and deletable. A test says which table has
 * which quota, or why it has none (test/support/inside-table-quotas.ts).
 *
 * Data that POST /register sends to everyone has a quota in bytes for the organization, so that all of it stays below the 32 MiB of one
 * RPC, and each list that an event sends whole below the 2 MB of a row.
 */
export interface Quota {
  /** The plural that the refusal uses. */
  readonly what: string
  /** The number for one account. With `madeForAll`, only the organization's applies to administrators. */
  readonly account?: number
  /** Total UTF-8 bytes of one account's texts. */
  readonly accountBytes?: number
  readonly organization?: number
  readonly organizationBytes?: number
  /** Whether one person creates them for everyone; otherwise they belong to one account. */
  readonly madeForAll?: true
}

export type QuotaLimit = 'account' | 'accountBytes' | 'organization' | 'organizationBytes'

const KB = 1_000
const MB = 1_000_000

export const QUOTAS = {
  // Personal things. The organization's quotas reserve the object's 10 GB for messages.
  drafts: own('drafts', 1_000, 2 * MB, 500_000, 500 * MB),
  snippets: own('saved snippets', 500, 1 * MB, 200_000, 200 * MB),
  scheduled: own('scheduled messages', 500, 2 * MB, 200_000, 200 * MB),
  reminders: own('reminders', 500, 2 * MB, 200_000, 200 * MB),
  // Held in memory for the whole organization: two megabytes.
  alertWords: own('alert words', 500, 10 * KB, 50_000, 500 * KB),
  mutedUsers: own('muted users', 5_000, undefined, 500_000),
  // Sent in full in every snapshot. A topic has at most 60 code points: an account's are at most 2.4 MB, and five million take 1.2 GB of
  // the object.
  topicSettings: own('topics with a setting', 10_000, undefined, 5_000_000),
  views: own('navigation views', 200, 100 * KB, 200_000, 50 * MB),
  pushDevices: own('push devices', 50, 200 * KB, 100_000, 100 * MB),
  pushTokens: own('push devices', 50, 200 * KB, 100_000, 50 * MB),
  files: own('uploaded files', 20_000, 10 * MB, 2_000_000, 1_000 * MB),
  uploads: own('uploads under way', 100, 200 * KB, 10_000, 20 * MB),
  profiles: own('values in profiles', undefined, 32 * KB, undefined, 3 * MB),
  // Held in memory while an event is delivered. Load tests open a thousand as one user.
  queues: own('event queues', 1_200, 1 * MB, 20_000, 16 * MB),
  botStorage: own('stored keys', 10_000, 4 * MB, 1_000_000, 500 * MB),
  // Counted per bot: a message that mentions a bot with too many pending webhook calls makes no call.
  webhookCalls: own('webhook calls waiting', 1_000, 20 * MB, 20_000, 200 * MB),

  // Things that one person creates for everyone. Deactivated bots count too, since they stay listed.
  bots: made('bots', 100, undefined, 5_000),
  channels: made('channels', 500, 500 * KB, 10_000, 4 * MB),
  groups: made('user groups', 200, 200 * KB, 5_000, 2 * MB),
  // Counted over all groups that the account created. A permission or a mention may concern all of the organization's, which one turn
  // reads.
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
 * Bytes of the object's SQLite, out of the platform's 10 GB, beyond which everything that makes it grow is refused, so that reading,
 * deleting and administration still have room.
 */
export const MAX_OBJECT = 9_500_000_000

/** Quotas per message. Answers with many messages send large reactions and submessages separately (core/budgets.ts, BYTES_AT_ONCE). */
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

export type LoweredQuotas = { readonly [Kind in QuotaKind]?: { readonly [Limit in QuotaLimit]?: number } }
