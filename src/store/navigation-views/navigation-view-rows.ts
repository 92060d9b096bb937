import type { Sql, WritableSql } from '../../core/sql.ts'

/** A view in a user's sidebar in the API's form. Source: docs/interface/personal.md#navigation-views. */
export interface NavigationView {
  /** Part of the web application's address behind `#`. */
  readonly fragment: string
  readonly is_pinned: boolean
  /** Null for views that clients name themselves. */
  readonly name: string | null
}

interface NavigationViewRow {
  fragment: string
  is_pinned: number
  name: string | null
}

/** Lists a user's navigation views, by fragment. The table `navigation_view` is owned by this file. */
export function listNavigationViews(sql: Sql, userId: number): NavigationView[] {
  return sql
    .all<NavigationViewRow & Record<string, string | number | null>>(
      `SELECT fragment, is_pinned, name FROM navigation_view WHERE user_id = ? ORDER BY fragment`,
      userId,
    )
    .map(({ fragment, is_pinned, name }) => ({ fragment, is_pinned: is_pinned === 1, name }))
}

export function putNavigationView(sql: WritableSql, userId: number, view: NavigationView): void {
  sql.run(
    `INSERT INTO navigation_view (user_id, fragment, is_pinned, name) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = ?3, name = ?4`,
    userId,
    view.fragment,
    Number(view.is_pinned),
    view.name,
  )
}

export function deleteNavigationView(sql: WritableSql, userId: number, fragment: string): void {
  sql.run(`DELETE FROM navigation_view WHERE user_id = ? AND fragment = ?`, userId, fragment)
}
