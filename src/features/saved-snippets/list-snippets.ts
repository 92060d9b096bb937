import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { savedSnippetSchema } from '../../events/saved-snippets.ts'
import { listSnippets } from './change-snippets.ts'

/** The caller's snippets. Source: docs/interface/personal.md#saved-snippets. */
export const listSnippetsEndpoint = defineEndpoint({
  operation: 'list-snippets',
  method: 'GET',
  path: '/saved_snippets',
  access: 'user',
  params: {},
  returns: v.object({ saved_snippets: v.array(savedSnippetSchema) }),
  command: listSnippets,
})
