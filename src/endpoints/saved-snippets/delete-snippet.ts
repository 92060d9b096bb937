import * as v from 'valibot'
import { deleteSnippet } from '../../domain/saved-snippets/change-snippets.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

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
