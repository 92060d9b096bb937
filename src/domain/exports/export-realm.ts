import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { WEEK } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import { announceExports } from './announce-exports.ts'
import { consentingIds } from './consent-rows.ts'
import { FIRST_PROGRESS } from './export-progress.ts'
import { countExportsSince, EXPORT_TYPES, type ExportType, insertExport } from './export-rows.ts'

/** The job that makes archives, one after the other. */
export const EXPORT_ORGANIZATION = 'export-organization'

const EXPORTS_A_WEEK = 5

export interface ExportRealmParams {
  readonly export_type: ExportType
}

/** Starts an export of the organization's data. Source: docs/interface/administration.md#exports. */
export const exportRealm: Command<Caller, ExportRealmParams, void, { readonly id: number }> = {
  apply(tx, { user, source }, { export_type }) {
    if (countExportsSince(tx.sql, tx.now - WEEK) >= EXPORTS_A_WEEK) {
      throw new BadRequestError('Exceeded rate limit.')
    }
    const id = insertExport(tx.sql, {
      type: export_type,
      actingUserId: user.id,
      origin: source.origin,
      secret: tx.randomHex(24),
      newestMessageId: newestMessageId(tx.sql),
      consenting: export_type === EXPORT_TYPES.public ? [] : consentingIds(tx.sql),
      startedAt: tx.now,
      progress: FIRST_PROGRESS,
    })
    tx.schedule({ kind: EXPORT_ORGANIZATION, key: '', dueAt: tx.now })
    announceExports(tx)
    return { id }
  },
}
