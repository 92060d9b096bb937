import { type Erasure, erasePerson } from '../../actions/erasures.ts'
import type { User } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'

interface ErasePersonProps {
  readonly user: User
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks what becomes of the messages, and erases a person for good. */
export function ErasePerson({ user, onClose, onDone }: ErasePersonProps) {
  const { user_id, full_name } = user
  return (
    <Dialog title={s.erasure.question(full_name)} onClose={onClose}>
      <p>{s.erasure.about}</p>
      <ActForm
        kind="danger"
        button={s.erasure.erase}
        questionFor={() => ({ title: s.erasure.question(full_name), text: s.erasure.forGood })}
        onAct={(form) => refusalOf(erasePerson(user_id, form.get('messages') as Erasure['messages']))}
        onDone={() => {
          announce(s.erasure.begun)
          onDone()
        }}
        onCancel={onClose}
      >
        <label class="labelled">
          <span>{s.erasure.messages}</span>
          <select class="field" name="messages">
            <option value="keep">{s.erasure.keep}</option>
            <option value="remove">{s.erasure.remove}</option>
          </select>
        </label>
      </ActForm>
    </Dialog>
  )
}
