import { useState } from 'preact/hooks'
import { changePassword, fetchApiKey, renewApiKey } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'
import { myself } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { refusalOf } from './fetched.tsx'
import { Devices, Sessions } from './sessions.tsx'
import { ShownKey } from './shown-key.tsx'
import { TwoStep } from './two-step.tsx'

/** How the user logs in, and where the user is logged in. */
export function SecuritySection() {
  return (
    <>
      <Password />
      <TwoStep />
      <Sessions />
      <Devices />
      <ApiKey />
    </>
  )
}

function Password() {
  watch('organization')
  const [isChanged, setChanged] = useState(false)
  const { password_min_length, password_max_length } = state.server
  if (!state.organization.email_auth_enabled) return null
  return (
    <Part title={s.account.password} hint={s.account.passwordHint}>
      <ActForm
        button={s.account.changePassword}
        onAct={(form) => refusalOf(changePassword(String(form.get('old')), String(form.get('new'))))}
        onDone={() => setChanged(true)}
      >
        <label class="labelled">
          <span>{s.account.oldPassword}</span>
          <input class="field" name="old" type="password" required autocomplete="current-password" />
        </label>
        <label class="labelled">
          <span>{s.account.newPassword}</span>
          <input
            class="field"
            name="new"
            type="password"
            required
            minLength={password_min_length}
            maxLength={password_max_length}
            autocomplete="new-password"
          />
        </label>
      </ActForm>
      {isChanged && <p role="status">{s.account.passwordChanged}</p>}
    </Part>
  )
}

/** The key, shown to a user who has lately proved to be there, and a file of it for programs. */
function ApiKey() {
  const [key, setKey] = useState('')
  return (
    <Part title={s.account.apiKey} hint={s.account.apiKeyHint}>
      {key === '' ? (
        <ActButton onAct={() => refusalOf(fetchApiKey().then(setKey))}>{s.account.showKey}</ActButton>
      ) : (
        <>
          <ShownKey value={key}>
            <ActButton
              kind="danger"
              question={{ title: s.account.renewQuestion, text: s.account.renewHint }}
              onAct={() => refusalOf(renewApiKey().then(setKey))}
            >
              {s.account.renewKey}
            </ActButton>
            <ActButton
              onAct={async () => {
                setKey('')
                return undefined
              }}
            >
              {s.hide}
            </ActButton>
          </ShownKey>
          <FileOfKey value={key} />
        </>
      )}
    </Part>
  )
}

/** The settings that programs for terminals and scripts read, under a name that they know. */
function FileOfKey({ value }: { readonly value: string }) {
  const file = `[api]\nemail=${myself(state).delivery_email ?? ''}\nkey=${value}\nsite=${location.origin}\n`
  return (
    <>
      <p class="small soft">{s.account.keyFile}</p>
      <div class="settings-key">
        <pre dir="ltr">{file}</pre>
        <CopyButton value={file} />
      </div>
    </>
  )
}
