import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { deleteArchive } from './delete-archive.ts'
import { findExport } from './export-rows.ts'

/**
 * Deletes an archive: its address is invalid at once, its bytes are deleted later. Source:
 * docs/interface/administration.md#exports.
 */
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
