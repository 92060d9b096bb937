import { createAccount } from '../../actions/accounts.ts'
import { state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Makes an account without an invitation. */
export function CreateAccount() {
  return (
    <Part>
      <details class="settings-details">
        <summary>{s.people.create}</summary>
        <p class="setting-hint">{s.people.createHint}</p>
        <ActForm
          kind="main"
          button={s.people.create}
          onAct={(form) => {
            const entered = {
              email: String(form.get('email')).trim(),
              full_name: String(form.get('name')).trim(),
              password: String(form.get('password')),
            }
            return refusalOf(createAccount(entered).then(() => announce(s.people.created(entered.full_name))))
          }}
        >
          <label class="labelled">
            <span>{s.account.email}</span>
            <input class="field" name="email" type="email" required maxLength={254} autocomplete="off" />
          </label>
          <label class="labelled">
            <span>{s.profile.name}</span>
            <input class="field" name="name" required maxLength={100} autocomplete="off" />
          </label>
          <label class="labelled">
            <span>{s.people.firstPassword}</span>
            <input
              class="field"
              name="password"
              type="password"
              required
              minLength={state.server.password_min_length}
              maxLength={state.server.password_max_length}
              autocomplete="new-password"
            />
          </label>
        </ActForm>
      </details>
    </Part>
  )
}
