import { useState } from 'preact/hooks'
import { hasJwtSecret, makeJwtSecret, removeJwtSecret } from '../../actions/jwt-secret.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Loading } from '../../ui/empty.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'
import { ShownKey } from '../settings/shown-key.tsx'

/** The secret with which another system of the organization signs tokens that log people in. */
export function JsonWebTokens() {
  const fetched = useFetched(hasJwtSecret)
  const [made, setMade] = useState('')
  const then = async (action: Promise<unknown>) => {
    const refusal = await refusalOf(action)
    if (refusal === undefined) await fetched.reload()
    return refusal
  }
  const { value: isSet, refusal } = fetched
  return (
    <Part title={s.logIn.tokens} hint={s.logIn.tokensHint}>
      {refusal !== undefined && <FetchFailed of={fetched} />}
      {isSet === undefined && refusal === undefined && <Loading label={t.loading} />}
      {isSet === false && <p class="setting-nothing">{s.logIn.noSecret}</p>}
      {made !== '' && (
        <>
          <p role="status">{s.logIn.secretShownOnce}</p>
          <ShownKey value={made} />
        </>
      )}
      {isSet !== undefined && (
        <p>
          <ActButton
            question={
              isSet ? { title: s.logIn.replaceSecretQuestion, text: s.logIn.replaceSecretHint } : undefined
            }
            onAct={() => then(makeJwtSecret().then(setMade))}
          >
            {isSet ? s.logIn.replaceSecret : s.logIn.makeSecret}
          </ActButton>
        </p>
      )}
      {isSet && (
        <p>
          <ActButton
            kind="danger"
            question={{ title: s.logIn.removeSecretQuestion, text: s.logIn.removeSecretHint }}
            onAct={() => then(removeJwtSecret().then(() => setMade('')))}
          >
            {s.logIn.removeSecret}
          </ActButton>
        </p>
      )}
    </Part>
  )
}
