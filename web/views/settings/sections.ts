import {
  Archive,
  Building2,
  ChartColumn,
  ClipboardList,
  Download,
  Folder,
  type IconNode,
  IdCard,
  KeyRound,
  LogIn,
  Megaphone,
  MessageSquareText,
  Palette,
  ShieldCheck,
  SlidersHorizontal,
  TriangleAlert,
  Upload,
  UserCog,
  UsersRound,
  UserX,
  Wallet,
} from 'lucide'
import type { ComponentType } from 'preact'
import type { ChatState } from '../../state/chat-state.ts'
import { maySeeReports } from '../../state/organization-permissions.ts'
import { isAdministrator, isOwner, myself } from '../../state/own-permissions.ts'
import { mayCreateBot, maySeeInvitations } from '../../state/people-permissions.ts'
import { s } from '../../texts/settings.ts'
import type { IconName } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import type { SectionProps } from '../../ui/setting-row.tsx'

export const GROUPS = ['own', 'preferences', 'people', 'organization', 'data'] as const

type Group = (typeof GROUPS)[number]

export interface Section {
  /** Its address without `#`, as in other clients of this API where they have one. */
  readonly at: string
  readonly group: Group
  readonly icon: IconName | IconNode
  readonly title: () => string
  readonly View: ComponentType<SectionProps>
  /** Whether it is offered to the user; absent: to everybody. */
  readonly isOffered?: (state: ChatState) => boolean
}

type LoadedView = Promise<ComponentType<SectionProps>>

const SECTIONS: readonly Section[] = [
  own(
    'own',
    'person',
    'profile',
    () => s.titles.profile,
    () => import('./profile.tsx').then((file) => file.ProfileSection),
  ),
  own(
    'own',
    IdCard,
    'account-and-privacy',
    () => s.titles.account,
    () => import('./account.tsx').then((file) => file.AccountSection),
  ),
  own(
    'own',
    KeyRound,
    'security',
    () => s.titles.security,
    () => import('./security.tsx').then((file) => file.SecuritySection),
  ),
  own(
    'preferences',
    Palette,
    'preferences',
    () => s.titles.display,
    () => import('./display.tsx').then((file) => file.DisplaySection),
  ),
  own(
    'preferences',
    'keyboard',
    'keyboard',
    () => s.titles.keyboard,
    () => import('./keyboard.tsx').then((file) => file.KeyboardSection),
  ),
  own(
    'preferences',
    'bell',
    'notifications',
    () => s.titles.notifications,
    () => import('./notifications.tsx').then((file) => file.NotificationsSection),
  ),
  own(
    'preferences',
    Megaphone,
    'alert-words',
    () => s.titles.alertWords,
    () => import('./alert-words.tsx').then((file) => file.AlertWordsSection),
  ),
  own(
    'preferences',
    'follow',
    'topics',
    () => s.titles.topics,
    () => import('./muted.tsx').then((file) => file.TopicsSection),
  ),
  own(
    'preferences',
    UserX,
    'muted-users',
    () => s.titles.mutedUsers,
    () => import('./muted.tsx').then((file) => file.MutedUsersSection),
  ),
  own(
    'own',
    'attach',
    'uploaded-files',
    () => s.titles.uploads,
    () => import('./uploads.tsx').then((file) => file.UploadsSection),
  ),
  own(
    'own',
    'snippets',
    'saved-snippets',
    () => s.titles.snippets,
    () => import('./snippets.tsx').then((file) => file.SnippetsSection),
  ),
  {
    ...own(
      'own',
      'bot',
      'your-bots',
      () => s.titles.bots,
      () => import('./bots.tsx').then((file) => file.BotsSection),
    ),
    isOffered: (state) =>
      !myself(state).is_guest && (mayCreateBot(state, 1) || mayCreateBot(state, 2) || state.bots.size > 0),
  },
  section(
    'people',
    'people',
    'organization/users',
    () => s.titles.users,
    () => import('../people-settings/users.tsx').then((file) => file.UsersSection),
  ),
  section(
    'people',
    UsersRound,
    'groups',
    () => s.titles.groups,
    () => import('../people-settings/groups.tsx').then((file) => file.GroupsSection),
  ),
  {
    ...section(
      'people',
      'invite',
      'organization/invitations',
      () => s.titles.invitations,
      () => import('../people-settings/invitations.tsx').then((file) => file.InvitationsSection),
    ),
    isOffered: maySeeInvitations,
  },
  ofAdministrators(
    'organization',
    Building2,
    'organization-profile',
    () => s.titles.organization,
    () => import('../organization/profile.tsx').then((file) => file.OrganizationProfileSection),
  ),
  {
    ...ofAdministrators(
      'people',
      LogIn,
      'auth-methods',
      () => s.titles.logIn,
      () => import('../organization/log-in.tsx').then((file) => file.LogInSection),
    ),
    isOffered: isOwner,
  },
  ofAdministrators(
    'organization',
    ShieldCheck,
    'organization-permissions',
    () => s.titles.permissions,
    () => import('../organization/permissions.tsx').then((file) => file.OrganizationPermissionsSection),
  ),
  ofAdministrators(
    'organization',
    MessageSquareText,
    'organization-settings',
    () => s.titles.messages,
    () => import('../organization/messages.tsx').then((file) => file.OrganizationMessagesSection),
  ),
  ofAdministrators(
    'organization',
    SlidersHorizontal,
    'organization-level-user-defaults',
    () => s.titles.defaults,
    () => import('../organization/defaults.tsx').then((file) => file.DefaultsSection),
  ),
  ofAdministrators(
    'organization',
    Folder,
    'channel-folders',
    () => s.titles.folders,
    () => import('../organization/folders.tsx').then((file) => file.FoldersSection),
  ),
  ofAdministrators(
    'organization',
    'hash',
    'default-channels-list',
    () => s.titles.defaultChannels,
    () => import('../organization/default-channels.tsx').then((file) => file.DefaultChannelsSection),
  ),
  section(
    'organization',
    'emoji',
    'organization/emoji-settings',
    () => s.titles.emoji,
    () => import('../organization/emoji.tsx').then((file) => file.EmojiSection),
  ),
  ofAdministrators(
    'organization',
    'link',
    'linkifier-settings',
    () => s.titles.linkifiers,
    () => import('../organization/linkifiers.tsx').then((file) => file.LinkifiersSection),
  ),
  ofAdministrators(
    'organization',
    'source',
    'playground-settings',
    () => s.titles.playgrounds,
    () => import('../organization/playgrounds.tsx').then((file) => file.PlaygroundsSection),
  ),
  ofAdministrators(
    'people',
    ClipboardList,
    'profile-field-settings',
    () => s.titles.profileFields,
    () => import('../organization/profile-fields.tsx').then((file) => file.ProfileFieldsSection),
  ),
  ofAdministrators(
    'data',
    Download,
    'data-exports-admin',
    () => s.titles.exports,
    () => import('../organization/exports.tsx').then((file) => file.ExportsSection),
  ),
  ofAdministrators(
    'data',
    ChartColumn,
    'usage',
    () => s.titles.usage,
    () => import('../organization/usage.tsx').then((file) => file.UsageSection),
  ),
  {
    ...ofAdministrators(
      'data',
      'flag',
      'moderation',
      () => s.titles.moderation,
      () => import('../organization/moderation.tsx').then((file) => file.ModerationSection),
    ),
    isOffered: maySeeReports,
  },
  {
    ...ofAdministrators(
      'data',
      Upload,
      'imports',
      () => s.titles.imports,
      () => import('../organization/imports.tsx').then((file) => file.ImportsSection),
    ),
    isOffered: isOwner,
  },
  {
    ...ofAdministrators(
      'people',
      UserCog,
      'provisioning',
      () => s.titles.provisioning,
      () => import('../organization/provisioning.tsx').then((file) => file.ProvisioningSection),
    ),
    isOffered: isOwner,
  },
  {
    ...ofAdministrators(
      'data',
      'history',
      'audit-log',
      () => s.titles.auditLog,
      () => import('../organization/audit-log.tsx').then((file) => file.AuditLogSection),
    ),
    isOffered: isOwner,
  },
  {
    ...ofAdministrators(
      'data',
      Archive,
      'holds',
      () => s.titles.holds,
      () => import('../organization/holds.tsx').then((file) => file.HoldsSection),
    ),
    isOffered: isOwner,
  },
  {
    ...ofAdministrators(
      'data',
      TriangleAlert,
      'dead-letters',
      () => s.titles.deadLetters,
      () => import('../organization/dead-letters.tsx').then((file) => file.DeadLettersSection),
    ),
    isOffered: isOwner,
  },
  {
    ...ofAdministrators(
      'data',
      Wallet,
      'cost',
      () => s.titles.cost,
      () => import('../organization/cost.tsx').then((file) => file.CostSection),
    ),
    isOffered: isOwner,
  },
]

function section(
  group: Group,
  icon: Section['icon'],
  at: string,
  title: () => string,
  load: () => LoadedView,
): Section {
  return { at, group, icon, title, View: onDemand(load) }
}

function own(
  group: Group,
  icon: Section['icon'],
  slug: string,
  title: () => string,
  load: () => LoadedView,
): Section {
  return section(group, icon, `settings/${slug}`, title, load)
}

function ofAdministrators(
  group: Group,
  icon: Section['icon'],
  slug: string,
  title: () => string,
  load: () => LoadedView,
): Section {
  return { ...section(group, icon, `organization/${slug}`, title, load), isOffered: isAdministrator }
}

export function offeredSections(state: ChatState): readonly Section[] {
  return SECTIONS.filter(({ isOffered }) => isOffered?.(state) ?? true)
}

export function sectionAt(sections: readonly Section[], at: string): Section | undefined {
  return sections.find((section) => at === section.at || at.startsWith(`${section.at}/`))
}
