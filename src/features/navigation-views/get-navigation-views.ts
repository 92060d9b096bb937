import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { navigationViewSchema } from '../../events/navigation-view.ts'
import { getNavigationViews } from './change-navigation-views.ts'

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
