import { listNavigationViews } from '../navigation-views/navigation-view-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `navigation_views`: what the caller has set for views. */
export const navigationViewsSnapshot: Snapshot = ({ sql }, { user }) => ({
  navigation_views: listNavigationViews(sql, user.id),
})
