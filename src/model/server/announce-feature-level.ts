import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RestartEvent } from '../../events/realm.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { FEATURE_LEVEL, versionKeys } from './version.ts'

/**
 * Notifies everybody when the organization starts with another feature level than before: an object starts many times an
 * hour. `deployedAt`: UNIX seconds. Source: docs/interface/events.md#events-about-the-server.
 */
export function announceFeatureLevel(tx: RealmTransaction, deployedAt: number): void {
  const before = readMeta<number>(tx.sql, 'feature_level')
  if (before === FEATURE_LEVEL) return
  writeMeta(tx.sql, 'feature_level', FEATURE_LEVEL)
  if (before === undefined) return
  const event: RestartEvent = { type: 'restart', ...versionKeys(), server_generation: deployedAt }
  tx.emit(event, EVERYONE)
}
