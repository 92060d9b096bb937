import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { createSnippet, snippetContent, snippetTitle } from './change-snippets.ts'

/** Saves a text for later. Source: docs/interface/personal.md#saved-snippets. */
export const createSnippetEndpoint = defineEndpoint({
  operation: 'create-snippet',
  method: 'POST',
  path: '/saved_snippets',
  access: 'user',
  growsObject: true,
  params: { title: snippetTitle, content: snippetContent },
  returns: v.object({ saved_snippet_id: v.number() }),
  command: createSnippet,
  audit: 'own',
})
