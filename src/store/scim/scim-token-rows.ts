import type { Sql, WritableSql } from '../../core/sql.ts'

/** A token of an identity provider that provisions accounts. The table `scim_token` is owned by this file. */
export interface ScimToken {
  /** SHA-256 in lower-case hex. */
  readonly digest: string
  /** UNIX seconds. */
  readonly madeAt: number
  /** The owner who made it, who may be gone by now. */
  readonly madeBy: number
  /** UNIX seconds, to a minute; null before the first use. */
  readonly usedAt: number | null
  /** UNIX seconds until which it is valid, if another one has replaced it. */
  readonly useBefore: number | null
  /** Whether it may make and reactivate owners, and change their roles and addresses. */
  readonly managesOwners: boolean
}

interface ScimTokenRow {
  digest: string
  made_at: number
  made_by: number
  used_at: number | null
  use_before: number | null
  manages_owners: number
}

/** Seconds between two notes of a token's use. */
const USE_NOTED_EVERY = 60

/** Returns the valid tokens: the present one, and the one before it. `now` in UNIX seconds. */
export function validTokens(sql: Sql, now: number): ScimToken[] {
  const rows = sql.all<ScimTokenRow>(`SELECT * FROM scim_token ORDER BY use_before IS NOT NULL LIMIT 2`)
  return rows.map(tokenOf).filter(({ useBefore }) => useBefore === null || useBefore > now)
}

/** Makes a token the only one, apart from `former`. */
export function putTokens(sql: WritableSql, token: ScimToken, former?: ScimToken): void {
  deleteTokens(sql)
  for (const one of former ? [token, former] : [token]) {
    sql.run(
      `INSERT INTO scim_token (digest, made_at, made_by, used_at, use_before, manages_owners)
       VALUES (?, ?, ?, ?, ?, ?)`,
      one.digest,
      Math.floor(one.madeAt),
      one.madeBy,
      one.usedAt,
      one.useBefore,
      Number(one.managesOwners),
    )
  }
}

export function deleteTokens(sql: WritableSql): void {
  sql.run(`DELETE FROM scim_token`)
}

/** Notes that a token was used, once a minute. */
export function noteUseOfToken(sql: WritableSql, { digest, usedAt }: ScimToken, now: number): void {
  if (usedAt !== null && now - usedAt < USE_NOTED_EVERY) return
  sql.run(`UPDATE scim_token SET used_at = ? WHERE digest = ?`, Math.floor(now), digest)
}

function tokenOf(row: ScimTokenRow): ScimToken {
  return {
    digest: row.digest,
    madeAt: row.made_at,
    madeBy: row.made_by,
    usedAt: row.used_at,
    useBefore: row.use_before,
    managesOwners: row.manages_owners === 1,
  }
}
