import './auth-page.css'
import { Eye, EyeOff } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { setShared } from '../../actions/forget-kept.ts'
import { isShared } from '../../actions/offline.ts'
import { ApiError, NetworkError } from '../../api/errors.ts'
import {
  logIn,
  logInByClick,
  logInWithPasskey,
  lookAtOrganization,
  type OrganizationAtLogin,
  type PersonAtLogin,
  peopleAtLogin,
  type SecondStep,
  takeNotice,
} from '../../api/log-in.ts'
import { hasPasskeys } from '../../api/passkeys.ts'
import { t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { HtmlText } from '../message/html-text.tsx'
import { OtherWays } from './other-ways.tsx'
import { sayWhy } from './say-why.ts'

const SecondStepForm = onDemand(async () => {
  const { SecondStepForm: form, loadSettingsTexts } = await import('./second-step.tsx')
  await loadSettingsTexts()
  return form
})

interface AuthPageProps {
  /** Called once the browser has a session. */
  readonly onEnter: () => void
  /** Whether there was a session, which has ended without the user's doing. */
  readonly hasEnded?: boolean
}

/** The page for logging in. */
export function AuthPage({ onEnter, hasEnded = false }: AuthPageProps) {
  const [organization, setOrganization] = useState<OrganizationAtLogin>()
  const [people, setPeople] = useState<readonly PersonAtLogin[]>([])
  const [notice] = useState(takeNotice)
  const [failure, setFailure] = useState<unknown>()
  /** Whether it is of what was typed, beside which the reason then stands. */
  const [isOfForm, setOfForm] = useState(false)
  const [isPasswordShown, setPasswordShown] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [step, setStep] = useState<SecondStep>()

  const look = () => {
    setFailure(undefined)
    lookAtOrganization().then((found) => {
      setOrganization(found)
      document.title = found.name
    }, setFailure)
    peopleAtLogin().then(setPeople)
  }
  useEffect(look, [])

  const enter = async (knock: () => Promise<SecondStep | undefined>, byForm = false) => {
    setBusy(true)
    setFailure(undefined)
    setOfForm(byForm)
    try {
      const next = await knock()
      setBusy(false)
      if (next) setStep(next)
      else onEnter()
    } catch (error) {
      // The page says how to reactivate it.
      if (error instanceof ApiError && error.code === 'REALM_DEACTIVATED')
        location.assign('/accounts/deactivated/')
      setFailure(error)
      setBusy(false)
    }
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    enter(() => logIn(String(form.get('username')), String(form.get('password'))), true)
  }

  const refusal = failure === undefined ? '' : sayWhy(failure)
  const isLost = failure instanceof NetworkError
  if (!organization) {
    return (
      <main class="auth">
        {refusal ? (
          <Empty title={isLost ? t.auth.unreachable : refusal}>
            {isLost && <p>{refusal}</p>}
            <Button onClick={look}>{t.tryAgain}</Button>
          </Empty>
        ) : (
          <Loading label={t.loading} />
        )}
      </main>
    )
  }
  return (
    <main class="auth">
      <div class="auth-card">
        <div class="auth-head">
          {organization.icon && <Avatar url={organization.icon} name={organization.name} size={44} />}
          <h1>
            <bdi>{organization.name}</bdi>
          </h1>
        </div>
        <div class="auth-about">
          <HtmlText html={organization.description} />
        </div>
        {(notice || hasEnded) && <p role="status">{notice ?? t.auth.ended}</p>}
        {refusal && !isOfForm && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        {step ? (
          <SecondStepForm step={step} onEnter={onEnter} onAgain={() => setStep(undefined)} />
        ) : (
          ways(organization)
        )}
      </div>
    </main>
  )

  function ways({ hasPassword, isOpenToTheWeb, otherWays }: OrganizationAtLogin) {
    return (
      <>
        {people.length > 0 && (
          <>
            <p class="small soft">{t.auth.comeInAs}</p>
            <ul class="auth-people">
              {people.map((person) => (
                <li key={person.email}>
                  <button
                    type="button"
                    class="auth-person"
                    disabled={isBusy}
                    onClick={() => enter(() => logInByClick(person.email))}
                  >
                    <Avatar url={undefined} name={person.full_name} size={28} />
                    <span class="one-line">{person.full_name}</span>
                    <span>{wordFor(t.roles, person.role) ?? ''}</span>
                  </button>
                </li>
              ))}
            </ul>
            <div class="auth-or">{t.auth.orWithPassword}</div>
          </>
        )}
        <form onSubmit={onSubmit} hidden={!hasPassword}>
          <label class="labelled">
            <span>{t.auth.email}</span>
            <input
              class="field"
              name="username"
              type="email"
              autocomplete="username"
              required
              // Where fingers type, that would open the keyboard over the page.
              ref={matchMedia('(pointer: fine)').matches ? takeFocus : undefined}
            />
          </label>
          <div class="labelled auth-password">
            <label htmlFor="password">{t.auth.password}</label>
            <input
              class="field"
              id="password"
              name="password"
              // The types tell fields with a list from others, not by an expression.
              type={(isPasswordShown ? 'text' : 'password') as 'password'}
              autocomplete="current-password"
              required
              aria-invalid={isOfForm && refusal ? true : undefined}
              aria-describedby="password-refusal"
            />
            <button
              type="button"
              class="icon-button auth-eye"
              aria-label={t.auth.showPassword}
              aria-pressed={isPasswordShown}
              onClick={() => setPasswordShown(!isPasswordShown)}
            >
              <Icon name={isPasswordShown ? EyeOff : Eye} />
            </button>
          </div>
          {/* It has its room already, so that nothing moves. */}
          <p class="auth-refusal" id="password-refusal">
            {isOfForm && refusal && <span role="alert">{refusal}</span>}
          </p>
          <Button type="submit" kind="main" disabled={isBusy}>
            {t.auth.logIn}
          </Button>
        </form>
        {hasPassword && hasPasskeys() && (
          <p class="auth-way">
            <Button disabled={isBusy} onClick={() => enter(() => logInWithPasskey())}>
              {t.auth.passkey}
            </Button>
          </p>
        )}
        <OtherWays ways={otherWays} />
        <label class="check auth-shared">
          <input
            type="checkbox"
            checked={isShared.value}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <span>
            {t.auth.shared}
            <span class="small soft">{t.auth.sharedHint}</span>
          </span>
        </label>
        <p class="auth-links">
          {hasPassword && <a href="/accounts/password/reset/">{t.auth.forgotten}</a>}
          {isOpenToTheWeb && <a href="/public">{t.auth.readPublic}</a>}
          <a href="/find">{t.auth.find}</a>
        </p>
      </>
    )
  }
}
