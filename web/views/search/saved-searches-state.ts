import type { ChatState } from '../../state/chat-state.ts'

export interface SavedSearch {
  readonly name: string
  /** The address of the view, without its `#`. */
  readonly fragment: string
}

/** Returns the views that the user has saved under names of their own; those that every client has are not among them. */
export function savedSearches({ navigationViews }: ChatState): SavedSearch[] {
  return navigationViews.flatMap(({ name, fragment }) =>
    name === null || !fragment.startsWith('narrow/') ? [] : [{ name, fragment }],
  )
}
