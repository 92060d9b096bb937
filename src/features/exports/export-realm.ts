import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { wordOrJson } from '../../api/parameter-types.ts'
import { EXPORT_TYPE_WORDS } from '../../events/realm-export.ts'
import { exportRealm, exportTypeOf } from '../../model/exports/export-realm.ts'
import { EXPORT_TYPES } from '../../store/exports/export-rows.ts'

/** Begins an archive of the organization's data. Source: docs/interface/administration.md#exports. */
export const exportRealmEndpoint = defineEndpoint({
  operation: 'export-realm',
  method: 'POST',
  path: '/export/realm',
  access: 'administrator',
  needsProof: ({ export_type }) => exportTypeOf(export_type) !== EXPORT_TYPES.public,
  growsObject: true,
  params: {
    export_type: v.pipe(
      v.optional(
        wordOrJson(
          Object.values(EXPORT_TYPE_WORDS),
          v.picklist([EXPORT_TYPES.public, EXPORT_TYPES.standard]),
        ),
        'public',
      ),
      v.description(
        '`public`, or 1, exports public data; `full_with_consent`, or 2, also the private data of users who consent. `full_without_consent` those of everybody, for owners where `realm_owner_full_content_access` is true.',
      ),
    ),
  },
  returns: v.object({ id: v.number() }),
  command: exportRealm,
  audit: ({ params, value }) => ({
    action: 'export_begun',
    details: { export_id: value.id, export_type: exportTypeOf(params.export_type) },
  }),
})
