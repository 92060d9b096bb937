import * as v from 'valibot'
import { editDraft } from '../../domain/drafts/change-drafts.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { json, pathInteger } from '../parameter-types.ts'
import { givenDraft } from './draft-parameters.ts'

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
