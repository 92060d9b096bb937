import type { QuotaKind } from '../../core/quotas.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { recountQuery } from '../schema/quotas.ts'

/** Use of a quota. The table `quota_use` is kept by triggers (store/schema/quotas.ts), and read here; only a repair writes it. */
export interface QuotaUse {
  readonly count: number
  readonly bytes: number
}

const NOTHING: QuotaUse = { count: 0, bytes: 0 }

/** Account id that stands for the whole organization. */
const ORGANIZATION = 0

export function useOfAccount(sql: Sql, kind: QuotaKind, accountId: number): QuotaUse {
  return (
    sql.first<QuotaUse>(
      `SELECT count, bytes FROM quota_use WHERE kind = ? AND account_id = ?`,
      kind,
      accountId,
    ) ?? NOTHING
  )
}

/** Returns the use of each of these accounts, read by one statement. */
export function usesOfAccounts(
  sql: Sql,
  kind: QuotaKind,
  accountIds: readonly number[],
): (accountId: number) => QuotaUse {
  const rows = sql.all<QuotaUse & { accountId: number }>(
    `SELECT account_id AS accountId, count, bytes FROM quota_use
     WHERE kind = ? AND account_id IN (SELECT value FROM json_each(?))`,
    kind,
    accountIds,
  )
  const uses = new Map(rows.map(({ accountId, count, bytes }) => [accountId, { count, bytes }]))
  return (accountId) => uses.get(accountId) ?? NOTHING
}

export function useOfOrganization(sql: Sql, kind: QuotaKind): QuotaUse {
  return useOfAccount(sql, kind, ORGANIZATION)
}

/** Returns the stored use of a kind, by account; 0: the organization, -1: nobody's. */
export function entriesOfUse(sql: Sql, kind: string): Map<number, QuotaUse> {
  const rows = sql.all<QuotaUse & { account_id: number }>(
    `SELECT account_id, count, bytes FROM quota_use WHERE kind = ?`,
    kind,
  )
  return new Map(rows.map(({ account_id, count, bytes }) => [account_id, { count, bytes }]))
}

/** Counts the use of a kind again, by account as in `entriesOfUse`. Reads every row of the kind. */
export function recount(sql: Sql, kind: string): Map<number, QuotaUse> {
  const rows = sql.all<QuotaUse & { account: number }>(recountQuery(kind))
  return new Map(rows.map(({ account, count, bytes }) => [account, { count, bytes }]))
}

/** Stores a use that was counted again. */
export function setUse(sql: WritableSql, kind: string, accountId: number, { count, bytes }: QuotaUse): void {
  sql.run(
    `INSERT INTO quota_use (kind, account_id, count, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, account_id) DO UPDATE SET count = excluded.count, bytes = excluded.bytes`,
    kind,
    accountId,
    count,
    bytes,
  )
}
