import * as v from 'valibot'
import { getRealmExportConsents } from '../../domain/exports/get-realm-export-consents.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/**
 * Lists which users let administrators export their private data. Source:
 * docs/interface/administration.md#exports.
 */
export const getRealmExportConsentsEndpoint = defineEndpoint({
  operation: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  access: 'administrator',
  params: {},
  returns: v.object({
    export_consents: v.array(
      v.object({ user_id: v.number(), consented: v.boolean(), email_address_visibility: v.number() }),
    ),
  }),
  command: getRealmExportConsents,
})
