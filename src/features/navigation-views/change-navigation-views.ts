import * as v from 'valibot'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredNavigationViewEvent } from '../../events/navigation-view.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  deleteNavigationView,
  listNavigationViews,
  type NavigationView,
  putNavigationView,
} from '../../store/navigation-views/navigation-view-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

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

/** Gets the caller's settings of views. Source: docs/interface/personal.md#navigation-views. */
export const getNavigationViews: ReadCommand<Caller, unknown, void, { navigation_views: NavigationView[] }> =
  {
    reads: true,
    apply({ sql }, { user }) {
      return { navigation_views: listNavigationViews(sql, user.id) }
    },
  }

interface AddNavigationViewParams {
  readonly fragment: string
  readonly is_pinned: boolean
  readonly name?: string
}

const MAX_NAME_LENGTH = 100
const MAX_FRAGMENT_LENGTH = 1_000

export const fragment = v.pipe(trimmedTextUpTo(MAX_FRAGMENT_LENGTH), v.nonEmpty())
export const viewName = trimmedTextUpTo(MAX_NAME_LENGTH)

export const addNavigationView: Command<Caller, AddNavigationViewParams, void, object> = {
  apply(tx, caller, { fragment, is_pinned, name }) {
    const { user } = caller
    if (find(tx, user, fragment)) throw new BadRequestError('Navigation view already exists.')
    requireName(fragment, name)
    const view = { fragment, is_pinned, name: name ?? null }
    withinQuota(tx, caller, 'views', () => putNavigationView(tx.sql, user.id, view))
    announce(tx, user, { op: 'add', navigation_view: view })
    return {}
  },
}

interface UpdateNavigationViewParams {
  readonly fragment: string
  readonly is_pinned?: boolean
  readonly name?: string
}

/** Changes a view. Equal values are no change, and emit no event. */
export const updateNavigationView: Command<Caller, UpdateNavigationViewParams, void, object> = {
  apply(tx, caller, { fragment, is_pinned, name }) {
    const { user } = caller
    const view = requireView(tx, user, fragment)
    if (name !== undefined) requireName(fragment, name)
    const data = {
      ...(is_pinned === undefined || is_pinned === view.is_pinned ? {} : { is_pinned }),
      ...(name === undefined || name === view.name ? {} : { name }),
    }
    if (Object.keys(data).length === 0) return {}
    withinQuota(tx, caller, 'views', () => putNavigationView(tx.sql, user.id, { ...view, ...data }))
    announce(tx, user, { op: 'update', fragment, data })
    return {}
  },
}

export const removeNavigationView: Command<Caller, { readonly fragment: string }, void, object> = {
  apply(tx, { user }, { fragment }) {
    requireView(tx, user, fragment)
    deleteNavigationView(tx.sql, user.id, fragment)
    announce(tx, user, { op: 'remove', fragment })
    return {}
  },
}

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

function announce(tx: RealmTransaction, user: User, change: Omit<StoredNavigationViewEvent, 'type'>): void {
  const event: StoredNavigationViewEvent = { type: 'navigation_view', ...change }
  tx.emit(event, toUsers(user.id))
}
