import './grants.css'
import { useRef, useState } from 'preact/hooks'
import { normaliseGroupSetting } from '../../../src/rules/group-setting-values.ts'
import { systemGroupId } from '../../../src/rules/system-groups.ts'
import { state, watch } from '../../chat.ts'
import { type PermissionParts, unionOf, WIDEST_FIRST, widthOf } from '../../state/permission-values.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { SaveMark } from '../../ui/setting-row.tsx'
import { tip } from '../../ui/tooltip.ts'
import { PickGrant } from './pick-grant.tsx'

/** Ids of the system groups, from the many to the few. */
const ORDER = [...WIDEST_FIRST, systemGroupId('role:nobody')]

export type PermissionLevel = 'realm' | 'stream' | 'group'

/** Returns the groups to which a permission may be given, with their names. */
export function groupChoices(level: PermissionLevel, name: string): (readonly [GroupSettingValue, string])[] {
  const support = state.server.server_supported_permission_settings[level][name]
  const groups = [...state.groups.values()].filter(({ deactivated }) => !deactivated)
  const ofSystem = groups
    .filter((group) => ORDER.includes(group.id))
    .filter((group) => {
      if (!support) return true
      if (support.allowed_system_groups.length > 0) return support.allowed_system_groups.includes(group.name)
      if (group.name === 'role:everyone') return support.allow_everyone_group
      return group.name !== 'role:nobody' || support.allow_nobody_group
    })
    .sort((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))
  const own = support?.require_system_group ? [] : groups.filter((group) => !group.is_system_group)
  own.sort((a, b) => a.name.localeCompare(b.name))
  return [...ofSystem, ...own].map(({ id }) => [id, groupName(id)] as const)
}

export function groupName(id: number): string {
  const group = state.groups.get(id)
  if (!group) return s.unknownGroup
  return wordFor(s.systemGroups, group.name) ?? group.name
}

/** Returns a group's name where it stands among people: `Administrators`, `@editors`. */
function chipName(id: number): string {
  return state.groups.get(id)?.is_system_group === false ? `@${groupName(id)}` : groupName(id)
}

const NO_PARTS: PermissionParts = { direct_members: [], direct_subgroups: [] }

/** Returns who has a permission: `Administrators, Ada and @editors`. `always`: who has it whatever its value is. */
export function permissionName(value: GroupSettingValue, always: PermissionParts = NO_PARTS): string {
  const { direct_members, direct_subgroups } = unionOf([always, value])
  const names = [...direct_subgroups.map(chipName), ...direct_members.map(personName)]
  return names.length === 0 ? s.systemGroups['role:nobody'] : listed(names)
}

function personName(id: number): string {
  return state.users.get(id)?.full_name ?? t.unknownPerson
}

interface GroupSettingRowProps {
  readonly level: PermissionLevel
  /** The setting's API name. */
  readonly name: string
  readonly label: string
  readonly value: GroupSettingValue | undefined
  /** Who has the permission whatever is chosen. */
  readonly always?: PermissionParts
  readonly disabled?: boolean
  readonly onSave: Save<GroupSettingValue>
}

/**
 * A permission as a sentence: those who always have it, a role, and groups and people who have it besides.
 */
export function GroupSettingRow(props: GroupSettingRowProps) {
  watch('group', 'user')
  const { value, ...others } = props
  return value === undefined ? null : <GrantRow {...others} value={value} />
}

function GrantRow({
  level,
  name,
  label,
  value,
  always = NO_PARTS,
  disabled = false,
  onSave,
}: GroupSettingRowProps & { readonly value: GroupSettingValue }) {
  const { shown, state: saved, refusal, save } = useSaving(value, onSave)
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  /** Takes the focus of a chip that is removed. */
  const leave = () => addButton.current?.focus()
  const parts = unionOf([shown])
  const isRole = (id: number) => widthOf(id) >= 0
  const role = parts.direct_subgroups.find(isRole)
  const groups = parts.direct_subgroups.filter((id) => !isRole(id))
  const people = parts.direct_members
  // Those who have the permission anyway are named once.
  const otherPeople = people.filter((id) => !always.direct_members.includes(id))
  const otherGroups = groups.filter((id) => !always.direct_subgroups.includes(id))
  const isAlone = otherGroups.length + otherPeople.length === 0
  const hasAlways = always.direct_members.length + always.direct_subgroups.length > 0
  const takesSeveral =
    state.server.server_supported_permission_settings[level][name]?.require_system_group === false
  const set = (changes: {
    role?: number | undefined
    groups?: readonly number[]
    people?: readonly number[]
  }) => {
    const next = { role, groups, people, ...changes }
    const direct_subgroups = [...(next.role === undefined ? [] : [next.role]), ...next.groups]
    save(normaliseGroupSetting({ direct_members: next.people, direct_subgroups }))
  }
  const alwaysNames = [...always.direct_subgroups.map(chipName), ...always.direct_members.map(personName)]
  const none = hasAlways ? s.permissions.noOneElse : s.systemGroups['role:nobody']
  const nobody = isAlone ? none : s.permissions.onlyThese
  // Nothing can be added to it then, but other groups and people can be removed.
  const isEverybodys = widthOfRoles(always) === 0
  const chosen = addsNobody(always, role) ? undefined : role
  const roles = rolesOf(level, name, always, chosen, !isAlone)
  return (
    <div class="setting-row">
      <div class="setting-label setting-wide">
        <span>{label}</span>
        <div class="grants">
          {alwaysNames.map((one) => (
            <span key={one} class="grant grant-fixed">
              {one}
            </span>
          ))}
          {!isEverybodys && (
            <select
              class="field grant-role"
              aria-label={label}
              disabled={disabled}
              value={String(chosen ?? '')}
              onChange={(event) => {
                const { value: picked } = event.currentTarget
                set({ role: picked === '' ? undefined : Number(picked) })
              }}
            >
              {roles.map((id) => (
                <option key={id} value={id === undefined ? '' : String(id)} dir="auto">
                  {id === undefined ? nobody : groupName(id)}
                </option>
              ))}
            </select>
          )}
          {otherGroups.map((id) => (
            <Chip
              key={`group ${id}`}
              name={chipName(id)}
              disabled={disabled}
              onRemove={() => {
                leave()
                set({ groups: groups.filter((one) => one !== id) })
              }}
            />
          ))}
          {otherPeople.map((id) => (
            <Chip
              key={id}
              name={personName(id)}
              disabled={disabled}
              onRemove={() => {
                leave()
                set({ people: people.filter((one) => one !== id) })
              }}
            />
          ))}
          {takesSeveral && !disabled && !isEverybodys && (
            <button
              ref={addButton}
              type="button"
              class="icon-button grant-add"
              aria-label={s.permissions.addTo(label)}
              {...tip(s.permissions.addTo(label))}
              onClick={() => setAdding(true)}
            >
              <Icon name="plus" />
            </button>
          )}
          {isAdding && addButton.current && (
            <PickGrant
              anchor={addButton.current}
              label={s.permissions.addTo(label)}
              isLeftOut={(kind, id) => (kind === 'group' ? groups : people).includes(id)}
              onPick={(kind, id) =>
                set(kind === 'group' ? { groups: [...groups, id] } : { people: [...people, id] })
              }
              onClose={() => setAdding(false)}
            />
          )}
        </div>
      </div>
      <SaveMark state={saved} />
      <Refusal>{refusal}</Refusal>
    </div>
  )
}

function Chip({
  name,
  disabled,
  onRemove,
}: {
  readonly name: string
  readonly disabled: boolean
  readonly onRemove: () => void
}) {
  return (
    <span class="grant">
      {name}
      {!disabled && <IconButton icon="close" label={s.remove(name)} onClick={onRemove} />}
    </span>
  )
}

function widthOfRoles({ direct_subgroups }: PermissionParts): number {
  return Math.min(...direct_subgroups.map((id) => widthOf(id)).filter((width) => width >= 0))
}

/** Whether a role is that of administrators or owners, and those have the permission anyway. */
function addsNobody(always: PermissionParts, role: number | undefined): boolean {
  if (role === undefined) return false
  const { name } = state.groups.get(role)!
  const isAtTop = name === 'role:administrators' || name === 'role:owners'
  return isAtTop && widthOf(role) >= widthOfRoles(always)
}

/**
 * Returns the roles to choose from, undefined for none, without those whose people always have the permission.
 */
function rolesOf(
  level: PermissionLevel,
  name: string,
  always: PermissionParts,
  present: number | undefined,
  isNoneChosen: boolean,
): readonly (number | undefined)[] {
  const widest = widthOfRoles(always)
  const offered = groupChoices(level, name).map(([id]) => id as number)
  const wider = offered.filter((id) => {
    const width = widthOf(id)
    return id === present || (width >= 0 && width < widest)
  })
  const isNobodyOffered = offered.some((id) => state.groups.get(id)?.name === 'role:nobody')
  const roles = present === undefined || wider.includes(present) ? wider : [present, ...wider]
  return isNobodyOffered || isNoneChosen || present === undefined ? [...roles, undefined] : roles
}
