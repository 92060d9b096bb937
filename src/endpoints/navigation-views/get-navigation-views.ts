import * as v from 'valibot'
import { getNavigationViews } from '../../domain/navigation-views/change-navigation-views.ts'
import { navigationViewSchema } from '../../events/navigation-view.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Gets the caller's settings of the views in the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const getNavigationViewsEndpoint = defineEndpoint({
  operation: 'get-navigation-views',
  method: 'GET',
  path: '/navigation_views',
  access: 'user',
  params: {},
  returns: v.object({ navigation_views: v.array(navigationViewSchema) }),
  command: getNavigationViews,
})
