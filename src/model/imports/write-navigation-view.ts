import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { withIds } from '../../imports/references.ts'
import { listNavigationViews, putNavigationView } from '../../store/navigation-views/navigation-view-rows.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { lineUpTo } from './fit-text.ts'
import { type ImportWork, targetOf } from './import-work.ts'
import { personOf } from './write-personal.ts'

const MAX_NAME_LENGTH = 100
const MAX_FRAGMENT_LENGTH = 1_000

/** Adds a view to the sidebar of a person, unless it is there. One of what was left out is left out too. */
export function writeNavigationView(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'navigation_view'>,
): void {
  const userId = personOf(tx, work, record)
  if (userId === undefined) return
  const own = withIds(record.fragment, (kind, id) => targetOf(tx, work, kind, id))
  const fragment = own === undefined ? '' : lineUpTo(work, own, MAX_FRAGMENT_LENGTH, 'navigation_view')
  if (fragment === '') {
    work.tally.count('written', 'views of the sidebar left out')
    return
  }
  if (listNavigationViews(tx.sql, userId).some((view) => view.fragment === fragment)) return
  if (!hasRoom(tx, 'views', userId)) {
    work.tally.problem('no room for more views of the sidebar', fragment)
    return
  }
  const { name = null, pinned = false } = record
  putNavigationView(tx.sql, userId, {
    fragment,
    is_pinned: pinned,
    name: name === null ? null : lineUpTo(work, name, MAX_NAME_LENGTH, 'navigation_view.name'),
  })
  work.tally.count('written', 'views of the sidebar')
}
