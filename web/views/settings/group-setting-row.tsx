import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { ChoiceRow, SaveMark } from '../../ui/setting-row.tsx'
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

/** Returns the groups to which a permission may be given, with their names. */
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

/** Returns the names in a permission: `Administrators, Ada`. */
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
  /** The setting's API name. */
  readonly name: string
  readonly label: string
  readonly value: GroupSettingValue | undefined
  readonly disabled?: boolean
  readonly onSave: Save<GroupSettingValue>
}

/**
 * The setting of a permission: one of the groups; several groups, and people by name, where the setting
 * allows that.
 */
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
  const saveParts = useParts(value, onSave)
  if (value === undefined) return null
  const choices = groupChoices(level, name)
  const isAmongThem = choices.some(([one]) => JSON.stringify(one) === JSON.stringify(value))
  const takesSeveral =
    state.server.server_supported_permission_settings[level][name]?.require_system_group === false
  const parts = partsOf(value)
  const isSeveral = typeof value !== 'number'
  return (
    <>
      <ChoiceRow<GroupSettingValue>
        label={label}
        value={value}
        choices={isAmongThem ? choices : [[value, permissionName(value)], ...choices]}
        disabled={disabled}
        onSave={onSave}
      />
      {takesSeveral && (isOpen || isSeveral) && (
        <div class="setting-parts">
          <GroupsRow
            label={s.theseGroups(label)}
            value={parts.direct_subgroups}
            choices={choices.map(([id]) => id as number).filter((id) => !isNobody(id))}
            disabled={disabled}
            onSave={(ids) => saveParts({ direct_subgroups: ids })}
          />
          <PeopleRow
            label={s.andThesePeople(label)}
            value={parts.direct_members}
            disabled={disabled}
            onSave={(ids) => saveParts({ direct_members: ids })}
          />
        </div>
      )}
      {takesSeveral && !disabled && !isOpen && !isSeveral && (
        <button type="button" class="setting-more" onClick={() => setOpen(true)}>
          {s.addGroupsOrPeople}
          <span class="hidden-text">: {label}</span>
        </button>
      )}
    </>
  )
}

interface GroupsRowProps {
  readonly label: string
  readonly value: readonly number[]
  /** All groups that may be among them. */
  readonly choices: readonly number[]
  readonly disabled: boolean
  readonly onSave: Save<readonly number[]>
}

/** A setting that is a list of groups. */
function GroupsRow({ label, value, choices, disabled, onSave }: GroupsRowProps) {
  const { shown, state: saved, refusal, save } = useSaving(value, onSave)
  const id = useId()
  const others = choices.filter((one) => !shown.includes(one))
  return (
    <fieldset class="setting-row" aria-labelledby={id}>
      <div class="setting-label">
        <span id={id}>{label}</span>
        {shown.length > 0 && (
          <ul class="people-picks">
            {shown.map((one) => (
              <li key={one} class="people-pick">
                {groupName(one)}
                <IconButton
                  icon="close"
                  label={s.remove(groupName(one))}
                  disabled={disabled}
                  onClick={() => save(shown.filter((other) => other !== one))}
                />
              </li>
            ))}
          </ul>
        )}
        {!disabled && others.length > 0 && (
          <select
            class="field"
            aria-label={s.addGroup}
            value=""
            onChange={(event) => {
              const one = Number(event.currentTarget.value)
              event.currentTarget.value = ''
              if (one) save([...shown, one])
            }}
          >
            <option value="">{s.addGroup}</option>
            {others.map((one) => (
              <option key={one} value={String(one)}>
                {groupName(one)}
              </option>
            ))}
          </select>
        )}
      </div>
      <SaveMark state={saved} />
      <Refusal>{refusal}</Refusal>
    </fieldset>
  )
}

interface Parts {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

function isNobody(groupId: number): boolean {
  return state.groups.get(groupId)?.name === 'role:nobody'
}

/** Returns the parts of a value: "nobody" is no group beside others. */
function partsOf(value: GroupSettingValue): Parts {
  if (typeof value !== 'number') return value
  return { direct_members: [], direct_subgroups: isNobody(value) ? [] : [value] }
}

/** Milliseconds in which an accepted change must come as an event. */
const EVENT_PATIENCE = 4_000

/**
 * Changes one of the parts, together with requested changes of the other that have not come as an event yet.
 */
function useParts(
  value: GroupSettingValue | undefined,
  onSave: Save<GroupSettingValue>,
): Save<Partial<Parts>> {
  const pending = useRef<GroupSettingValue[]>([])
  const known = JSON.stringify(value)
  const drop = (change: string) => {
    const at = pending.current.findIndex((one) => JSON.stringify(one) === change)
    pending.current.splice(0, at + 1)
  }
  useEffect(() => drop(known), [known])
  return async (changes) => {
    const wanted = wholeOf({ ...partsOf(pending.current.at(-1) ?? value!), ...changes })
    pending.current.push(wanted)
    const said = await onSave(wanted)
    const forget = () => drop(JSON.stringify(wanted))
    if (said === undefined) setTimeout(forget, EVENT_PATIENCE)
    else forget()
    return said
  }
}

/** A single group is written as its number. */
function wholeOf({ direct_members, direct_subgroups }: Parts): GroupSettingValue {
  const [group] = direct_subgroups
  if (direct_members.length === 0 && direct_subgroups.length === 1) return group!
  return { direct_members: [...direct_members], direct_subgroups: [...direct_subgroups] }
}
