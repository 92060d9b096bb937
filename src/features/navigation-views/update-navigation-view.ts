import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { fragment, updateNavigationView, viewName } from './change-navigation-views.ts'

/** Changes a view in the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const updateNavigationViewEndpoint = defineEndpoint({
  operation: 'update-navigation-view',
  method: 'PATCH',
  path: '/navigation_views/:fragment',
  access: 'user',
  params: { fragment, is_pinned: v.optional(jsonBoolean), name: v.optional(viewName) },
  returns: v.object({}),
  command: updateNavigationView,
  audit: 'own',
})
