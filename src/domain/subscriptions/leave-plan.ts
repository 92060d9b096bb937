import { CHANNELS_IN_ONE_COMMIT, LEAVING_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'

export interface UnsubscribeResult {
  /** One name for each user and channel. */
  readonly removed: readonly string[]
  readonly not_removed: readonly string[]
}

/** How many users have left each channel, and how many were not in it. A channel that is gone has no name, and nobody. */
export interface LeftChannels {
  readonly names: readonly string[]
  readonly removed: readonly number[]
  readonly notRemoved: readonly number[]
}

/**
 * The users and channels that a commit leaves to the next, with the result so far. The Worker has it, and passes a part of it to each
 * commit, so that no turn of the object reads and writes thousands of users and names for the few who leave.
 */
export interface LeavePlan {
  readonly userIds: readonly number[]
  readonly channelIds: readonly number[]
  /** Number of channels that the first user has left. */
  readonly left?: number | undefined
  /** The result so far, of the first channels. */
  readonly result: LeftChannels
  /** The message up to which the first user has read everything. */
  readonly readUpTo?: number | undefined
  /**
   * The message up to which the first user has read all channels, when these are more than one commit takes. Old unread
   * messages are searched once in this way, not for each part of the channels.
   */
  readonly oldRead?: number | undefined
}

/** The plan that a commit leaves to the next. */
export interface PartlyUnsubscribed {
  readonly rest: LeavePlan
}

/** What one commit has done: its first users have left its channels; and how far the next one has read them. */
export interface LeftPart {
  readonly left: Pick<LeavePlan, 'readUpTo' | 'oldRead'> & {
    readonly users: number
    readonly result: LeftChannels
  }
}

export const NOBODY_LEFT: LeftChannels = { names: [], removed: [], notRemoved: [] }

/** Whether one user after the other leaves, some of the channels in each commit. */
export function areManyToLeave(channelIds: readonly number[]): boolean {
  return channelIds.length > CHANNELS_IN_ONE_COMMIT
}

/**
 * Returns what the next commit does at most: some users leave all of the channels; or one of them leaves as many as one commit takes,
 * after having read old messages of all.
 */
export function nextOfLeaving(plan: LeavePlan): LeavePlan {
  const { userIds, channelIds, left = 0, readUpTo, oldRead } = plan
  // Nobody is left: the commit only answers.
  if (userIds.length === 0) return { ...plan, channelIds: [] }
  const isMany = areManyToLeave(channelIds)
  const isOld = isMany && oldRead === undefined
  return {
    userIds: userIds.slice(0, isMany ? 1 : LEAVING_IN_ONE_COMMIT),
    channelIds: isMany && !isOld ? channelIds.slice(left, left + CHANNELS_IN_ONE_COMMIT) : channelIds,
    result: NOBODY_LEFT,
    readUpTo,
    oldRead,
  }
}

/** Returns what is left of a plan. */
export function afterLeaving(plan: LeavePlan, { left: done }: LeftPart): LeavePlan {
  const { userIds, channelIds, left = 0, oldRead } = plan
  const isMany = areManyToLeave(channelIds)
  if (isMany && oldRead === undefined) return { ...plan, readUpTo: done.readUpTo, oldRead: done.oldRead }
  if (done.users === 0) return { ...plan, readUpTo: done.readUpTo }
  const result = together(plan.result, left, done.result)
  const upTo = left + done.result.names.length
  if (isMany && upTo < channelIds.length) return { ...plan, result, left: upTo, readUpTo: 0 }
  return { userIds: userIds.slice(done.users), channelIds, result, readUpTo: done.readUpTo }
}

/** Adds what happened to the channels from this one on. */
function together(before: LeftChannels, from: number, added: LeftChannels): LeftChannels {
  const [names, removed, notRemoved] = [[...before.names], [...before.removed], [...before.notRemoved]]
  for (const [index, name] of added.names.entries()) {
    const at = from + index
    names[at] = name || (names[at] ?? '')
    removed[at] = (removed[at] ?? 0) + added.removed[index]!
    notRemoved[at] = (notRemoved[at] ?? 0) + added.notRemoved[index]!
  }
  return { names, removed, notRemoved }
}

/** Returns the result once everybody has left: names in the order of the channels. */
export function resultOfLeaving({ names, removed, notRemoved }: LeftChannels): UnsubscribeResult {
  const repeated = (counts: readonly number[]) =>
    names.flatMap((name, at) => Array<string>(counts[at]!).fill(name))
  return { removed: repeated(removed), not_removed: repeated(notRemoved) }
}
