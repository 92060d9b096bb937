import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { editSnippet, snippetContent, snippetTitle } from './change-snippets.ts'

/** Changes a snippet. Source: docs/interface/personal.md#saved-snippets. */
export const editSnippetEndpoint = defineEndpoint({
  operation: 'edit-snippet',
  method: 'PATCH',
  path: '/saved_snippets/:saved_snippet_id',
  access: 'user',
  growsObject: true,
  params: {
    saved_snippet_id: pathInteger,
    title: v.optional(snippetTitle),
    content: v.optional(snippetContent),
  },
  returns: v.object({}),
  command: editSnippet,
  audit: 'own',
})
