import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { assert, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { WEEK } from '../../core/time.ts'
import { EXPORT_TYPE_WORDS } from '../../events/realm-lists.ts'
import type { Actor } from '../../rules/access.ts'
import { requireOwner } from '../../rules/roles.ts'
import {
  consentingIds,
  countExportsSince,
  EXPORT_TYPES,
  type ExportType,
  everybodysIds,
  FIRST_PROGRESS,
  insertExport,
} from '../../store/exports/export-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import type { Caller } from '../caller.ts'
import { announceExports } from './finished-exports.ts'

const EXPORTS_A_WEEK = 5

interface ExportRealmParams {
  /** A number, or the newer word for it. */
  readonly export_type: ExportType | ExportTypeWord
}

type ExportTypeWord = (typeof EXPORT_TYPE_WORDS)[ExportType]

export function exportTypeOf(given: ExportRealmParams['export_type']): ExportType {
  const type = Object.values(EXPORT_TYPES).find((type) => type === given || EXPORT_TYPE_WORDS[type] === given)
  assert(type !== undefined, 'an export of an unknown type')
  return type
}

/** The users whose private data an export of each type contains. */
const CONTRIBUTORS: Readonly<Record<ExportType, (sql: Sql) => readonly number[]>> = {
  [EXPORT_TYPES.public]: () => [],
  [EXPORT_TYPES.standard]: consentingIds,
  [EXPORT_TYPES.whole]: everybodysIds,
}

/** Only owners may export everyone's private data, and only where the deployment allows it. */
function requireFullContentAccess(actor: Actor, source: RequestSource): void {
  requireOwner(actor)
  if (!deploymentOf(source).hasFullContentAccess) {
    throw new BadRequestError('Owners of this organization have no access to private data without consent.')
  }
}

/** Starts an export of the organization's data. Source: docs/interface/administration.md#exports. */
export function exportRealm(
  tx: RealmTransaction,
  { user, actor, source }: Caller,
  params: ExportRealmParams,
): { readonly id: number } {
  const type = exportTypeOf(params.export_type)
  if (type === EXPORT_TYPES.whole) requireFullContentAccess(actor, source)
  if (countExportsSince(tx.sql, tx.now - WEEK) >= EXPORTS_A_WEEK) {
    throw new BadRequestError('Exceeded rate limit.')
  }
  const id = insertExport(tx.sql, {
    type,
    actingUserId: user.id,
    origin: source.origin,
    secret: tx.randomHex(24),
    newestMessageId: newestMessageId(tx.sql),
    consenting: CONTRIBUTORS[type](tx.sql),
    startedAt: tx.now,
    progress: FIRST_PROGRESS,
  })
  tx.schedule({ kind: 'export-organization', key: '', dueAt: tx.now })
  announceExports(tx)
  return { id }
}
