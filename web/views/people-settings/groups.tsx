import { useState } from 'preact/hooks'
import { changeGroup, changeMembers, createGroup, setGroupPermission } from '../../actions/accounts.ts'
import { state, watch } from '../../chat.ts'
import type { UserGroup } from '../../state/chat-state.ts'
import {
  mayAddMembers,
  mayCreateGroup,
  mayJoinGroup,
  mayLeaveGroup,
  mayManageGroup,
  mayRejoinGroup,
  mayRemoveMembers,
} from '../../state/group-permissions.ts'
import { alwaysInGroup } from '../../state/permission-values.ts'
import { isUserNamed } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Part, type SectionProps, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'
import { GroupSettingRow, groupName } from '../settings/group-setting-row.tsx'
import { PickPerson, Picks } from '../settings/people-row.tsx'
import { realName } from '../words.ts'
import { refusalToDeactivate } from './group-uses.ts'

/**
 * The views `#groups/all`, `#groups/12/editors`: people who are mentioned, or have a permission, together.
 */
export function GroupsSection({ path }: SectionProps) {
  watch('group', 'me', 'organization')
  const id = Number(path[0])
  const group = Number.isInteger(id) ? state.groups.get(id) : undefined
  return group ? <GroupSettings key={id} group={group} /> : <GroupList />
}

function GroupList() {
  const own = [...state.groups.values()]
    .filter((group) => !group.is_system_group)
    .sort((a, b) => Number(a.deactivated) - Number(b.deactivated) || a.name.localeCompare(b.name))
  return (
    <>
      <Part hint={s.groups.hint}>
        {own.length === 0 ? (
          <p class="setting-nothing">{s.groups.nothing}</p>
        ) : (
          <ul class="items">
            {own.map((group) => (
              <li key={group.id} class="item">
                <a class="item-main group-link" href={`#groups/${group.id}`}>
                  {group.name} {group.deactivated && <span class="soft">({s.deactivated})</span>}
                  <span class="small soft">
                    {t.channels.subscribers(group.members.size)}
                    {group.description && ` · ${group.description}`}
                  </span>
                </a>
                <OwnMembership group={group} />
              </li>
            ))}
          </ul>
        )}
      </Part>
      {mayCreateGroup(state) && (
        <Part title={s.groups.create}>
          <CreateGroup />
        </Part>
      )}
    </>
  )
}

/** A form for a new group, with the user in it at first. */
function CreateGroup() {
  const [people, setPeople] = useState<readonly number[]>([state.me])
  return (
    <ActForm
      kind="main"
      button={s.create}
      onAct={(form) =>
        refusalOf(
          createGroup(String(form.get('name')).trim(), String(form.get('description')).trim(), people).then(
            (id) => {
              location.hash = `#groups/${id}`
            },
          ),
        )
      }
    >
      <label class="labelled">
        <span>{s.profile.name}</span>
        <input class="field" name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label class="labelled">
        <span>{t.optional(s.groups.description)}</span>
        <input class="field" name="description" maxLength={1024} autocomplete="off" />
      </label>
      <PickPerson
        label={s.channels.addPeople}
        button={s.add}
        isLeftOut={({ user_id }) => people.includes(user_id)}
        onPick={(id) => setPeople([...people, id])}
      />
      <Picks ids={people} onRemove={(id) => setPeople(people.filter((one) => one !== id))} />
    </ActForm>
  )
}

/** Buttons for joining and leaving. */
function OwnMembership({ group }: { readonly group: UserGroup }) {
  const { id, name, deactivated, members } = group
  if (deactivated) return null
  const mayJoin = mayJoinGroup(state, group)
  const join = () => changeMembers(id, { add: [state.me] })
  if (!members.has(state.me)) {
    return mayJoin ? (
      <ActButton label={`${t.channels.join}: ${name}`} onAct={() => refusalOf(join())}>
        {t.channels.join}
      </ActButton>
    ) : null
  }
  if (!mayLeaveGroup(state, group)) return null
  const leave = () => changeMembers(id, { delete: [state.me] })
  const mayRejoin = mayRejoinGroup(state, group)
  return (
    <ActButton
      label={`${t.channels.leave}: ${name}`}
      question={mayRejoin ? undefined : { title: s.groups.leaveQuestion(name), text: s.groups.leaveWarning }}
      onAct={() => (mayRejoin ? undoable(leave(), s.groups.left(name), join) : refusalOf(leave()))}
    >
      {t.channels.leave}
    </ActButton>
  )
}

const PERMISSIONS = [
  'can_mention_group',
  'can_join_group',
  'can_leave_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_manage_group',
] as const

function GroupSettings({ group }: { readonly group: UserGroup }) {
  const { id, name, description, deactivated } = group
  const mayManage = mayManageGroup(state, group)
  return (
    <>
      <p class="settings-way-back">
        <a href="#groups/all">{s.groups.all}</a>
      </p>
      <Part title={name}>
        {mayManage ? (
          <>
            <TextRow
              label={s.profile.name}
              value={name}
              required
              maxLength={100}
              disabled={deactivated}
              onSave={(wanted) => refusalOf(changeGroup(id, { name: wanted.trim() }))}
            />
            <TextRow
              label={s.groups.description}
              value={description}
              maxLength={1024}
              disabled={deactivated}
              onSave={(wanted) => refusalOf(changeGroup(id, { description: wanted.trim() }))}
            />
          </>
        ) : (
          <p>{description}</p>
        )}
        <OwnMembership group={group} />
      </Part>
      <Members groupId={id} />
      <Subgroups groupId={id} />
      {mayManage && (
        <Part title={s.channels.parts.permissions}>
          {PERMISSIONS.map((permission) => (
            <GroupSettingRow
              key={permission}
              level="group"
              name={permission}
              label={s.groups.permissions[permission]}
              value={group[permission]}
              always={alwaysInGroup(state, group, permission)}
              disabled={deactivated}
              onSave={(value) => refusalOf(setGroupPermission(id, permission, value))}
            />
          ))}
        </Part>
      )}
      {mayManage && (
        <Part title={s.groups.end} hint={s.groups.endHint}>
          {deactivated ? (
            <ActButton onAct={() => refusalOf(changeGroup(id, { deactivated: false }))}>
              {s.reactivate}
            </ActButton>
          ) : (
            <ActButton
              kind="danger"
              question={{ title: s.groups.endQuestion(name), text: s.groups.endHint }}
              onAct={() => refusalToDeactivate(id)}
            >
              {s.groups.end}
            </ActButton>
          )}
        </Part>
      )}
    </>
  )
}

/** Number of rows of members; a filter finds the others. */
const SHOWN_MEMBERS = 200
/** Number of members from which on there is a filter. */
const FILTERED_FROM = 10

function Members({ groupId }: { readonly groupId: number }) {
  watch('user', `group ${groupId}`, 'me')
  const [refusal, setRefusal] = useState<string>()
  const [words, setWords] = useState('')
  const group = state.groups.get(groupId)
  if (!group) return null
  const members = [...group.members]
    .filter((id) => isNamed(id, words))
    .sort((a, b) => realName(a).localeCompare(realName(b)))
  const mayRemove = mayRemoveMembers(state, group) && !group.deactivated
  return (
    <Part title={s.groups.members}>
      {mayAddMembers(state, group) && !group.deactivated && (
        <PickPerson
          label={s.channels.addPeople}
          button={s.add}
          isLeftOut={({ user_id }) => group.members.has(user_id)}
          onPick={async (userId) => setRefusal(await refusalOf(changeMembers(groupId, { add: [userId] })))}
        />
      )}
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {group.members.size >= FILTERED_FROM && (
        <div class="settings-filter">
          <input
            class="field"
            type="search"
            aria-label={t.inbox.filter}
            placeholder={t.inbox.filter}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
      )}
      {members.length === 0 ? (
        <p class="setting-nothing">{group.members.size === 0 ? s.groups.noMembers : t.people.nobody}</p>
      ) : (
        <ul class="items spaced">
          {members.slice(0, SHOWN_MEMBERS).map((userId) => (
            <li key={userId} class="item">
              <Avatar url={state.users.get(userId)?.avatar_url} name={realName(userId)} size={24} />
              <span class="item-main one-line">{realName(userId)}</span>
              {mayRemove && (
                <ActButton
                  label={s.remove(realName(userId))}
                  onAct={() =>
                    undoable(changeMembers(groupId, { delete: [userId] }), s.removed(realName(userId)), () =>
                      changeMembers(groupId, { add: [userId] }),
                    )
                  }
                >
                  {s.removeShort}
                </ActButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {members.length > SHOWN_MEMBERS && (
        <p class="setting-nothing">{s.channels.moreByFilter(members.length - SHOWN_MEMBERS)}</p>
      )}
    </Part>
  )
}

function isNamed(userId: number, words: string): boolean {
  const user = state.users.get(userId)
  return user === undefined ? words.trim() === '' : isUserNamed(user, words)
}

/** Groups whose members are members of this one. */
function Subgroups({ groupId }: { readonly groupId: number }) {
  watch('group', 'me')
  const group = state.groups.get(groupId)
  if (!group) return null
  const inner = group.direct_subgroup_ids
  const mayAdd = mayAddMembers(state, group) && !group.deactivated
  const others = [...state.groups.values()]
    .filter(
      ({ id, deactivated, name }) =>
        id !== groupId && !inner.includes(id) && !deactivated && name !== 'role:internet',
    )
    .sort((a, b) => groupName(a.id).localeCompare(groupName(b.id)))
  return (
    <Part title={s.groups.subgroups}>
      {inner.length === 0 && <p class="setting-nothing">{s.groups.noSubgroups}</p>}
      {inner.length > 0 && (
        <ul class="items">
          {inner.map((id) => (
            <li key={id} class="item">
              <span class="item-main">{groupName(id)}</span>
              {mayRemoveMembers(state, group) && !group.deactivated && (
                <ActButton
                  label={s.remove(groupName(id))}
                  onAct={() =>
                    undoable(
                      changeMembers(groupId, { delete_subgroups: [id] }),
                      s.removed(groupName(id)),
                      () => changeMembers(groupId, { add_subgroups: [id] }),
                    )
                  }
                >
                  {s.removeShort}
                </ActButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdd && (
        <ActForm
          line
          button={s.add}
          onAct={(form) => refusalOf(changeMembers(groupId, { add_subgroups: [Number(form.get('group'))] }))}
        >
          <label class="labelled">
            <span>{s.groups.addSubgroup}</span>
            <select class="field" name="group">
              {others.map(({ id }) => (
                <option key={id} value={id} dir="auto">
                  {groupName(id)}
                </option>
              ))}
            </select>
          </label>
        </ActForm>
      )}
    </Part>
  )
}
