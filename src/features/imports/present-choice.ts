import type { RealmReads } from '../../core/realm-transaction.ts'
import { accountToJoin } from '../../model/imports/account-to-join.ts'
import { findChannelByName } from '../../store/channels/channel-rows.ts'
import {
  hasNamesake,
  hasUserNamed,
  type ImportChoice,
  sharesAddress,
} from '../../store/imports/import-choice-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { findImported } from '../../store/imports/imported-rows.ts'
import { listProfileFields } from '../../store/profile-fields/profile-field-rows.ts'

/**
 * Returns something that was read for owners. `target_id`: what it becomes where nobody decides otherwise, if that is here already; `clash`: why it may
 * not be what it seems. Source: docs/interface/administration.md#imports.
 */
export function presentChoice(tx: RealmReads, imported: RealmImport, choice: ImportChoice) {
  const { id, name, email, kind } = choice
  return {
    id,
    name,
    email,
    kind,
    target_id: targetIdOf(tx, imported, choice),
    clash: clashOf(tx, imported, choice),
  }
}

function targetIdOf(tx: RealmReads, imported: RealmImport, choice: ImportChoice): number | null {
  const { sql } = tx
  const { sourceId } = imported
  const { type, id, name, email, kind } = choice
  const known = sourceId === null ? undefined : findImported(sql, sourceId, type, id)
  if (known !== undefined) return known
  switch (type) {
    case 'user':
      return (email === null ? undefined : accountToJoin(tx, imported, email, kind === 'bot')?.id) ?? null
    case 'channel': {
      const namesake = findChannelByName(sql, name)
      const joins = namesake && !namesake.isPrivate && !namesake.isWebPublic && !namesake.isArchived
      return joins && kind !== 'private' ? namesake.id : null
    }
    case 'profile_field':
      return listProfileFields(sql).find((field) => field.name === name)?.id ?? null
  }
}

function clashOf({ sql }: RealmReads, { id }: RealmImport, choice: ImportChoice): 'name' | 'address' | null {
  if (choice.type === 'user') {
    if (sharesAddress(sql, id, choice)) return 'address'
    return hasUserNamed(sql, choice.name) ? 'name' : null
  }
  if (choice.type !== 'channel') return null
  return findChannelByName(sql, choice.name) || hasNamesake(sql, id, choice) ? 'name' : null
}
