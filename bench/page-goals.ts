/** The goals for how long a reader waits for the page, on an idle machine. */

/** The goals for an organization, in ms. */
export interface PageGoals {
  readonly firstMessages: number
  readonly firstMessagesSlowly: number
}

export const DEMO_GOALS: PageGoals = { firstMessages: 1_000, firstMessagesSlowly: 3_000 }
export const LARGE_PAGE_GOALS: PageGoals = { firstMessages: 2_500, firstMessagesSlowly: 6_000 }
export const OPEN_GOAL_MS = 100
export const EVENT_GOAL_MS = 50
export const FRAME_GOAL_MS = 100
