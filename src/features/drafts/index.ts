import type { Endpoint } from '../../api/define-endpoint.ts'
import { createDraftsEndpoint } from './create-drafts.ts'
import { deleteDraftEndpoint } from './delete-draft.ts'
import { editDraftEndpoint } from './edit-draft.ts'
import { listDraftsEndpoint } from './list-drafts.ts'

export const DRAFT_ENDPOINTS: readonly Endpoint[] = [
  createDraftsEndpoint,
  deleteDraftEndpoint,
  editDraftEndpoint,
  listDraftsEndpoint,
]
