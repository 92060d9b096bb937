import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { json, listUpTo } from '../../api/parameter-types.ts'
import { createDrafts, givenDraft } from './change-drafts.ts'

/** Stores drafts; answers their ids in the same order. Source: docs/interface/personal.md#drafts. */
export const createDraftsEndpoint = defineEndpoint({
  operation: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  access: 'user',
  growsObject: true,
  params: { drafts: json(listUpTo(MAX_HANDMADE_LIST_LENGTH, givenDraft)) },
  returns: v.object({ ids: v.array(v.number()) }),
  command: createDrafts,
  audit: 'own',
})
