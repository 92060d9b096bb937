/** Characters of JSON that one turn writes of a large answer: some 10 ms. */
export const JSON_OF_ONE_TURN = 1_000_000

/**
 * What one turn reads to find the smallest of the groups that a message mentions: groups with those inside them, links between them,
 * and memberships, each once. Together 20 ms at the worst. Groups beyond it count as the largest, and somebody who is in no other is told
 * that they were mentioned, but not with which group.
 */
export const GROUPS_SIZED = { groups: 1_000, subgroups: 5_000, members: 30_000 } as const
