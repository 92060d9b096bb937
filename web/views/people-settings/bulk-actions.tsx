import { useState } from 'preact/hooks'
import { changeMembers, changeRole, deactivateUser } from '../../actions/accounts.ts'
import { addSubscribers } from '../../actions/channel-settings.ts'
import { state, watch } from '../../chat.ts'
import { mayAddSubscribers } from '../../state/channel-permissions.ts'
import { mayAddMembers } from '../../state/group-permissions.ts'
import { rolesToGive } from '../../state/roles-to-give.ts'
import type { Role, User } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { ownerQuestion } from './owner-question.ts'

interface BulkActionsProps {
  readonly users: readonly User[]
  readonly onDone: () => void
}

type Kind = 'role' | 'channel' | 'group'

/** The actions on several people at once. */
export function BulkActions({ users, onDone }: BulkActionsProps) {
  watch('channel', 'group', 'me')
  const [asked, setAsked] = useState<Kind>()
  const deactivate = async () => {
    const refusal = await inTurn(users, ({ user_id }) => deactivateUser(user_id))
    if (refusal === undefined) {
      announce(about(users, s.people.deactivated, s.bulk.deactivated))
      onDone()
    }
    return refusal
  }
  return (
    <>
      <Button onClick={() => setAsked('role')}>{s.bulk.role}</Button>
      <Button onClick={() => setAsked('channel')}>{s.bulk.channel}</Button>
      <Button onClick={() => setAsked('group')}>{s.bulk.group}</Button>
      <ActButton
        kind="danger"
        question={{
          title: about(users, s.people.deactivateQuestion, s.bulk.deactivateQuestion),
          text: s.people.deactivateHint,
        }}
        onAct={deactivate}
      >
        {s.deactivate}
      </ActButton>
      {asked && <Target kind={asked} users={users} onClose={() => setAsked(undefined)} onDone={onDone} />}
    </>
  )
}

/** Returns a sentence that names the one person, or counts several. */
function about(
  users: readonly User[],
  one: (name: string) => string,
  several: (count: number) => string,
): string {
  const [first] = users
  return first && users.length === 1 ? one(first.full_name) : several(users.length)
}

interface TargetProps extends BulkActionsProps {
  readonly kind: Kind
  readonly onClose: () => void
}

/** Asks for the role, channel or group that all of them get. */
function Target({ kind, users, onClose, onDone }: TargetProps) {
  const choices = choicesOf(kind)
  return (
    <Dialog title={s.bulk[kind]} onClose={onClose}>
      <ActForm
        kind="main"
        button={kind === 'role' ? s.bulk.change(users.length) : s.bulk.add(users.length)}
        questionFor={(form) =>
          kind === 'role'
            ? ownerQuestion(Number(form.get('target')), about(users, s.people.makeOwner, s.bulk.makeOwners))
            : undefined
        }
        onAct={(form) => give(kind, users, Number(form.get('target')))}
        onDone={() => {
          announce(about(users, s.people.updated, s.bulk.changed))
          onClose()
          onDone()
        }}
        onCancel={onClose}
      >
        <label class="labelled">
          <span>{s.bulk.targets[kind]}</span>
          <select class="field" name="target" required>
            {/* Nothing is chosen at first, since the first role would take rights away. */}
            <option value="" />
            {choices.map(([id, name]) => (
              <option key={id} value={id} dir="auto">
                {name}
              </option>
            ))}
          </select>
        </label>
      </ActForm>
    </Dialog>
  )
}

function choicesOf(kind: Kind): readonly (readonly [number, string])[] {
  if (kind === 'role') {
    return rolesToGive(state)
      .toReversed()
      .map((role) => [role, t.roles[role] ?? ''] as const)
  }
  const found: (readonly [number, string])[] =
    kind === 'channel'
      ? [...state.channels.values()]
          .filter((channel) => mayAddSubscribers(state, channel))
          .map(({ stream_id, name }) => [stream_id, `#${name}`])
      : [...state.groups.values()]
          .filter((group) => !group.deactivated && mayAddMembers(state, group))
          .map(({ id, name }) => [id, `@${name}`])
  return found.toSorted(([, a], [, b]) => a.localeCompare(b))
}

async function give(kind: Kind, users: readonly User[], target: number): Promise<string | undefined> {
  const ids = users.map(({ user_id }) => user_id)
  if (kind === 'role') return inTurn(users, ({ user_id }) => changeRole(user_id, target as Role))
  if (kind === 'channel') return refusalOf(addSubscribers(state.channels.get(target)!.name, ids))
  const { members } = state.groups.get(target)!
  const added = ids.filter((id) => !members.has(id))
  return added.length === 0 ? undefined : refusalOf(changeMembers(target, { add: added }))
}

/** Changes the people one by one, since the server has no request for several. The first refusal stops it, and names the person. */
async function inTurn(
  users: readonly User[],
  act: (user: User) => Promise<void>,
): Promise<string | undefined> {
  for (const user of users) {
    const refusal = await refusalOf(act(user))
    if (refusal !== undefined) return user.full_name + t.colon + refusal
  }
  return undefined
}
