import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChangeIn } from '../../events/event-type.ts'
import { navigationViewSchema, type StoredNavigationViewEvent } from '../../events/personal.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  deleteNavigationView,
  listNavigationViews,
  type NavigationView,
  putNavigationView,
} from '../../store/personal/personal-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Gets the caller's settings for the views in the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const getNavigationViewsEndpoint = defineEndpoint({
  operation: 'get-navigation-views',
  route: 'GET /navigation_views',
  access: 'user',
  returns: v.object({ navigation_views: v.array(navigationViewSchema) }),
  query({ sql }, { user }) {
    return { navigation_views: listNavigationViews(sql, user.id) }
  },
})

const MAX_NAME_LENGTH = 100

const viewName = trimmedTextUpTo(MAX_NAME_LENGTH)
const MAX_FRAGMENT_LENGTH = 1_000

const fragment = v.pipe(trimmedTextUpTo(MAX_FRAGMENT_LENGTH), v.nonEmpty())

/** Adds a view to the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const addNavigationViewEndpoint = defineEndpoint({
  operation: 'add-navigation-view',
  route: 'POST /navigation_views',
  access: 'user',
  growsObject: true,
  params: { fragment, is_pinned: jsonBoolean, name: v.optional(viewName) },
  apply(tx, caller, { fragment, is_pinned, name }) {
    const { user } = caller
    if (find(tx, user, fragment)) throw new BadRequestError('Navigation view already exists.')
    requireName(fragment, name)
    const view = { fragment, is_pinned, name: name ?? null }
    withinQuota(tx, caller, 'views', () => putNavigationView(tx.sql, user.id, view))
    announce(tx, user, { op: 'add', navigation_view: view })
  },
  audit: 'own',
})

/** Changes a view in the sidebar. Equal values emit no event. Source: docs/interface/personal.md#navigation-views. */
export const updateNavigationViewEndpoint = defineEndpoint({
  operation: 'update-navigation-view',
  route: 'PATCH /navigation_views/:fragment',
  access: 'user',
  params: { fragment, is_pinned: v.optional(jsonBoolean), name: v.optional(viewName) },
  apply(tx, caller, { fragment, is_pinned, name }) {
    const { user } = caller
    const view = requireView(tx, user, fragment)
    if (name !== undefined) requireName(fragment, name)
    const data = {
      ...(is_pinned === undefined || is_pinned === view.is_pinned ? {} : { is_pinned }),
      ...(name === undefined || name === view.name ? {} : { name }),
    }
    if (Object.keys(data).length === 0) return
    withinQuota(tx, caller, 'views', () => putNavigationView(tx.sql, user.id, { ...view, ...data }))
    announce(tx, user, { op: 'update', fragment, data })
  },
  audit: 'own',
})

/** Removes a view from the sidebar. Source: docs/interface/personal.md#navigation-views. */
export const removeNavigationViewEndpoint = defineEndpoint({
  operation: 'remove-navigation-view',
  route: 'DELETE /navigation_views/:fragment',
  access: 'user',
  params: { fragment },
  apply(tx, { user }, { fragment }) {
    requireView(tx, user, fragment)
    deleteNavigationView(tx.sql, user.id, fragment)
    announce(tx, user, { op: 'remove', fragment })
  },
  audit: 'own',
})

/** Views that every client has, and names itself. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/is/starred',
  'narrow/is/mentioned',
  'narrow/has/reaction/sender/me',
])

function find({ sql }: RealmReads, user: User, fragment: string): NavigationView | undefined {
  return listNavigationViews(sql, user.id).find((view) => view.fragment === fragment)
}

function requireView(tx: RealmReads, user: User, fragment: string): NavigationView {
  const view = find(tx, user, fragment)
  if (!view) throw new NotFoundError('Navigation view does not exist.')
  return view
}

function requireName(fragment: string, name: string | undefined): void {
  if (BUILT_IN.has(fragment)) {
    if (name !== undefined) throw new BadRequestError('Built-in views cannot have a custom name.')
  } else if (name === undefined || name === '') {
    throw new BadRequestError('Custom views must have a valid name.')
  }
}

function announce(tx: RealmTransaction, user: User, change: ChangeIn<StoredNavigationViewEvent>): void {
  tx.emit({ type: 'navigation_view', ...change }, toUsers(user.id))
}
