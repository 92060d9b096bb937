import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import type { Save } from '../../ui/saving.ts'
import { ChoiceRow } from '../../ui/setting-row.tsx'
import { PeopleRow } from './people-row.tsx'

/** System groups, from the many to the few. */
const ORDER = [
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
  'role:nobody',
]

export type PermissionLevel = 'realm' | 'stream' | 'group'

/** The groups that a permission may be given to, with their names. */
export function groupChoices(level: PermissionLevel, name: string): (readonly [GroupSettingValue, string])[] {
  const support = state.server.server_supported_permission_settings[level][name]
  const groups = [...state.groups.values()].filter(({ deactivated }) => !deactivated)
  const ofSystem = groups
    .filter((group) => group.is_system_group && ORDER.includes(group.name))
    .filter((group) => {
      if (!support) return true
      if (support.allowed_system_groups.length > 0) return support.allowed_system_groups.includes(group.name)
      if (group.name === 'role:everyone') return support.allow_everyone_group
      return group.name !== 'role:nobody' || support.allow_nobody_group
    })
    .sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name))
  const own = support?.require_system_group ? [] : groups.filter((group) => !group.is_system_group)
  own.sort((a, b) => a.name.localeCompare(b.name))
  return [...ofSystem, ...own].map(({ id }) => [id, groupName(id)] as const)
}

export function groupName(id: number): string {
  const group = state.groups.get(id)
  if (!group) return s.unknownGroup
  return (s.systemGroups as Readonly<Record<string, string>>)[group.name] ?? group.name
}

/** `Administrators, Ada`: who is named by a permission. */
export function permissionName(value: GroupSettingValue): string {
  if (typeof value === 'number') return groupName(value)
  const names = [
    ...value.direct_subgroups.map(groupName),
    ...value.direct_members.map((id) => state.users.get(id)?.full_name ?? t.unknownPerson),
  ]
  return names.length === 0 ? groupNameOf('role:nobody') : listed(names)
}

function groupNameOf(name: string): string {
  return (s.systemGroups as Readonly<Record<string, string>>)[name] ?? name
}

interface GroupSettingRowProps {
  readonly level: PermissionLevel
  /** By its API name. */
  readonly name: string
  readonly label: string
  readonly value: GroupSettingValue | undefined
  readonly disabled?: boolean
  readonly onSave: Save<GroupSettingValue>
}

/** Who may do something: one of the groups, and people by name where the setting takes them. */
export function GroupSettingRow({
  level,
  name,
  label,
  value,
  disabled = false,
  onSave,
}: GroupSettingRowProps) {
  watch('group', 'user')
  const [isOpen, setOpen] = useState(false)
  if (value === undefined) return null
  const choices = groupChoices(level, name)
  const isAmongThem = choices.some(([one]) => JSON.stringify(one) === JSON.stringify(value))
  const takesPeople =
    state.server.server_supported_permission_settings[level][name]?.require_system_group === false
  const { direct_members, direct_subgroups } = partsOf(value)
  const savePeople = (ids: readonly number[]) => onSave(wholeOf({ direct_members: ids, direct_subgroups }))
  return (
    <>
      <ChoiceRow<GroupSettingValue>
        label={label}
        value={value}
        choices={isAmongThem ? choices : [[value, permissionName(value)], ...choices]}
        disabled={disabled}
        onSave={onSave}
      />
      {takesPeople && (isOpen || direct_members.length > 0) && (
        <PeopleRow
          label={s.andThesePeople(label)}
          value={direct_members}
          disabled={disabled}
          onSave={savePeople}
        />
      )}
      {takesPeople && !disabled && !isOpen && direct_members.length === 0 && (
        <button type="button" class="setting-more" onClick={() => setOpen(true)}>
          {s.addSinglePeople}
          <span class="hidden-text">: {label}</span>
        </button>
      )}
    </>
  )
}

interface Parts {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** Nobody is no group of its own beside people. */
function partsOf(value: GroupSettingValue): Parts {
  if (typeof value !== 'number') return value
  const isNobody = state.groups.get(value)?.name === 'role:nobody'
  return { direct_members: [], direct_subgroups: isNobody ? [] : [value] }
}

/** One group alone is written as its number. */
function wholeOf({ direct_members, direct_subgroups }: Parts): GroupSettingValue {
  const [group] = direct_subgroups
  if (direct_members.length === 0 && direct_subgroups.length === 1) return group!
  return { direct_members: [...direct_members], direct_subgroups: [...direct_subgroups] }
}
