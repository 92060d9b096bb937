import * as v from 'valibot'
import { removeNavigationView } from '../../domain/navigation-views/change-navigation-views.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { fragment } from './view-parameters.ts'

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
