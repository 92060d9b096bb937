import { type Audience, EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'

/**
 * Emits an event to everybody, guests included (docs/interface/events.md#events-about-channels-and-groups).
 */
export function emitGroupEvent(
  tx: RealmTransaction,
  event: { readonly op: StoredUserGroupEvent['op'] } & Readonly<Record<string, unknown>>,
  audience: Audience = EVERYONE,
): void {
  const stored: StoredUserGroupEvent = { type: 'user_group', ...event }
  tx.emit(stored, audience)
}
