import type { Command } from '../../core/command.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { StoredFile } from '../uploads/find-file.ts'
import { findExportAt } from './export-addresses.ts'
import { archiveKey, archiveName } from './present-export.ts'

/** The archive at an address, for whoever has been told it. */
export const findExportArchive: Command<unknown, { readonly secret: string }, void, StoredFile> = {
  apply(tx, _anybody, { secret }) {
    const exported = findExportAt(tx, secret)
    if (!exported || exported.size === null || exported.deletedAt !== null) {
      throw new NotFoundError('There is no such export.')
    }
    return {
      key: archiveKey(tx.realm.id, exported),
      name: archiveName(tx.realm, exported),
      contentType: 'application/x-tar',
      size: exported.size,
    }
  },
}
