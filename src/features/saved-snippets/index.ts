import type { Endpoint } from '../../api/define-endpoint.ts'
import { createSnippetEndpoint } from './create-snippet.ts'
import { deleteSnippetEndpoint } from './delete-snippet.ts'
import { editSnippetEndpoint } from './edit-snippet.ts'
import { listSnippetsEndpoint } from './list-snippets.ts'

export const SAVED_SNIPPET_ENDPOINTS: readonly Endpoint[] = [
  createSnippetEndpoint,
  deleteSnippetEndpoint,
  editSnippetEndpoint,
  listSnippetsEndpoint,
]
