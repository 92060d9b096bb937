import * as v from 'valibot'
import { createDrafts } from '../../domain/drafts/change-drafts.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../input-limits.ts'
import { json, listUpTo } from '../parameter-types.ts'
import { givenDraft } from './draft-parameters.ts'

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
