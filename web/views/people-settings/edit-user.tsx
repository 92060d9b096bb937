import { useState } from 'preact/hooks'
import {
  changeRole,
  deactivateUser,
  ERASED,
  renameUser,
  saveFieldOf,
  setStatusOf,
} from '../../actions/accounts.ts'
import { loadUsersWithSecondFactors, resetSecondFactors } from '../../actions/second-factors.ts'
import { state, watch } from '../../chat.ts'
import { isAdministrator, isOwner } from '../../state/own-permissions.ts'
import { mayChangeRole, mayResetSecondFactors } from '../../state/people-permissions.ts'
import { rolesToGive } from '../../state/roles-to-give.ts'
import type { Role, User } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceRow, Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'
import { ProfileFieldRow } from '../settings/profile-field-row.tsx'
import { ErasePerson } from './erase-person.tsx'
import { ownerQuestion } from './owner-question.ts'

/** The properties of a user's account that administrators may change. */
export function EditUser({ userId, onClose }: { readonly userId: number; readonly onClose: () => void }) {
  watch(`user ${userId}`, `status ${userId}`, 'me', 'profile fields')
  const user = state.users.get(userId)
  if (!user) return null
  return (
    <Dialog wide title={user.full_name} onClose={onClose}>
      {/* Several people may have one name. */}
      {user.delivery_email && <p class="small soft">{user.delivery_email}</p>}
      <div class="dialog-rows">
        <TextRow
          label={s.profile.name}
          value={user.full_name}
          required
          maxLength={100}
          onSave={(name) => refusalOf(renameUser(userId, name))}
        />
        {mayChangeRole(state, user) && <RoleRow user={user} onSave={(role) => changeRole(userId, role)} />}
        <TextRow
          label={t.settings.status}
          value={state.statuses.get(userId)?.status_text ?? ''}
          maxLength={60}
          onSave={(text) => refusalOf(setStatusOf(userId, text.trim()))}
        />
        {state.profileFields.map((field) => (
          <ProfileFieldRow
            key={field.id}
            field={field}
            user={user}
            onSave={(value) => refusalOf(saveFieldOf(userId, field.id, value))}
          />
        ))}
        {isAdministrator(state) && <Access user={user} />}
        <Farewells user={user} onDone={onClose} />
      </div>
    </Dialog>
  )
}

/** The role of a user. Making an owner needs a confirmation. */
export function RoleRow({
  user,
  onSave,
}: {
  readonly user: User
  readonly onSave: (role: Role) => Promise<void>
}) {
  return (
    <ChoiceRow
      label={s.people.role}
      value={user.role}
      choices={rolesToGive(state, user).map((role) => [role, t.roles[role] ?? ''] as const)}
      questionFor={(role) =>
        ownerQuestion(role, s.people.makeOwner(user.full_name), s.people.makeOwnerButton)
      }
      onSave={(role) => refusalOf(onSave(role))}
    />
  )
}

/** How a user logs in. */
function Access({ user }: { readonly user: User }) {
  const fetched = useFetched(loadUsersWithSecondFactors)
  const { value: secured, reload, refusal } = fetched
  return (
    <Part title={s.people.access} hint={s.people.accessHint}>
      {refusal !== undefined && <FetchFailed of={fetched} />}
      {secured?.has(user.user_id) && mayResetSecondFactors(state, user) && (
        <ActButton
          kind="danger"
          question={{ title: s.security.resetQuestion(user.full_name), text: s.security.resetHint }}
          onAct={() => refusalOf(resetSecondFactors(user.user_id).then(reload))}
        >
          {s.security.reset}
        </ActButton>
      )}
    </Part>
  )
}

/** Closes an account, with or without a mail and the deletion of its data. */
function Farewells({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [tells, setTells] = useState(false)
  const [isErasing, setErasing] = useState(false)
  const { user_id, full_name } = user
  return (
    <>
      {/* Stays behind the dialog, which gives the focus back to it. */}
      <p class="spaced-button">
        <Button kind="danger" onClick={() => setOpen(true)}>
          {s.deactivate}
        </Button>
        {isOwner(state) && (
          <Button kind="danger" onClick={() => setErasing(true)}>
            {s.erasure.more}
          </Button>
        )}
      </p>
      {isErasing && <ErasePerson user={user} onClose={() => setErasing(false)} onDone={onDone} />}
      {isOpen && (
        <Dialog title={s.people.deactivateQuestion(full_name)} onClose={() => setOpen(false)}>
          <p>{s.people.deactivateHint}</p>
          <ActForm
            kind="danger"
            button={s.deactivate}
            questionFor={(form) =>
              form.getAll('erased').length === 0
                ? undefined
                : { title: s.people.eraseQuestion(full_name), text: s.people.eraseHint }
            }
            onAct={(form) =>
              refusalOf(
                deactivateUser(user_id, {
                  comment: form.get('tells') === null ? undefined : String(form.get('comment')),
                  erased: ERASED.filter((name) => form.getAll('erased').includes(name)),
                }),
              )
            }
            onDone={() => {
              announce(s.people.deactivated(full_name))
              onDone()
            }}
            onCancel={() => setOpen(false)}
          >
            <label class="check">
              <input
                type="checkbox"
                name="tells"
                checked={tells}
                onChange={(event) => setTells(event.currentTarget.checked)}
              />
              {s.people.tell}
            </label>
            {tells && (
              <label class="labelled">
                <span>{s.people.comment}</span>
                <textarea class="field" name="comment" rows={2} maxLength={2_000} />
              </label>
            )}
            <details class="settings-details">
              <summary>{s.people.erase}</summary>
              {ERASED.map((name) => (
                <label key={name} class="check">
                  <input type="checkbox" name="erased" value={name} />
                  {s.people.erased[name]}
                </label>
              ))}
            </details>
          </ActForm>
        </Dialog>
      )}
    </>
  )
}
