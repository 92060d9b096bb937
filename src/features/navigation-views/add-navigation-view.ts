import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { addNavigationView, fragment, viewName } from './change-navigation-views.ts'

/** Adds a view to the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const addNavigationViewEndpoint = defineEndpoint({
  operation: 'add-navigation-view',
  method: 'POST',
  path: '/navigation_views',
  access: 'user',
  growsObject: true,
  params: { fragment, is_pinned: jsonBoolean, name: v.optional(viewName) },
  returns: v.object({}),
  command: addNavigationView,
  audit: 'own',
})
