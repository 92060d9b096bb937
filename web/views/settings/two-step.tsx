import './second-factors.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  addPasskey,
  beginApp,
  confirmApp,
  loadSecondFactors,
  type NewApp,
  type Passkey,
  removeApp,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
} from '../../actions/second-factors.ts'
import { hasPasskeys, NoPasskeyError } from '../../api/passkeys.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/empty.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchFailed, refusalOf, useFetched } from './fetched.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

/** Authenticator app, passkeys and recovery codes. */
export function TwoStep() {
  const factors = useFetched(loadSecondFactors)
  const [codes, setCodes] = useState<readonly string[]>([])
  const { value } = factors
  if (!value) {
    return (
      <Part title={s.security.twoStep}>
        {factors.refusal === undefined ? <Loading label={t.loading} /> : <FetchFailed of={factors} />}
      </Part>
    )
  }
  /** Runs an action, shows the resulting codes, and the new state. */
  const change = async (action: Promise<unknown>, wrong?: string) => {
    const refusal = await refusalOf(
      action.then((made) => {
        if (Array.isArray(made)) setCodes(made)
      }),
      wrong,
    )
    if (refusal === undefined) await factors.reload()
    return refusal
  }
  const hasAny = value.totp_made_at !== null || value.passkeys.length > 0
  return (
    <>
      <Part
        title={s.security.twoStep}
        hint={value.is_required ? s.security.required : s.security.twoStepHint}
      >
        <App madeAt={value.totp_made_at} change={change} />
      </Part>
      <Part title={s.security.passkeys} hint={s.security.passkeysHint}>
        <ul class="items">
          {value.passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} change={change} />
          ))}
        </ul>
        {hasPasskeys() ? (
          <ActForm
            line
            button={s.security.addPasskey}
            onAct={(form) => changeByBrowser(change, addPasskey(String(form.get('name'))))}
          >
            <label class="labelled">
              <span>{s.security.passkeyName}</span>
              <input class="field" name="name" required maxLength={60} />
            </label>
          </ActForm>
        ) : (
          <p class="setting-nothing">{s.security.noPasskeys}</p>
        )}
      </Part>
      {hasAny && (
        <Part title={s.security.codes} hint={s.security.codesLeft(value.recovery_codes_left)}>
          <ActButton
            question={{ title: s.security.newCodesQuestion, text: s.security.newCodesHint }}
            kind="main"
            onAct={() => change(renewRecoveryCodes())}
          >
            {s.security.newCodes}
          </ActButton>
        </Part>
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}

/** Waits for a browser that may make no passkey, and says so in words of the page. */
async function changeByBrowser(
  change: ChangeProps['change'],
  made: Promise<readonly string[]>,
): Promise<string | undefined> {
  try {
    return await change(Promise.resolve(await made))
  } catch (error) {
    return error instanceof NoPasskeyError ? s.security.passkeyNotMade : refusalOf(Promise.reject(error))
  }
}

interface ChangeProps {
  readonly change: (action: Promise<unknown>, wrong?: string) => Promise<string | undefined>
}

function App({ madeAt, change }: ChangeProps & { readonly madeAt: number | null }) {
  const [begun, setBegun] = useState<NewApp>()
  return (
    <div class="setting-row">
      <span>
        {s.security.app}
        <span class="setting-hint">
          {madeAt === null ? s.security.appHint : s.security.appSince(ago(madeAt))}
        </span>
      </span>
      {madeAt === null ? (
        <ActButton onAct={() => refusalOf(beginApp().then(setBegun))}>{s.security.setUp}</ActButton>
      ) : (
        <ActButton
          kind="danger"
          label={s.remove(s.security.app)}
          question={{ title: s.security.removeApp, text: s.security.removeHint }}
          onAct={() => change(removeApp())}
        >
          {s.security.remove}
        </ActButton>
      )}
      {begun && (
        <Dialog title={s.security.app} onClose={() => setBegun(undefined)}>
          <NewAppForm
            app={begun}
            onConfirm={(code) => change(confirmApp(code), s.proof.wrongCode)}
            onDone={() => setBegun(undefined)}
          />
        </Dialog>
      )}
    </div>
  )
}

interface NewAppProps {
  readonly app: NewApp
  /** Resolves to the reason for which the code was refused. */
  readonly onConfirm: (code: string) => Promise<string | undefined>
  readonly onDone?: () => void
}

/** The data for setting up an authenticator app, and the field for its first code. */
export function NewAppForm({ app, onConfirm, onDone }: NewAppProps) {
  const code = useRef<HTMLInputElement>(null)
  // After the dialog has given the focus to its first button.
  useEffect(() => code.current?.focus(), [])
  return (
    <>
      <p>{s.security.scan}</p>
      <img
        class="qr-code"
        src={`data:image/svg+xml,${encodeURIComponent(app.qr_code)}`}
        alt={s.security.qrCode}
      />
      <p>{s.security.orType}</p>
      <div class="totp-key">
        <code class="totp-secret" dir="ltr">
          {app.secret.match(/.{1,4}/g)?.map((part, at) => (
            <span key={at}>{part}</span>
          ))}
        </code>
        <CopyButton value={app.secret} />
      </div>
      <ActForm
        button={s.security.turnOn}
        kind="main"
        onAct={(form) => onConfirm(String(form.get('code')))}
        onDone={onDone}
      >
        <label class="labelled">
          <span>{s.security.firstCode}</span>
          <input
            ref={code}
            class="field"
            name="code"
            inputMode="numeric"
            required
            autocomplete="one-time-code"
          />
        </label>
      </ActForm>
    </>
  )
}

function PasskeyItem({ passkey, change }: ChangeProps & { readonly passkey: Passkey }) {
  const { id, name, made_at, used_at, is_backed_up } = passkey
  const used = used_at === null ? s.security.unused : s.security.used(ago(used_at))
  return (
    <li class="item">
      <span class="item-main">
        <TextRow
          label={s.security.passkeyName}
          value={name}
          required
          maxLength={60}
          onSave={(next) => change(renamePasskey(id, next))}
        />
        <span class="small soft">
          {[s.security.added(ago(made_at)), used, ...(is_backed_up ? [s.security.backedUp] : [])].join(' · ')}
        </span>
      </span>
      <ActButton
        kind="danger"
        label={s.remove(name)}
        question={{ title: s.security.removePasskey(name), text: s.security.removeHint }}
        onAct={() => change(removePasskey(id))}
      >
        {s.security.remove}
      </ActButton>
    </li>
  )
}
