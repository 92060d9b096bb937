import { mayChangeRealmSetting } from '../../src/rules/realm-setting-rules.ts'
import type { ChatState } from './chat-state.ts'
import { isAdministrator, mayInOrganization, myself } from './own-permissions.ts'

/** Whether owners may export everybody's private data. */
export function hasFullContentAccess({ organization }: ChatState): boolean {
  return organization.owner_full_content_access === true
}

export function mayAddEmoji(state: ChatState): boolean {
  return mayInOrganization(state, 'can_add_custom_emoji_group')
}

/** Whether the user may remove an emoji: their own, or any for administrators. */
export function mayRemoveEmoji(state: ChatState, authorId: number | null): boolean {
  return myself(state).is_admin || authorId === state.me
}

/** Whether the user may change one of its settings, by its API name without `realm_`. */
export function mayChangeOrganization(state: ChatState, name: string): boolean {
  return mayChangeRealmSetting(myself(state), name)
}

/** Whether the user reads what is reported, or chooses where it is posted. */
export function maySeeReports(state: ChatState): boolean {
  const channel = state.channels.get(state.organization.moderation_request_channel_id)
  return isAdministrator(state) || channel?.subscription !== undefined
}
