import { ALL_SLICES, type SliceName } from './changes.ts'
import type { ChatState } from './chat-state.ts'
import { lookAtRecent } from './recent.ts'
import type { Attachment, NavigationView, WireEvent } from './wire.ts'

/**
 * Applies events of personal lists, which change one by one: `{name}s` are new ones, `{name}` is a changed
 * one, `{name}_id` is deleted.
 */
function applyList<T>(
  state: ChatState,
  event: WireEvent,
  { list, name, key, slice }: { list: Map<number, T>; name: string; key: keyof T; slice: SliceName },
): void {
  if (event.op === 'remove') list.delete(event[`${name}_id`] as number)
  else {
    const changed = (event[`${name}s`] as T[] | undefined) ?? [event[name] as T]
    for (const one of changed) list.set(one[key] as number, one)
  }
  state.changes.touch(slice)
}

export function applyDrafts(state: ChatState, event: WireEvent): void {
  applyList(state, event, { list: state.drafts, name: 'draft', key: 'id', slice: 'drafts' })
}

export function applyScheduled(state: ChatState, event: WireEvent): void {
  const name = 'scheduled_message'
  applyList(state, event, { list: state.scheduled, name, key: 'scheduled_message_id', slice: 'scheduled' })
}

export function applyReminders(state: ChatState, event: WireEvent): void {
  applyList(state, event, { list: state.reminders, name: 'reminder', key: 'reminder_id', slice: 'reminders' })
}

export function applySnippets(state: ChatState, event: WireEvent): void {
  applyList(state, event, { list: state.snippets, name: 'saved_snippet', key: 'id', slice: 'snippets' })
}

/** Applies a change of uploads, once their list has been fetched. */
export function applyAttachment(state: ChatState, event: WireEvent): void {
  const attachment = event.attachment as Attachment
  if (event.op === 'remove') state.attachments?.delete(attachment.id)
  else state.attachments?.set(attachment.id, attachment)
  state.changes.touch('attachments')
}

export function learnAttachments(state: ChatState, attachments: readonly Attachment[]): void {
  state.attachments = new Map(attachments.map((one) => [one.id, one]))
  state.changes.touch('attachments')
}

export function applyMutedUsers(state: ChatState, event: WireEvent): void {
  state.mutedUsers.clear()
  for (const { id } of event.muted_users as { id: number }[]) state.mutedUsers.add(id)
  lookAtRecent(state)
  // What they have written and done may be anywhere.
  for (const slice of ALL_SLICES) state.changes.touchAll(slice)
}

export function applyAlertWords(state: ChatState, event: WireEvent): void {
  state.alertWords = event.alert_words as string[]
  state.changes.touch('alert words')
}

export function applyZoomToken(state: ChatState, event: WireEvent): void {
  state.hasZoomToken = event.value as boolean
  state.changes.touch('calls')
}

/** Notes that Zoom has refused a call, before the event says it. */
export function learnZoomRefusal(state: ChatState): void {
  state.hasZoomToken = false
  state.changes.touch('calls')
  state.changes.flush()
}

export function applyNavigationView(state: ChatState, event: WireEvent): void {
  const { op, fragment } = event
  const rest = state.navigationViews.filter((view) => view.fragment !== fragment)
  if (op === 'add')
    state.navigationViews = [...state.navigationViews, event.navigation_view as NavigationView]
  else if (op === 'remove') state.navigationViews = rest
  else {
    state.navigationViews = state.navigationViews.map((view) =>
      view.fragment === fragment ? { ...view, ...(event.data as object) } : view,
    )
  }
  state.changes.touch('navigation')
}

export function applyOnboardingSteps(state: ChatState, event: WireEvent): void {
  state.onboardingSteps = event.onboarding_steps as ChatState['onboardingSteps']
  state.changes.touch('onboarding')
}
