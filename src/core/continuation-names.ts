/**
 * Every kind of work that a change may leave to later commits, whoever makes the change. `isAwaited`: the request makes these commits while
 * it lasts, and a job makes the rest; otherwise a job begins at once.
 */
export const CONTINUATIONS = {
  /** Further members of a group; its key is the group's id. */
  'continue-group-change': { isAwaited: true },
  /** What is deleted with a closed account; its key is the account's id. */
  'erase-account': { isAwaited: true },
  /** What is removed of an erased person and their bots; its key is the account's id. */
  'erase-person': {},
  /** Values of a profile field; its key is the field's id. */
  'withdraw-profile-values': { isAwaited: true },
  /** Bots of a closed account; its key is the account's id. */
  'close-bots': {},
  /** Events about bots with a new role; its key is the id of their owner. */
  'announce-lowered-bots': {},
  /** Events about groups and permissions that name an account; its key is the account's id. */
  'announce-naming': {},
  /** Settings of topics that are gone, one topic after the other. */
  'migrate-policies': {},
  /** Reminders of deleted messages; its key is the id of the first of them. */
  'remove-reminders': {},
} as const satisfies Readonly<Record<string, { readonly isAwaited?: true }>>

export type ContinuationName = keyof typeof CONTINUATIONS

export function isContinuation(name: string): name is ContinuationName {
  return Object.hasOwn(CONTINUATIONS, name)
}
