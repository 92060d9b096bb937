import * as v from 'valibot'
import { deleteDraft } from '../../domain/drafts/change-drafts.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes a draft. Source: docs/interface/personal.md#drafts. */
export const deleteDraftEndpoint = defineEndpoint({
  operation: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/:draft_id',
  access: 'user',
  params: { draft_id: pathInteger },
  returns: v.object({}),
  command: deleteDraft,
  audit: 'own',
})
