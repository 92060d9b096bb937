import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { fragment, removeNavigationView } from './change-navigation-views.ts'

/** Removes a view from the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const removeNavigationViewEndpoint = defineEndpoint({
  operation: 'remove-navigation-view',
  method: 'DELETE',
  path: '/navigation_views/:fragment',
  access: 'user',
  params: { fragment },
  returns: v.object({}),
  command: removeNavigationView,
  audit: 'own',
})
