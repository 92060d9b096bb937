import type { Endpoint } from '../../api/define-endpoint.ts'
import { addNavigationViewEndpoint } from './add-navigation-view.ts'
import { getNavigationViewsEndpoint } from './get-navigation-views.ts'
import { removeNavigationViewEndpoint } from './remove-navigation-view.ts'
import { updateNavigationViewEndpoint } from './update-navigation-view.ts'

export const NAVIGATION_VIEW_ENDPOINTS: readonly Endpoint[] = [
  addNavigationViewEndpoint,
  getNavigationViewsEndpoint,
  removeNavigationViewEndpoint,
  updateNavigationViewEndpoint,
]
