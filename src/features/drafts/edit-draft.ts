import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { json, pathInteger } from '../../api/parameter-types.ts'
import { editDraft, givenDraft } from './change-drafts.ts'

/** Replaces a draft. Source: docs/interface/personal.md#drafts. */
export const editDraftEndpoint = defineEndpoint({
  operation: 'edit-draft',
  method: 'PATCH',
  path: '/drafts/:draft_id',
  access: 'user',
  growsObject: true,
  params: { draft_id: pathInteger, draft: json(givenDraft) },
  returns: v.object({}),
  command: editDraft,
  audit: 'own',
})
