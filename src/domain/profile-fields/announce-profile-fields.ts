import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredCustomProfileFieldsEvent } from '../../events/custom-profile-fields.ts'
import { presentProfileFields } from './present-profile-fields.ts'

/**
 * Emits the list of all profile fields to everybody (docs/interface/events.md#events-about-the-organization).
 */
export function announceProfileFields(tx: RealmTransaction): void {
  const event: StoredCustomProfileFieldsEvent = {
    type: 'custom_profile_fields',
    fields: presentProfileFields(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
