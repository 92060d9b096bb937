import * as v from 'valibot'
import { updateNavigationView } from '../../domain/navigation-views/change-navigation-views.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'
import { fragment, viewName } from './view-parameters.ts'

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
