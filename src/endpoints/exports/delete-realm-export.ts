import * as v from 'valibot'
import { deleteRealmExport } from '../../domain/exports/delete-realm-export.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes the archive of an export. Source: docs/interface/administration.md#exports. */
export const deleteRealmExportEndpoint = defineEndpoint({
  operation: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/:export_id',
  access: 'administrator',
  params: { export_id: pathInteger },
  returns: v.object({}),
  command: deleteRealmExport,
  audit: ({ params }) => ({
    action: 'export_deleted',
    details: { export_id: params.export_id },
  }),
})
