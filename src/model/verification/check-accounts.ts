import type { AccountInD1, AccountRow } from '../../core/account-in-d1.ts'
import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { dayOf } from '../../core/time.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { listUsersAbove } from '../../store/users/user-rows.ts'
import { PRESENCE } from '../presence/presence-memory.ts'
import { projectedAccount, projectedRealm, putAccount, putDigests } from '../projection/projected-account.ts'
import { defineCheck, type Found } from './check.ts'

interface LoadedAccounts {
  /** The accounts here before D1 was read, as text. */
  readonly before: ReadonlyMap<number, string>
  readonly stored: ReadonlyMap<number, AccountInD1>
  /** The accounts up to this id are compared; the next call continues there. Undefined: all that are left. */
  readonly next: number | undefined
}

/** The values of a row, in its order, as a finding names them. */
const FIELDS = ['', 'name', 'role', 'kind', 'state', 'time of joining', 'address', 'key'] as const
const FIRST_DIGEST = FIELDS.indexOf('address')

/** Checks that D1 has every account as it is here, and no other. */
export const checkAccounts = defineCheck<LoadedAccounts>({
  name: 'accounts',

  async fetch(contents, view, after) {
    const here = accountsAbove(view, after)
    await contents.written()
    const there = await contents.accounts(after, PAGE_OF_ROWS)
    const ends = [here, there.map(({ row }) => row)].flatMap((page) =>
      page.length < PAGE_OF_ROWS ? [] : page.at(-1)![0],
    )
    return {
      before: new Map(here.map((row) => [row[0], JSON.stringify(row)])),
      stored: new Map(there.map((account) => [account.row[0], account])),
      next: ends.length === 0 ? undefined : Math.min(...ends),
    }
  },

  examine(tx, after, repair, { before, stored, next }) {
    const upTo = next ?? Number.POSITIVE_INFINITY
    const findings: Found[] = []
    const note = (id: number, problem: string) =>
      findings.push({ what: `user ${id}`, problem, repaired: repair })
    const here = new Map(accountsAbove(tx, after).map((row) => [row[0], row]))
    for (const [id, row] of here) {
      // What has changed meanwhile is on its way.
      if (id > upTo || before.get(id) !== JSON.stringify(row)) continue
      const known = stored.get(id)
      if (!known) {
        note(id, 'D1 does not have the account')
        if (repair) tx.writeToD1(putAccount(row))
        // What D1 has of an organization of before the table `account`.
        if (repair) tx.writeToD1({ statement: 'delete-api-key-digest', row: [row.at(-1) as string] })
      } else {
        const differing = FIELDS.flatMap((_, at) => (known.row[at] === row[at] ? [] : at))
        if (differing.length > 0) note(id, `D1 has another ${differing.map((at) => FIELDS[at]).join(', ')}`)
        if (repair && differing.some((at) => at < FIRST_DIGEST)) tx.writeToD1(putAccount(row))
        if (repair && differing.some((at) => at >= FIRST_DIGEST)) tx.writeToD1(putDigests(row))
      }
      const day = activityLacking(tx, id, known?.lastActiveOn ?? null)
      if (day === undefined) continue
      if (known) note(id, 'D1 has another day of its last activity')
      if (repair) tx.writeToD1({ statement: 'note-activity', row: [id, day] })
    }
    for (const id of stored.keys()) {
      if (id > upTo || here.has(id) || before.has(id)) continue
      note(id, 'D1 has an account that is not there')
      if (repair) tx.writeToD1({ statement: 'delete-account', row: [id] })
    }
    return next === undefined ? { findings } : { findings, next }
  },
})

/** Checks that D1 has the organization's name, and whether it is closed. */
export const checkListing = defineCheck<readonly [name: string, isClosed: number] | undefined>({
  name: 'listing',
  async fetch(contents) {
    await contents.written()
    return contents.listed()
  },
  examine(tx, _after, repair, listed) {
    const row = projectedRealm(tx)
    if (!listed || JSON.stringify(listed) === JSON.stringify(row)) return { findings: [] }
    if (repair) tx.writeToD1({ statement: 'note-realm', row })
    const problem = 'D1 has another name, or does not know whether it is closed'
    return { findings: [{ what: 'the organization', problem, repaired: repair }] }
  },
})

function accountsAbove(tx: RealmReads, after: number): AccountRow[] {
  return listUsersAbove(tx.sql, after, PAGE_OF_ROWS).map((user) => projectedAccount(tx, user))
}

/** Returns the day of an account's last activity if D1 should know it and has an earlier one, or a later one than there can be. */
function activityLacking(tx: RealmReads, userId: number, stored: string | null): string | undefined {
  const activeAt = tx.recall(PRESENCE).of(userId)?.activeAt ?? null
  // Later activity is noted tomorrow (note-activity.ts).
  if (activeAt === null || activeAt > (readMeta<number>(tx.sql, 'activity_noted_at') ?? 0)) return undefined
  const day = dayOf(activeAt)
  return stored === null || stored < day || stored > dayOf(tx.now) ? day : undefined
}
