/** Events of the daily traffic: what they tell of is in nothing that is remembered. */
const TRAFFIC = new Set([
  'alert_words',
  'attachment',
  'delete_message',
  'device',
  'drafts',
  'message',
  'muted_topics',
  'muted_users',
  'navigation_view',
  'onboarding_steps',
  'presence',
  'reaction',
  'reminders',
  'saved_snippets',
  'scheduled_messages',
  'submessage',
  'typing',
  'typing_edit_message',
  'update_display_settings',
  'update_global_notifications',
  'update_message',
  'update_message_flags',
  'user_settings',
  'user_status',
  'user_topic',
])

/**
 * What registrations have in common (users, channels and their subscribers, groups), presented once and
 * kept until it changes: a thousand clients that come back together would otherwise hold up the realm for
 * a minute. A change of any of it is told in an event, or clients would not learn of it either; so any
 * event that is not traffic empties the memory. Losing it costs time, nothing else.
 */
export class DirectoryMemory {
  readonly #values = new Map<string, unknown>()

  remember<Value>(key: string, make: () => Value): Value {
    if (!this.#values.has(key)) this.#values.set(key, make())
    return this.#values.get(key) as Value
  }

  noteEvent(type: string): void {
    if (!TRAFFIC.has(type)) this.forget()
  }

  /** Also after a rollback: what was made in that transaction has not come true. */
  forget(): void {
    this.#values.clear()
  }
}
