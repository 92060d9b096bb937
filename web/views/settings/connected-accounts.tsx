import {
  beginAtProvider,
  disconnect,
  type LoginIdentity,
  loadLoginIdentities,
} from '../../actions/login-providers.ts'
import { versionOf } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf, useFetched } from './fetched.tsx'

/** The log-in providers, and whether each knows the user; nothing where the organization has none. */
export function ConnectedAccounts() {
  const { value, reload } = useFetched(loadLoginIdentities, [versionOf('organization')])
  if (value === undefined || value.length === 0) return null
  return (
    <Part title={s.logIn.connected} hint={s.logIn.connectedHint}>
      <ul class="items">
        {value.map((identity) => (
          <Identity key={identity.provider_slug} of={identity} onChange={reload} />
        ))}
      </ul>
    </Part>
  )
}

function Identity({ of, onChange }: { readonly of: LoginIdentity; readonly onChange: () => Promise<void> }) {
  const { id, provider_slug, display_name, connected_at } = of
  return (
    <li class="item">
      <span class="item-main">
        {display_name}
        <span class="small soft">
          {connected_at === null ? s.logIn.notConnected : s.logIn.connectedSince(ago(connected_at))}
        </span>
      </span>
      {id === null ? (
        <ActButton
          label={`${s.logIn.connect}: ${display_name}`}
          onAct={() =>
            refusalOf(beginAtProvider('connect', provider_slug).then((address) => location.assign(address)))
          }
        >
          {s.logIn.connect}
        </ActButton>
      ) : (
        <ActButton
          label={`${s.logIn.disconnect}: ${display_name}`}
          question={{ title: s.logIn.disconnectQuestion(display_name), text: s.logIn.disconnectWarning }}
          onAct={async () => {
            const refusal = await refusalOf(disconnect(id))
            if (refusal === undefined) await onChange()
            return refusal
          }}
        >
          {s.logIn.disconnect}
        </ActButton>
      )}
    </li>
  )
}
