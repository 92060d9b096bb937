import { hasWords } from '../../state/words.ts'
import { f } from '../../texts/frame.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import type { Section } from './sections.ts'

/** Labels of the settings in each section, as the section shows them; texts may be nested. */
const LABELS: Readonly<Record<string, () => readonly unknown[]>> = {
  'settings/profile': () => [s.profile.picture, s.profile.name, s.profile.role],
  'settings/account-and-privacy': () => [
    s.account.email,
    s.account.visibility,
    s.account.switches,
    t.auth.shared,
    s.account.close,
  ],
  'settings/security': () => [
    s.account.password,
    s.account.apiKey,
    s.security.twoStep,
    s.security.passkeys,
    s.security.codes,
    s.sessions.title,
    s.sessions.devices,
  ],
  'settings/preferences': () => [t.settings.language, s.display.names, s.display.switches],
  'settings/keyboard': () => [f.help.singleKeys, f.help.keys],
  'settings/notifications': () => [
    s.notifications.whatAndHow,
    s.notifications.kinds,
    s.notifications.names,
    s.notifications.switches,
  ],
  'settings/your-bots': () => [s.bots.create, s.bots.types, s.bots.integrations, s.bots.connect],
  'organization/users': () => [s.people.role, s.people.lists, s.people.create],
  groups: () => [s.groups.create],
  'organization/invitations': () => [s.invitations.byMail, s.invitations.byLink, s.invitations.open],
  'organization/organization-profile': () => [
    s.organization.icon,
    s.organization.logo,
    s.organization.description,
    s.organization.language,
    s.organizationMore.type,
    s.organizationMore.address,
    s.organizationMore.welcome,
    s.organization.close,
  ],
  'organization/auth-methods': () => [
    s.logIn.providers,
    s.logIn.newProvider,
    s.logIn.passwords,
    s.logIn.onlySso,
    s.logIn.tokens,
  ],
  'organization/organization-permissions': () => [
    s.organization.permissions,
    s.organization.names.waiting_period_threshold,
    s.organization.switches.invite_required,
    s.organization.switches.enable_spectator_access,
    s.organization.switches.emails_restricted_to_domains,
    s.organization.switches.disallow_disposable_email_addresses,
    s.organization.switches.require_unique_names,
    s.organization.switches.name_changes_disabled,
    s.organization.switches.email_changes_disabled,
    s.organization.switches.avatar_changes_disabled,
    s.organization.domains,
    s.security.policy,
  ],
  'organization/organization-settings': () => [
    s.organization.names,
    s.organization.switches,
    s.calls.provider,
    s.calls.code,
  ],
  'organization/organization-level-user-defaults': () => [
    s.display.names,
    s.display.switches,
    s.notifications.names,
    s.notifications.switches,
    s.account.visibility,
    s.account.switches,
  ],
  'organization/channel-folders': () => [s.channels.newFolder],
  'organization/default-channels-list': () => [s.channelGroups.title],
  'organization/linkifier-settings': () => [s.organization.pattern],
  'organization/playground-settings': () => [s.organization.codeLanguage],
  'organization/profile-field-settings': () => [s.organization.newField],
  'organization/data-exports-admin': () => [
    s.organization.newExport,
    s.organization.backups.title,
    s.consents.title,
  ],
  'organization/usage': () => [
    s.usage.people,
    s.usage.channels,
    s.usage.storage,
    s.usage.cost,
    s.cost.capTitle,
    s.usage.check,
  ],
  'organization/moderation': () => [s.moderation.open],
  'organization/imports': () => [s.imports.choose, s.imports.history],
  'organization/holds': () => [s.holds.new, s.holds.title, s.erasure.title],
  'organization/provisioning': () => [s.scim.address, s.scim.token],
}

/** Labels that another section shows. */
const SHOWN_ELSEWHERE: Readonly<Record<string, () => readonly string[]>> = {
  'organization/organization-settings': () => [
    s.organization.names.waiting_period_threshold,
    s.organization.switches.invite_required,
    s.organization.switches.enable_spectator_access,
    s.organization.switches.emails_restricted_to_domains,
    s.organization.switches.disallow_disposable_email_addresses,
    s.organization.switches.require_unique_names,
    s.organization.switches.name_changes_disabled,
    s.organization.switches.email_changes_disabled,
    s.organization.switches.avatar_changes_disabled,
  ],
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function labelsOf(at: string): readonly string[] {
  const left = SHOWN_ELSEWHERE[at]?.() ?? []
  return [...new Set(textsIn(LABELS[at]?.() ?? []))].filter((label) => !left.includes(label))
}

interface FoundSection {
  readonly section: Section
  /** Labels with the words; empty if only the section's title has them. */
  readonly labels: readonly string[]
}

/** Number of labels shown of one section. */
const MAX_LABELS = 6

/** Returns the sections whose title or labels have the words. */
export function findSettings(sections: readonly Section[], words: string): readonly FoundSection[] {
  return sections.flatMap((section) => {
    const labels = labelsOf(section.at).filter((label) => hasWords(label, words))
    if (labels.length === 0 && !hasWords(section.title(), words)) return []
    return [{ section, labels: labels.slice(0, MAX_LABELS) }]
  })
}
