import type { Command } from '../../core/command.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { StoredFile } from '../uploads/find-file.ts'
import { archiveKey, archiveName } from './archive-key.ts'
import { findExportAt } from './export-addresses.ts'

/** Finds the archive at an address, for anybody who knows it. */
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
