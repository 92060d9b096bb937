import { useState } from 'preact/hooks'
import {
  endFormerToken,
  loadProvisioning,
  makeScimToken,
  removeScimToken,
  type ScimToken,
  setManagesOwners,
} from '../../actions/provisioning.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Loading } from '../../ui/empty.tsx'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchFailed, refusalOf, useFetched } from '../settings/fetched.tsx'
import { ShownKey } from '../settings/shown-key.tsx'
import { realName } from '../words.ts'

/** The token with which an identity provider makes and closes accounts by SCIM. */
export function ProvisioningSection() {
  const fetched = useFetched(loadProvisioning)
  const [made, setMade] = useState('')
  const then = async (action: Promise<unknown>) => {
    const refusal = await refusalOf(action)
    if (refusal === undefined) await fetched.reload()
    return refusal
  }
  const { value, refusal } = fetched
  if (refusal !== undefined) return <FetchFailed of={fetched} />
  if (value === undefined) return <Loading label={t.loading} />
  const { base_url, scim_token: token } = value
  const hint = token?.last_used === null ? s.scim.replaceUnusedHint : s.scim.replaceHint
  return (
    <>
      <Part title={s.scim.address} hint={s.scim.hint}>
        <ShownKey value={base_url} />
      </Part>
      <Part title={s.scim.token}>
        {token ? <TokenFacts token={token} /> : <p class="setting-nothing">{s.scim.none}</p>}
        {made !== '' && (
          <>
            <p role="status">{s.scim.shownOnce}</p>
            <ShownKey value={made} />
          </>
        )}
        <p>
          <ActButton
            kind="main"
            question={token ? { title: s.scim.replaceQuestion, text: hint } : undefined}
            onAct={() => then(makeScimToken().then(setMade))}
          >
            {token ? s.scim.replace : s.scim.make}
          </ActButton>
        </p>
      </Part>
      {token && (
        <Part>
          <SwitchRow
            label={s.scim.owners}
            hint={s.scim.ownersHint}
            value={token.manages_owners}
            onSave={(isOn) => then(setManagesOwners(isOn))}
          />
          {token.former_valid_until !== null && (
            <p>
              <ActButton
                question={{ title: s.scim.endFormerQuestion, text: s.scim.endFormerHint }}
                onAct={() => then(endFormerToken())}
              >
                {s.scim.endFormer}
              </ActButton>
            </p>
          )}
          <p>
            <ActButton
              kind="danger"
              question={{ title: s.scim.removeQuestion, text: s.scim.removeHint }}
              onAct={() => then(removeScimToken().then(() => setMade('')))}
            >
              {s.scim.remove}
            </ActButton>
          </p>
        </Part>
      )}
    </>
  )
}

function TokenFacts({ token }: { readonly token: ScimToken }) {
  const { date_created, creator_id, last_used, former_valid_until, former_last_used } = token
  return (
    <p>
      {s.scim.madeBy({ name: realName(creator_id), ago: ago(date_created) })} ·{' '}
      {last_used === null ? s.scim.unused : s.scim.used(ago(last_used))}
      {former_valid_until !== null && (
        <span class="small soft">
          {' '}
          {s.scim.former(wholeTime(former_valid_until))}{' '}
          {former_last_used !== null && s.scim.formerUsed(ago(former_last_used))}
        </span>
      )}
    </p>
  )
}
