import * as v from 'valibot'
import { createDrafts } from '../../domain/drafts/change-drafts.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { LONGEST_HANDMADE_LIST } from '../input-limits.ts'
import { json, listUpTo } from '../parameter-types.ts'
import { givenDraft } from './draft-parameters.ts'

/** Stores drafts; answers their ids in the same order. Source: docs/interface/personal.md#drafts. */
export const createDraftsEndpoint = defineEndpoint({
  operation: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  access: 'user',
  growsObject: true,
  params: { drafts: json(listUpTo(LONGEST_HANDMADE_LIST, givenDraft)) },
  returns: v.object({ ids: v.array(v.number()) }),
  command: createDrafts,
  audit: 'own',
})
