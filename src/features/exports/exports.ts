import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { described, pathInteger, wordOrJson } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { assert, BadRequestError, NotFoundError } from '../../core/errors.ts'
import { defineReader } from '../../core/reader.ts'
import { secretText } from '../../core/secret-text.ts'
import type { Sql } from '../../core/sql.ts'
import { WEEK } from '../../core/time.ts'
import { EXPORT_TYPE_WORDS, exportFor, exportTypeSchema } from '../../events/realm-lists.ts'
import {
  announceExports,
  deleteArchive,
  findExportAt,
  presentExports,
} from '../../model/exports/finished-exports.ts'
import { isProven } from '../../model/second-factors/proven-browser.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import type { Actor } from '../../rules/access.ts'
import { requireOwner } from '../../rules/roles.ts'
import {
  archiveKey,
  archiveName,
  consentingIds,
  countExportsSince,
  EXPORT_TYPES,
  type ExportType,
  everybodysIds,
  FIRST_PROGRESS,
  findExport,
  insertExport,
  listExports,
} from '../../store/exports/export-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersAbove, type Profile } from '../../store/users/user-rows.ts'

/** UNIX seconds, with fraction. */
const time = v.nullable(v.number())

/** Lists the organization's exports, oldest first. Source: docs/interface/administration.md#exports. */
export const getRealmExportsEndpoint = defineEndpoint({
  operation: 'get-realm-exports',
  route: 'GET /export/realm',
  access: 'administrator',
  returns: v.object({
    exports: v.array(
      v.object({
        id: v.number(),
        acting_user_id: v.number(),
        export_time: v.number(),
        deleted_timestamp: time,
        failed_timestamp: time,
        export_url: v.nullable(secretText()),
        pending: v.boolean(),
        export_type: exportTypeSchema,
        export_from_prior_server: v.boolean(),
      }),
    ),
  }),
  apply: (tx, { user, source }) => ({
    exports: presentExports(tx, user, listExports(tx.sql)).map((exported) =>
      exportFor(source, exported, isProven(tx, source)),
    ),
  }),
})

/** Begins an export of the organization's data. Source: docs/interface/administration.md#exports. */
export const exportRealmEndpoint = defineEndpoint({
  operation: 'export-realm',
  route: 'POST /export/realm',
  access: 'administrator',
  needsProof: ({ export_type }) => exportTypeOf(export_type) !== EXPORT_TYPES.public,
  growsObject: true,
  params: {
    export_type: described(
      v.optional(
        wordOrJson(
          Object.values(EXPORT_TYPE_WORDS),
          v.picklist([EXPORT_TYPES.public, EXPORT_TYPES.standard]),
        ),
        'public',
      ),
      '`public`, or 1, exports public data; `full_with_consent`, or 2, also the private data of users who consent. `full_without_consent` those of everybody, for owners where `realm_owner_full_content_access` is true.',
    ),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, { user, actor, source }, params) {
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
  },
  audit: ({ params, value }) => ({
    action: 'export_begun',
    details: { export_id: value.id, export_type: exportTypeOf(params.export_type) },
  }),
})

/** Deletes an archive: its URL is invalid at once, its bytes are deleted later. Source: docs/interface/administration.md#exports. */
export const deleteRealmExportEndpoint = defineEndpoint({
  operation: 'delete-realm-export',
  route: 'DELETE /export/realm/:export_id',
  access: 'administrator',
  params: { export_id: pathInteger },
  apply(tx, _administrator, { export_id }) {
    const exported = findExport(tx.sql, export_id)
    if (!exported) throw new BadRequestError('Invalid data export ID')
    if (exported.deletedAt !== null) throw new BadRequestError('Export already deleted')
    if (exported.failedAt !== null) throw new BadRequestError('Export failed, nothing to delete')
    if (exported.finishedAt === null) throw new BadRequestError('Export still in progress')
    deleteArchive(tx, exported)
  },
  audit: ({ params }) => ({
    action: 'export_deleted',
    details: { export_id: params.export_id },
  }),
})

/**
 * Lists everyone with an active account, and whether they consent to exports of private data. Source:
 * docs/interface/administration.md#exports.
 */
export const getRealmExportConsentsEndpoint = defineEndpoint({
  operation: 'get-realm-export-consents',
  route: 'GET /export/realm/consents',
  access: 'administrator',
  returns: v.object({
    export_consents: v.array(
      v.object({ user_id: v.number(), consented: v.boolean(), email_address_visibility: v.number() }),
    ),
  }),
  query: (tx) => ({ export_consents: tx.use(consents, undefined) }),
})

interface ExportConsent {
  readonly user_id: number
  readonly consented: boolean
  readonly email_address_visibility: number
}

const USERS_AT_A_TIME = 200

const consents = defineReader({
  name: 'consents to exports',
  // Accounts change all the time, and this is only displayed.
  allowStale: true,
  key: () => '',
  *read({ sql }) {
    const found: ExportConsent[] = []
    for (let above = 0; ; ) {
      const users = listUsersAbove(sql, above, USERS_AT_A_TIME)
      found.push(...consentsOf(users))
      if (users.length < USERS_AT_A_TIME) return found
      above = users.at(-1)!.id
      yield
    }
  },
})

function consentsOf(users: readonly Profile[]): ExportConsent[] {
  return users
    .filter(({ isActive, botType }) => isActive && botType === null)
    .map((user) => ({
      user_id: user.id,
      consented: userSetting(user, 'allow_private_data_export'),
      email_address_visibility: userSetting(user, 'email_address_visibility'),
    }))
}

/** Finds the archive at a URL, for anyone who knows it. */
export const findExportStep = defineStep({
  operation: 'find-export',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, _anybody, { secret }): StoredFile {
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
  audit: ({ view, params }) => ({
    action: 'export_downloaded',
    details: { export_id: findExportAt(view, params.secret)!.id },
  }),
})

const EXPORTS_A_WEEK = 5

/** @param given a number, or the newer word for it */
function exportTypeOf(given: ExportType | (typeof EXPORT_TYPE_WORDS)[ExportType]): ExportType {
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
