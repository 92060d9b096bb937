import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { exportFor, exportTypeSchema } from '../../events/realm-export.ts'
import type { Caller } from '../../model/caller.ts'
import { presentExports } from '../../model/exports/announce-exports.ts'
import { listExports } from '../../store/exports/export-rows.ts'

/** UNIX seconds, with fraction. */
const time = v.nullable(v.number())

/** Lists all exports of the organization, the oldest first. Source: docs/interface/administration.md#exports. */
export const getRealmExportsEndpoint = defineEndpoint({
  operation: 'get-realm-exports',
  method: 'GET',
  path: '/export/realm',
  access: 'administrator',
  params: {},
  returns: v.object({
    exports: v.array(
      v.object({
        id: v.number(),
        acting_user_id: v.number(),
        export_time: v.number(),
        deleted_timestamp: time,
        failed_timestamp: time,
        export_url: v.nullable(v.string()),
        pending: v.boolean(),
        export_type: exportTypeSchema,
        export_from_prior_server: v.boolean(),
      }),
    ),
  }),
  command: { apply: getRealmExports },
})

function getRealmExports(
  tx: RealmTransaction,
  { user, source }: Caller,
): { readonly exports: ReturnType<typeof exportFor>[] } {
  return {
    exports: presentExports(tx, user, listExports(tx.sql)).map((exported) => exportFor(source, exported)),
  }
}
