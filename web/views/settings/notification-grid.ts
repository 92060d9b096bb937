import { s } from '../../texts/settings.ts'

/** Causes of notifications, and the settings of each way; empty where there is nothing to set. */
export const GRID = {
  channels: {
    desktop: 'enable_stream_desktop_notifications',
    sound: 'enable_stream_audible_notifications',
    mobile: 'enable_stream_push_notifications',
    email: 'enable_stream_email_notifications',
    wildcard: 'wildcard_mentions_notify',
  },
  followed: {
    desktop: 'enable_followed_topic_desktop_notifications',
    sound: 'enable_followed_topic_audible_notifications',
    mobile: 'enable_followed_topic_push_notifications',
    email: 'enable_followed_topic_email_notifications',
    wildcard: 'enable_followed_topic_wildcard_mentions_notify',
  },
  mentions: {
    desktop: 'enable_desktop_notifications',
    sound: 'enable_sounds',
    mobile: 'enable_offline_push_notifications',
    email: 'enable_offline_email_notifications',
    wildcard: undefined,
  },
} as const

export const KINDS = ['mentions', 'followed', 'channels'] as const
export const WAYS = ['desktop', 'sound', 'mobile', 'email', 'wildcard'] as const

export function cellLabel(kind: (typeof KINDS)[number], way: (typeof WAYS)[number]): string {
  return `${s.notifications.kinds[kind]}: ${s.notifications.ways[way]}`
}

/** Returns the label of a setting of the grid by its API name; undefined for other settings. */
export function notificationLabel(name: string): string | undefined {
  for (const kind of KINDS) {
    const way = WAYS.find((one) => GRID[kind][one] === name)
    if (way) return cellLabel(kind, way)
  }
  return undefined
}
