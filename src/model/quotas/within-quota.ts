import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { QUOTAS, type Quota, type QuotaKind } from '../../core/quotas.ts'
import type { MemorySlot, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { isAdministrator, type Role } from '../../rules/roles.ts'
import {
  type QuotaUse,
  useOfAccount,
  useOfOrganization,
  usesOfAccounts,
} from '../../store/quotas/quota-rows.ts'

interface QuotaHolder {
  /** Absent where an account is made from an invitation. */
  readonly user?: { readonly id: number; readonly role: Role }
  readonly source: Pick<RequestSource, 'deployment'>
}

/**
 * Writes rows that have a quota. Refuses them if they exceed the quota and are more, or larger, than before: an
 * organization above its quota may still delete. `accountId`: their owner, if not the writer. `toCome`: number of short
 * rows that later commits of the same change write.
 * @throws BadRequestError, whereupon the transaction changes nothing
 */
export function withinQuota<R>(
  { sql }: Pick<RealmReads, 'sql'>,
  { user, source }: QuotaHolder,
  kind: QuotaKind,
  write: () => R,
  accountId: number | null = user?.id ?? null,
  toCome = 0,
): R {
  const use = (more: number) => ({
    account: accountId === null ? undefined : withMore(useOfAccount(sql, kind, accountId), more),
    organization: withMore(useOfOrganization(sql, kind), more),
  })
  const before = use(0)
  const result = write()
  const after = use(toCome)
  const quota = quotaOf(kind, source)
  const { what } = quota
  const isExempt = quota.madeForAll === true && user !== undefined && isAdministrator(user)
  if (before.account && after.account && !isExempt) {
    const limits = { count: quota.account, bytes: quota.accountBytes }
    requireWithin(before.account, after.account, limits, {
      count: `One account cannot have more than ${limits.count} ${what}.`,
      bytes: `The ${what} of one account are too large together (limit: ${limits.bytes} bytes).`,
    })
  }
  const limits = { count: quota.organization, bytes: quota.organizationBytes }
  requireWithin(before.organization, after.organization, limits, {
    count: `An organization cannot have more than ${limits.count} ${what}.`,
    bytes: `The ${what} of an organization are too large together (limit: ${limits.bytes} bytes).`,
  })
  return result
}

function withMore(use: QuotaUse, more: number): QuotaUse {
  return { ...use, count: use.count + more }
}

/** Whether there is room for one more row, whatever its size, where there is no caller to refuse. */
export function hasRoom(
  { sql }: Pick<RealmReads, 'sql'>,
  kind: QuotaKind,
  accountId: number,
  source: Pick<RequestSource, 'deployment'> = {},
): boolean {
  const quota = quotaOf(kind, source)
  return (
    isBelow(useOfAccount(sql, kind, accountId), quota.account, quota.accountBytes) &&
    isBelow(useOfOrganization(sql, kind), quota.organization, quota.organizationBytes)
  )
}

/** Whether the organization has room for one more row that is made for all: like administrators, an import has no account's quota. */
export function hasRoomInOrganization({ sql }: Pick<RealmReads, 'sql'>, kind: QuotaKind): boolean {
  const { organization, organizationBytes } = quotaOf(kind, {})
  return isBelow(useOfOrganization(sql, kind), organization, organizationBytes)
}

/** Returns the accounts that have room for one more row (`hasRoom`), in their order, as many as the organization has room for. */
export function accountsWithRoom(
  { sql }: Pick<RealmReads, 'sql'>,
  kind: QuotaKind,
  accountIds: readonly number[],
): readonly number[] {
  if (accountIds.length === 0) return []
  const quota = quotaOf(kind, {})
  const organization = useOfOrganization(sql, kind)
  if (!isBelow(organization, quota.organization, quota.organizationBytes)) return []
  const useOf = usesOfAccounts(sql, kind, accountIds)
  return accountIds
    .filter((id) => isBelow(useOf(id), quota.account, quota.accountBytes))
    .slice(0, (quota.organization ?? Number.POSITIVE_INFINITY) - organization.count)
}

/** Returns the quota of a kind, which the deployment may have lowered. */
export function quotaOf(kind: QuotaKind, source: Pick<RequestSource, 'deployment'>): Quota {
  return { ...QUOTAS[kind], ...deploymentOf(source).quotas[kind] }
}

function isBelow(use: QuotaUse, count = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY): boolean {
  return use.count < count && use.bytes < bytes
}

function requireWithin(
  before: QuotaUse,
  after: QuotaUse,
  limits: Readonly<Partial<Record<'count' | 'bytes', number>>>,
  refusals: Readonly<Record<'count' | 'bytes', string>>,
): void {
  for (const unit of ['count', 'bytes'] as const) {
    const limit = limits[unit]
    if (limit === undefined || after[unit] <= limit || after[unit] <= before[unit]) continue
    throw new BadRequestError(refusals[unit])
  }
}

/** Seconds between two lines of a kind, each with the number since the last. */
const BETWEEN_LINES = 600

interface Missed {
  /** Number since the last line. */
  since: number
  /** UNIX seconds. */
  loggedAt: number
}

/** Counts by the text of the line, so one for each caller of `noteMissed`. */
const MISSED: MemorySlot<Map<string, Missed>> = { name: 'missed', load: () => new Map() }

/** Logs that something is left out for want of room, where there is no caller to refuse. */
export function noteMissed(tx: RealmTransaction, what: string, facts: object, count = 1): void {
  const all = tx.recallToChange(MISSED)
  const missed = all.get(what) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY }
  all.set(what, missed)
  missed.since += count
  if (tx.now - missed.loggedAt < BETWEEN_LINES) return
  log('warn', what, { realm_id: tx.realm.id, ...facts, missed: missed.since })
  Object.assign(missed, { since: 0, loggedAt: tx.now })
}
