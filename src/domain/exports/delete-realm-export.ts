import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { scheduleRemoval } from '../uploads/removal-rows.ts'
import { announceExports } from './announce-exports.ts'
import { findExport, markDeleted, type RealmExport } from './export-rows.ts'
import { archiveKey } from './present-export.ts'

/** Takes an archive away: its address is dead at once, its bytes follow. Source: docs/interface/administration.md#exports. */
export const deleteRealmExport: Command<Caller, { readonly export_id: number }, void, object> = {
  apply(tx, _administrator, { export_id }) {
    const exported = findExport(tx.sql, export_id)
    if (!exported) throw new BadRequestError('Invalid data export ID')
    if (exported.deletedAt !== null) throw new BadRequestError('Export already deleted')
    if (exported.failedAt !== null) throw new BadRequestError('Export failed, nothing to delete')
    if (exported.finishedAt === null) throw new BadRequestError('Export still in progress')
    deleteArchive(tx, exported)
    return {}
  },
}

export function deleteArchive(tx: RealmTransaction, exported: RealmExport): void {
  markDeleted(tx.sql, exported.id, tx.now)
  scheduleRemoval(tx, archiveKey(tx.realm.id, exported), tx.now)
  announceExports(tx)
}
