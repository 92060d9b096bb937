import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { deleteDraft } from './change-drafts.ts'

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
