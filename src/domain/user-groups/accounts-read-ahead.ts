import { keptIds } from '../../core/kept-ids.ts'
import { NotPreparedError, type RealmView } from '../../core/realm-transaction.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { accountsInGroups, withSubgroups } from './group-members.ts'

/**
 * Number of groups, with those inside them, from which on their accounts are read before the turn that needs them: with ten thousand people
 * in a hundred groups it takes 15 ms.
 */
const MANY_GROUPS = 20

interface Accounts {
  /** Undefined where they change with time. */
  readonly ids: readonly number[] | undefined
}

/**
 * Returns the accounts in groups, possibly closed ones too, for callers that check each of them anyway.
 * @throws NotPreparedError where those of many groups have not been read, and the change can be put off.
 */
export function accountsReadAhead(
  { sql, now, mayBePutOff }: Pick<RealmView, 'sql' | 'now' | 'mayBePutOff'>,
  groupIds: readonly number[],
): readonly number[] {
  const read = () => accountsInGroups(sql, groupIds, now)
  const inside = withSubgroups(sql, groupIds)
  if (inside.size < MANY_GROUPS) return read()
  const key = `accounts in groups ${groupIds.join()}`
  const readAndKeep = () =>
    sql.kept<Accounts>(key, () => {
      const isByAge = inside.has(systemGroupId('role:fullmembers'))
      const ids = isByAge ? undefined : read()
      return { value: { ids }, size: keptIds(ids ?? []).size }
    })
  if (mayBePutOff && !sql.findKept<Accounts>(key, 'accounts')) {
    throw new NotPreparedError(async (pause) => {
      await pause()
      readAndKeep()
      await pause()
    })
  }
  return readAndKeep().ids ?? read()
}
