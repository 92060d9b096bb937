import type { Command } from '../../core/command.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { Caller } from '../caller.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/** Facts that the page of a web client gets besides its snapshot. */
export interface PageFacts {
  readonly realm_name: string
  readonly default_language: string
  readonly color_scheme: number
  /** Time at which the reader was last active anywhere, in UNIX seconds, or null. */
  readonly furthest_read_time: number | null
}

/**
 * Gets the page's facts about the organization, and about the person at the browser. Source:
 * docs/interface/browsers.md#page-parameters.
 */
export const getPageFacts: Command<Caller, unknown, void, PageFacts> = {
  apply: (tx, { user }) => ({
    realm_name: realmProperty(tx.sql, 'name'),
    default_language: userSetting(user, 'default_language'),
    color_scheme: userSetting(user, 'color_scheme'),
    furthest_read_time: tx.recall(PRESENCE).of(user.id)?.activeAt ?? null,
  }),
}
