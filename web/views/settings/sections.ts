import type { ComponentType } from 'preact'
import type { ChatState } from '../../state/chat-state.ts'
import { mayCreateBot, myself } from '../../state/permissions.ts'
import { s } from '../../texts/settings.ts'
import { onDemand } from '../../ui/on-demand.tsx'

export interface SectionProps {
  /** What follows the section's own address. */
  readonly path: readonly string[]
}

export const GROUPS = ['own', 'people', 'organization'] as const

export interface Section {
  /** Its address without `#`, as other clients of this API have it where they have it. */
  readonly at: string
  readonly group: (typeof GROUPS)[number]
  readonly title: () => string
  readonly View: ComponentType<SectionProps>
  /** To everybody when absent. */
  readonly isOffered?: (state: ChatState) => boolean
}

type LoadedView = Promise<ComponentType<SectionProps>>

const SECTIONS: readonly Section[] = [
  own(
    'profile',
    () => s.titles.profile,
    () => import('./profile.tsx').then((file) => file.ProfileSection),
  ),
  own(
    'account-and-privacy',
    () => s.titles.account,
    () => import('./account.tsx').then((file) => file.AccountSection),
  ),
  own(
    'preferences',
    () => s.titles.display,
    () => import('./display.tsx').then((file) => file.DisplaySection),
  ),
  own(
    'notifications',
    () => s.titles.notifications,
    () => import('./notifications.tsx').then((file) => file.NotificationsSection),
  ),
  own(
    'alert-words',
    () => s.titles.alertWords,
    () => import('./alert-words.tsx').then((file) => file.AlertWordsSection),
  ),
  own(
    'topics',
    () => s.titles.topics,
    () => import('./muted.tsx').then((file) => file.TopicsSection),
  ),
  own(
    'muted-users',
    () => s.titles.mutedUsers,
    () => import('./muted.tsx').then((file) => file.MutedUsersSection),
  ),
  own(
    'sessions',
    () => s.titles.sessions,
    () => import('./sessions.tsx').then((file) => file.SessionsSection),
  ),
  {
    ...own(
      'your-bots',
      () => s.titles.bots,
      () => import('./bots.tsx').then((file) => file.BotsSection),
    ),
    isOffered: (state) =>
      !myself(state).is_guest && (mayCreateBot(state, 1) || mayCreateBot(state, 2) || state.bots.size > 0),
  },
  own(
    'elsewhere',
    () => s.titles.elsewhere,
    () => import('./elsewhere.tsx').then((file) => file.ElsewhereSection),
  ),
]

function own(slug: string, title: () => string, load: () => LoadedView): Section {
  return { at: `settings/${slug}`, group: 'own', title, View: onDemand(load) }
}

export function offeredSections(state: ChatState): readonly Section[] {
  return SECTIONS.filter(({ isOffered }) => isOffered?.(state) ?? true)
}

export function sectionAt(sections: readonly Section[], at: string): Section | undefined {
  return sections.find((section) => at === section.at || at.startsWith(`${section.at}/`))
}
