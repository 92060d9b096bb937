import { useLayoutEffect, useRef } from 'preact/hooks'
import { beginAtProvider } from '../../actions/login-providers.ts'
import { proofAsked } from '../../actions/proof.ts'
import { askForProof, type ProofQuestion, proveBy, proveByPasskey } from '../../actions/second-factors.ts'
import { hasPasskeys, NoPasskeyError } from '../../api/passkeys.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/empty.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'

export { loadSettingsTexts } from '../../texts/settings.ts'

/** Asks for a proof of identity before an action that a stranger at an open browser must not take. */
export function ProofDialog() {
  const question = useFetched(askForProof)
  const ways = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => ways.current?.querySelector<HTMLElement>('input, button')?.focus(), [question.value])
  const end = (isProved: boolean) => proofAsked.value?.(isProved)
  const prove = async (proof: Promise<void>, wrong: string) => {
    const refusal = await refusalOf(proof, wrong)
    if (refusal === undefined) end(true)
    return refusal
  }
  return (
    <Dialog title={s.proof.title} onClose={() => end(false)}>
      <p>{s.proof.about}</p>
      {question.refusal !== undefined && <FetchFailed of={question} />}
      {question.value === undefined && question.refusal === undefined && <Loading label={t.loading} />}
      <div ref={ways}>
        {question.value?.passkey && hasPasskeys() && (
          <p class="spaced-button">
            <ActButton
              kind="main"
              onAct={async () => {
                try {
                  // Each challenge is valid once.
                  const { passkey } = await askForProof()
                  if (!passkey) return s.security.passkeyNotMade
                  await proveByPasskey(passkey)
                } catch (error) {
                  return error instanceof NoPasskeyError
                    ? s.security.passkeyNotMade
                    : refusalOf(Promise.reject(error))
                }
                end(true)
                return undefined
              }}
            >
              {s.proof.passkey}
            </ActButton>
          </p>
        )}
        {question.value?.code && (
          <ActForm
            button={s.proof.confirm}
            kind="main"
            onAct={(form) => prove(proveBy({ code: String(form.get('code')) }), s.proof.wrongCode)}
          >
            <label class="labelled">
              <span>{s.proof.code}</span>
              <input class="field" name="code" required autocomplete="one-time-code" />
            </label>
          </ActForm>
        )}
        {question.value?.password && (
          <ActForm
            button={s.proof.confirm}
            kind="main"
            onAct={(form) =>
              prove(proveBy({ password: String(form.get('password')) }), s.proof.wrongPassword)
            }
          >
            <label class="labelled">
              <span>{s.account.password}</span>
              <input class="field" name="password" type="password" required autocomplete="current-password" />
            </label>
          </ActForm>
        )}
        {question.value && <AtProviders of={question.value} />}
        {question.value && !hasWayAnywhere(question.value) && (
          <p class="spaced-button">
            {s.proof.otherwise} <a href="/accounts/login/">{t.auth.logIn}</a>
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Whether a proof is possible in any browser: a passkey may be on another device, or this browser may have none. */
function hasWayAnywhere({ code, password, providers }: ProofQuestion): boolean {
  return code || password || providers.length > 0
}

/** Leads to a provider, which asks again, and back to this view, where the action has to be repeated. */
function AtProviders({ of: { providers } }: { readonly of: ProofQuestion }) {
  if (providers.length === 0) return null
  return (
    <>
      {providers.map(({ slug, display_name }) => (
        <p key={slug} class="spaced-button">
          <ActButton
            onAct={() =>
              refusalOf(beginAtProvider('prove', slug).then((address) => location.assign(address)))
            }
          >
            {s.proof.withProvider(display_name)}
          </ActButton>
        </p>
      ))}
      <p class="small soft">{s.proof.comesBack}</p>
    </>
  )
}
