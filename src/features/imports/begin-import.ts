import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { WEEK } from '../../core/time.ts'
import {
  keepImportUpload,
  pathOfImportUpload,
  requireImportUpload,
} from '../../model/imports/import-upload.ts'
import { EMPTY_REPORT } from '../../store/imports/import-report.ts'
import {
  countImportsSince,
  FIRST_MAPPING,
  FIRST_PROGRESS,
  findUnfinishedImport,
  insertImport,
} from '../../store/imports/import-rows.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

const IMPORTS_A_WEEK = 20
const MAX_PATH_LENGTH = 500

/** Begins to read an archive. Only its report is written until an owner runs the import. Source: docs/interface/administration.md#imports. */
export const beginImportEndpoint = defineEndpoint({
  operation: 'begin-import',
  route: 'POST /imports',
  access: 'owner',
  needsProof: true,
  growsObject: true,
  params: {
    upload_id: described(
      v.optional(textUpTo(NAME_LENGTH)),
      'The archive that was uploaded for imports (`POST /imports/uploads`).',
    ),
    path_id: described(
      v.optional(textUpTo(MAX_PATH_LENGTH)),
      'In place of it, a file that the caller has uploaded as any other: its address without `/user_uploads/`.',
    ),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, { user }, params): { readonly id: number } {
    const archive = archiveOf(tx, user.id, params)
    if (findUnfinishedImport(tx.sql)) throw new BadRequestError('Another import is under way')
    if (countImportsSince(tx.sql, tx.now - WEEK) >= IMPORTS_A_WEEK) {
      throw new BadRequestError('Exceeded rate limit.')
    }
    const id = insertImport(tx.sql, {
      actingUserId: user.id,
      name: archive.name,
      archivePath: archive.path,
      size: archive.size,
      secret: tx.randomHex(24),
      startedAt: tx.now,
      progress: FIRST_PROGRESS,
      mapping: FIRST_MAPPING,
      report: EMPTY_REPORT,
    })
    tx.schedule({ kind: 'import-organization', key: '', dueAt: tx.now })
    return { id }
  },
  audit: ({ value }) => ({ action: 'import_begun', details: { import_id: value.id } }),
})

interface BeginImportParams {
  readonly upload_id?: string | undefined
  readonly path_id?: string | undefined
}

interface Archive {
  readonly name: string
  readonly path: string
  readonly size: number
}

/** Returns the archive. One that was uploaded for imports is kept for longer. */
function archiveOf(tx: RealmTransaction, userId: number, { upload_id, path_id }: BeginImportParams): Archive {
  if (upload_id !== undefined) {
    const upload = requireImportUpload(tx, upload_id)
    if (upload.received < upload.length) throw new BadRequestError('The archive is not completely uploaded')
    keepImportUpload(tx, upload)
    return { name: upload.name, path: pathOfImportUpload(tx, upload), size: upload.length }
  }
  const file = path_id === undefined ? undefined : findAttachmentAt(tx.sql, path_id)
  if (file?.ownerId !== userId) throw new BadRequestError('You have uploaded no such file')
  return file
}
