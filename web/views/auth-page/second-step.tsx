import { useState } from 'preact/hooks'
import { enterCode, logInWithPasskey, type SecondStep } from '../../api/log-in.ts'
import { hasPasskeys } from '../../api/passkeys.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { RecoveryCodes } from '../settings/recovery-codes.tsx'
import { NewAppForm } from '../settings/two-step.tsx'
import { sayWhy } from './say-why.ts'

export { loadSettingsTexts } from '../../texts/settings.ts'

interface SecondStepProps {
  readonly step: SecondStep
  readonly onEnter: () => void
  /** Called when the log-in starts over. */
  readonly onAgain: () => void
}

/** Asks for the second factor after the password, or for setting one up. */
export function SecondStepForm({ step, onEnter, onAgain }: SecondStepProps) {
  const [codes, setCodes] = useState<readonly string[]>([])
  const enter = async (code: string) => {
    try {
      const made = await enterCode(step.ticket, code)
      if (made.length === 0) onEnter()
      else setCodes(made)
      return undefined
    } catch (error) {
      return sayWhy(error)
    }
  }
  const usePasskey = async () => {
    try {
      await logInWithPasskey(step.ticket)
      onEnter()
      return undefined
    } catch (error) {
      return sayWhy(error)
    }
  }
  if (codes.length > 0) {
    return (
      <>
        <h2>{s.security.codesTitle}</h2>
        <RecoveryCodes codes={codes} onClose={onEnter} />
      </>
    )
  }
  return (
    <>
      <h2>{s.security.twoStep}</h2>
      {step.totp ? (
        <>
          <p>{s.security.required}</p>
          <NewAppForm app={step.totp} onConfirm={enter} />
        </>
      ) : (
        <ActForm button={t.auth.logIn} kind="main" onAct={(form) => enter(String(form.get('code')))}>
          <label class="labelled">
            <span>{s.proof.code}</span>
            <input class="field" name="code" required autocomplete="one-time-code" ref={takeFocus} />
          </label>
        </ActForm>
      )}
      {step.has_passkey && hasPasskeys() && (
        <p class="auth-way">
          <ActButton onAct={usePasskey}>{t.auth.passkey}</ActButton>
        </p>
      )}
      <p class="auth-way">
        <Button onClick={onAgain}>{t.cancel}</Button>
      </p>
    </>
  )
}
