import type { NeutralRecord, Permission } from '../../imports/neutral.ts'
import { kindOfField } from '../../imports/server-texts.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import { systemGroupById } from '../../rules/system-groups.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { listDefaultGroups } from '../../store/default-channel-groups/default-channel-group-rows.ts'
import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'
import { listProfileFields, type ProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import { listDomains, listLinkifiers, listPlaygrounds } from '../../store/realm/realm-list-rows.ts'
import { isChannelProperty, isRealmPropertyName } from '../../store/realm/realm-properties.ts'
import {
  type RealmImageName,
  readRealmImage,
  realmPermissions,
  realmProperties,
} from '../../store/realm/realm-setting-rows.ts'
import { realmUserSettingsDefaults } from '../realm/present-realm.ts'
import { presentGroupSettings } from '../user-groups/present-user-group.ts'
import type { ExportView } from './export-source.ts'

export const REALM_IMAGES: readonly RealmImageName[] = ['icon', 'logo', 'night_logo']

/** Ids of the `file` records of pictures. */
export function idOfAvatar(userId: number): string {
  return `avatar:${userId}`
}

export function idOfEmojiPicture(emojiId: number): string {
  return `emoji:${emojiId}`
}

/** Returns the organization itself, and what belongs to nobody in it. */
export function organizationRecords(view: ExportView): NeutralRecord[] {
  const { sql } = view.tx
  const { name, description } = realmProperties(sql)
  const pictures = REALM_IMAGES.filter((image) => readRealmImage(sql, image).path !== null)
  return [
    {
      type: 'organization',
      name,
      description,
      ...Object.fromEntries(pictures.map((image) => [image, image])),
    },
    ...settingRecords(view),
    ...Object.entries(realmUserSettingsDefaults(sql)).map(
      ([setting, value]): NeutralRecord => ({ type: 'default_setting', name: setting, value }),
    ),
    ...listProfileFields(sql).map(fieldRecord),
    ...listFolders(sql).flatMap((folder): NeutralRecord[] =>
      folder.isArchived
        ? []
        : [
            {
              type: 'channel_folder',
              id: String(folder.id),
              name: folder.name,
              description: folder.description,
            },
          ],
    ),
    ...listCustomEmoji(sql).map(
      ({ id, name: emoji, authorId, isDeactivated }): NeutralRecord => ({
        type: 'emoji',
        id: String(id),
        name: emoji,
        image: idOfEmojiPicture(id),
        author: String(authorId),
        deactivated: isDeactivated,
      }),
    ),
    ...ruleRecords(view),
  ]
}

/** Returns the settings and permissions. Channels that are not in the export are not named. */
function settingRecords({ tx: { sql }, scope }: ExportView): NeutralRecord[] {
  const { name: _, description: __, ...properties } = realmProperties(sql)
  const settings = Object.entries(properties).flatMap(([name, value]): NeutralRecord[] => {
    if (isRealmPropertyName(name) && isChannelProperty(name)) {
      const channel = findChannel(sql, Number(value))
      const isNamed = channel !== undefined && scope.includesChannel(channel)
      return [{ type: 'realm_setting', name, value: isNamed ? { channel: String(channel.id) } : null }]
    }
    // The ways to log in are an object: they are those of the deployment.
    return value === null || typeof value !== 'object' ? [{ type: 'realm_setting', name, value }] : []
  })
  const permissions = Object.entries(permissionsIn(presentGroupSettings(sql, realmPermissions(sql))))
  return [
    ...settings,
    ...permissions.map(([name, value]): NeutralRecord => ({ type: 'realm_setting', name, value })),
  ]
}

function fieldRecord(field: ProfileField): NeutralRecord {
  return {
    type: 'profile_field',
    id: String(field.id),
    name: field.name,
    kind: kindOfField(field.type),
    hint: field.hint,
    ...(field.fieldData !== '' && { data: field.fieldData }),
    required: field.isRequired,
    in_summary: field.isInSummary,
    editable_by_user: field.isEditableByUser,
    matched: field.isMatched,
  }
}

/** Returns the rules for texts and addresses, and the groups of channels that new people are offered. */
function ruleRecords({ tx: { sql }, scope }: ExportView): NeutralRecord[] {
  const isIncluded = (id: number) => {
    const channel = findChannel(sql, id)
    return channel !== undefined && scope.includesChannel(channel)
  }
  return [
    ...listLinkifiers(sql).map(
      (one): NeutralRecord => ({
        type: 'linkifier',
        pattern: one.pattern,
        url_template: one.urlTemplate,
        ...(one.exampleInput !== null && { example_input: one.exampleInput }),
        ...(one.reverseTemplate !== null && { reverse_template: one.reverseTemplate }),
        ...(one.alternativeUrlTemplates.length > 0 && {
          alternative_url_templates: [...one.alternativeUrlTemplates],
        }),
      }),
    ),
    ...listPlaygrounds(sql).map(
      ({ name, pygmentsLanguage, urlTemplate }): NeutralRecord => ({
        type: 'playground',
        name,
        language: pygmentsLanguage,
        url_template: urlTemplate,
      }),
    ),
    ...listDomains(sql).map(
      ({ domain, allowsSubdomains }): NeutralRecord => ({
        type: 'domain',
        domain,
        subdomains: allowsSubdomains,
      }),
    ),
    ...listDefaultGroups(sql).map(
      ({ name, description, channelIds }): NeutralRecord => ({
        type: 'default_channel_group',
        name,
        description,
        channels: channelIds.filter(isIncluded).map(String),
      }),
    ),
  ]
}

/** Returns who has each of some permissions. */
export function permissionsIn(settings: object): Record<string, Permission> {
  return Object.fromEntries(
    Object.entries<GroupSettingValue>(settings as Record<string, GroupSettingValue>).map(([name, value]) => [
      name,
      permissionOf(value),
    ]),
  )
}

/** Returns who has a permission. Without groups and users, nobody has it. */
function permissionOf(value: GroupSettingValue): Permission {
  if (typeof value === 'number') return { groups: [groupOf(value)] }
  const groups = value.direct_subgroups.map(groupOf)
  const users = value.direct_members.map(String)
  if (groups.length + users.length === 0) return { groups: ['role:nobody'] }
  return { ...(groups.length > 0 && { groups }), ...(users.length > 0 && { users }) }
}

function groupOf(id: number): string {
  return systemGroupById(id)?.name ?? String(id)
}
