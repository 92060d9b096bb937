import type { Json } from '../support/json.ts'
import type { ClientState } from './client-state.ts'

/** The state of a device of which the client knows only the id. */
const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

/** Applies events about the user's own data: settings, words, drafts, uploads, devices. Source: docs/interface/events.md#events-about-people; docs/interface/events.md#events-about-what-is-ones-own. */
export function applyPersonalEvent(state: ClientState, event: Json): boolean {
  const { register } = state
  switch (event.type) {
    case 'user_settings':
      register.user_settings[event.property] = event.value
      return true
    case 'update_display_settings':
      register[event.setting_name] = event.setting
      return true
    case 'update_global_notifications':
      register[event.notification_name] = event.setting
      return true
    case 'alert_words':
      register.alert_words = event.alert_words
      return true
    case 'has_zoom_token':
      register.has_zoom_token = event.value
      return true
    case 'muted_users':
      register.muted_users = event.muted_users
      return true
    case 'drafts':
      register.drafts = changedList(register.drafts, event, 'draft', 'id')
      return true
    case 'saved_snippets':
      register.saved_snippets = changedList(register.saved_snippets, event, 'saved_snippet', 'id')
      return true
    case 'scheduled_messages':
      register.scheduled_messages = changedList(
        register.scheduled_messages,
        event,
        'scheduled_message',
        'scheduled_message_id',
      )
      return true
    case 'reminders':
      register.reminders = changedList(register.reminders, event, 'reminder', 'reminder_id')
      return true
    case 'device':
      if (event.op === 'remove') delete register.devices[event.device_id]
      else if (event.op === 'add') register.devices[event.device_id] = { ...NEW_DEVICE }
      else {
        const { id: _id, type: _type, op: _op, device_id, ...changes } = event
        Object.assign(register.devices[device_id], changes)
      }
      return true
    case 'push_device': {
      const { status, error_code = null } = event
      register.push_devices[event.push_account_id] = { status, error_code }
      return true
    }
    case 'navigation_view':
      register.navigation_views = changedViews(register.navigation_views, event)
      return true
    case 'onboarding_steps':
      register.onboarding_steps = event.onboarding_steps
      return true
    case 'attachment':
      changeAttachments(state, event)
      return true
    default:
      return false
  }
}

/** `{name}s` is a list of new items, `{name}` one of them, and `{name}_id` an item that is deleted. */
function changedList(list: Json[], event: Json, name: string, key: string): Json[] {
  if (event.op === 'remove') return list.filter((one) => one[key] !== event[`${name}_id`])
  const changed: Json[] = event[`${name}s`] ?? [event[name]]
  const ids = new Set(changed.map((one) => one[key]))
  return [...list.filter((one) => !ids.has(one[key])), ...changed]
}

function changedViews(views: Json[], { op, navigation_view, fragment, data }: Json): Json[] {
  if (op === 'add') return [...views, navigation_view]
  if (op === 'remove') return views.filter((view) => view.fragment !== fragment)
  return views.map((view) => (view.fragment === fragment ? { ...view, ...data } : view))
}

/** `upload_space_used` is a number of the organization: the client's value is as old as its own last upload. */
function changeAttachments(state: ClientState, event: Json): void {
  if (event.op === 'remove') state.attachments.delete(event.attachment.id)
  else state.attachments.set(event.attachment.id, event.attachment)
}
