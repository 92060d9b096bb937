import { defineEndpoint } from '../../api/define-endpoint.ts'
import { draftList, listOwnDrafts } from './change-drafts.ts'

/** The caller's drafts. Source: docs/interface/personal.md#drafts. */
export const listDraftsEndpoint = defineEndpoint({
  operation: 'list-drafts',
  method: 'GET',
  path: '/drafts',
  access: 'user',
  params: {},
  returns: draftList,
  command: listOwnDrafts,
})
