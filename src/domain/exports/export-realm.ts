import type { Command } from '../../core/command.ts'
import { assert, BadRequestError } from '../../core/errors.ts'
import { WEEK } from '../../core/time.ts'
import { EXPORT_TYPE_WORDS } from '../../events/realm-export.ts'
import { requireOwner } from '../../permissions/role-rules.ts'
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
  /** A number, or the newer word for it. */
  readonly export_type: ExportType | ExportTypeWord | typeof WITHOUT_CONSENT
}

/** All private data: only for owners of organizations in which these may read everything (`realm_owner_full_content_access`). None is. */
export const WITHOUT_CONSENT = 'full_without_consent'

type ExportTypeWord = (typeof EXPORT_TYPE_WORDS)[ExportType]

export function exportTypeOf(given: ExportRealmParams['export_type']): ExportType {
  const type = Object.values(EXPORT_TYPES).find((type) => type === given || EXPORT_TYPE_WORDS[type] === given)
  assert(type !== undefined, 'an export of an unknown type')
  return type
}

/** Starts an export of the organization's data. Source: docs/interface/administration.md#exports. */
export const exportRealm: Command<Caller, ExportRealmParams, void, { readonly id: number }> = {
  apply(tx, { user, actor, source }, params) {
    if (params.export_type === WITHOUT_CONSENT) {
      requireOwner(actor)
      throw new BadRequestError('Owners of this organization have no access to private data without consent.')
    }
    const type = exportTypeOf(params.export_type)
    if (countExportsSince(tx.sql, tx.now - WEEK) >= EXPORTS_A_WEEK) {
      throw new BadRequestError('Exceeded rate limit.')
    }
    const id = insertExport(tx.sql, {
      type,
      actingUserId: user.id,
      origin: source.origin,
      secret: tx.randomHex(24),
      newestMessageId: newestMessageId(tx.sql),
      consenting: type === EXPORT_TYPES.public ? [] : consentingIds(tx.sql),
      startedAt: tx.now,
      progress: FIRST_PROGRESS,
    })
    tx.schedule({ kind: EXPORT_ORGANIZATION, key: '', dueAt: tx.now })
    announceExports(tx)
    return { id }
  },
}
