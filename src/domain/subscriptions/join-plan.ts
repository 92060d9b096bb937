import { CHANNELS_IN_ONE_COMMIT, SUBSCRIPTIONS_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'

/** Channel names by user id. */
export type NamesByUser = Record<string, string[]>

export interface SubscribeResult {
  readonly subscribed: NamesByUser
  readonly already_subscribed: NamesByUser
  /** Names of the channels left out, when refusals do not stop the rest. */
  readonly unauthorized?: readonly string[]
  readonly new_subscription_messages_sent?: boolean
}

/**
 * The users and channels that a commit leaves to the next, with the result so far. The Worker has it, and passes a part of it to each
 * commit, so that no turn of the object reads and writes thousands of users and names for the few that it subscribes.
 */
export interface JoinPlan {
  /** Everybody who joins the remaining channels. */
  readonly userIds: readonly number[]
  readonly channels: readonly { readonly id: number; readonly color?: string | undefined }[]
  /** Number of the channels that are being joined, and of the users who are in them already. */
  readonly part?: { readonly channels: number; readonly users: number } | undefined
  /** Channels that the first commit made, and of which the last notifies people. */
  readonly createdIds: readonly number[]
  readonly announce: boolean
  readonly result: SubscribeResult
}

/** The plan that a commit leaves to the next. */
export interface PartlySubscribed {
  readonly rest: JoinPlan
}

/** What one commit has done: its first users have joined its first channels. */
export interface JoinedPart {
  readonly joined: {
    readonly channels: number
    readonly users: number
    readonly result: Pick<SubscribeResult, 'subscribed' | 'already_subscribed'>
  }
}

/** Returns what the next commit does at most: a plan for as many users and channels as one takes. With all joined, the notices are left. */
export function nextOfJoin(plan: JoinPlan): JoinPlan {
  const { userIds, channels, part } = plan
  if (channels.length === 0) return { ...plan, userIds: [] }
  const from = part?.users ?? 0
  return {
    userIds: userIds.slice(from, from + SUBSCRIPTIONS_IN_ONE_COMMIT),
    channels: channels.slice(0, part?.channels ?? CHANNELS_IN_ONE_COMMIT),
    part: part && { channels: part.channels, users: 0 },
    createdIds: [],
    announce: false,
    result: { subscribed: {}, already_subscribed: {} },
  }
}

/** Returns what is left of a plan: all users join some of the channels, a part of them after the other, and then the next ones. */
export function afterJoining(
  plan: JoinPlan,
  { joined: { channels, users, result: added } }: JoinedPart,
): JoinPlan {
  const result = {
    ...plan.result,
    subscribed: together(plan.result.subscribed, added.subscribed),
    already_subscribed: together(plan.result.already_subscribed, added.already_subscribed),
  }
  const upTo = (plan.part?.users ?? 0) + users
  if (upTo < plan.userIds.length) return { ...plan, result, part: { channels, users: upTo } }
  return { ...plan, result, channels: plan.channels.slice(channels), part: undefined }
}

function together(before: NamesByUser, added: NamesByUser): NamesByUser {
  const all = { ...before }
  for (const [id, names] of Object.entries(added)) all[id] = [...(all[id] ?? []), ...names]
  return all
}
