import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { deleteSnippet } from './change-snippets.ts'

/** Deletes a snippet. Source: docs/interface/personal.md#saved-snippets. */
export const deleteSnippetEndpoint = defineEndpoint({
  operation: 'delete-snippet',
  method: 'DELETE',
  path: '/saved_snippets/:saved_snippet_id',
  access: 'user',
  params: { saved_snippet_id: pathInteger },
  returns: v.object({}),
  command: deleteSnippet,
  audit: 'own',
})
