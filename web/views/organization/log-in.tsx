import { useState } from 'preact/hooks'
import {
  addLoginProvider,
  changeLoginProvider,
  type LoginProvider,
  loadLoginProviders,
  removeLoginProvider,
  testLoginProvider,
} from '../../actions/login-providers.ts'
import { saveOrganization } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { JsonWebTokens } from './json-web-tokens.tsx'
import { ProviderForm } from './login-provider-form.tsx'

/** How people log in: the providers, and whether passwords count. */
export function LogInSection() {
  watch('organization', 'group')
  const providers = useFetched(loadLoginProviders)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Part title={s.logIn.providers} hint={s.logIn.hint}>
        <FetchedList of={providers} nothing={s.logIn.none}>
          {(list) => (
            <ul class="items">
              {list.map((provider) => (
                <ProviderRow key={provider.id} provider={provider} onChange={providers.reload} />
              ))}
            </ul>
          )}
        </FetchedList>
        {isAdding ? (
          <ProviderForm
            button={s.add}
            onSave={addLoginProvider}
            onDone={providers.reload}
            onEnd={() => setAdding(false)}
          />
        ) : (
          <Button onClick={() => setAdding(true)}>{s.logIn.newProvider}</Button>
        )}
      </Part>
      <Passwords />
      <Access />
      <JsonWebTokens />
    </>
  )
}

interface ProviderRowProps {
  readonly provider: LoginProvider
  readonly onChange: () => Promise<void>
}

function ProviderRow({ provider, onChange }: ProviderRowProps) {
  const { id, display_name, preset, issuer, is_enabled } = provider
  const [isChanging, setChanging] = useState(false)
  const [tested, setTested] = useState('')
  if (isChanging) {
    return (
      <li class="item">
        <ProviderForm
          button={t.save}
          before={provider}
          onSave={(entered) => changeLoginProvider(id, entered)}
          onDone={onChange}
          onEnd={() => setChanging(false)}
        />
      </li>
    )
  }
  const test = async () => {
    setTested(s.logIn.testing)
    const refusal = await refusalOf(
      testLoginProvider(id).then((problem) => setTested(problem ?? s.logIn.works)),
    )
    if (refusal !== undefined) setTested('')
    return refusal
  }
  const remove = async () => {
    const refusal = await refusalOf(removeLoginProvider(id))
    if (refusal === undefined) await onChange()
    return refusal
  }
  return (
    <li class="item">
      <span class="item-main">
        {display_name}
        {!is_enabled && <strong> {s.logIn.off}</strong>}
        <span class="small soft">
          {s.logIn.presets[preset]} · {issuer}
        </span>
        <span class="small" role="status">
          {tested}
        </span>
      </span>
      <span class="item-end">
        <ActButton label={`${s.logIn.test}: ${display_name}`} onAct={test}>
          {s.logIn.test}
        </ActButton>
        <Button label={`${s.change}: ${display_name}`} onClick={() => setChanging(true)}>
          {s.change}
        </Button>
        <ActButton
          label={s.remove(display_name)}
          question={{ title: s.logIn.removeQuestion(display_name), text: s.logIn.removeHint }}
          onAct={remove}
        >
          {s.removeShort}
        </ActButton>
      </span>
    </li>
  )
}

const methodsNow = () => state.organization.authentication_methods

/** Turns a way to log in on or off; the others stay as they are. */
function turnMethod(name: string, isOn: boolean): Promise<string | undefined> {
  return refusalOf(saveOrganization('authentication_methods', { [name]: isOn }))
}

/** The switch for passwords. Without them there is only single sign-on. */
function Passwords() {
  const isOn = methodsNow().Email?.enabled !== false
  return (
    <Part title={s.logIn.passwords} hint={isOn ? s.logIn.passwordsOn : s.logIn.passwordsOff}>
      {isOn ? (
        <ActButton
          kind="danger"
          question={{ title: s.logIn.onlySsoQuestion, text: s.logIn.onlySsoHint }}
          onAct={() => turnMethod('Email', false)}
        >
          {s.logIn.onlySso}
        </ActButton>
      ) : (
        <ActButton onAct={() => turnMethod('Email', true)}>{s.logIn.allowPasswords}</ActButton>
      )}
    </Part>
  )
}

/** The switch for log-ins by Cloudflare Access, if the server is behind it. */
function Access() {
  const access = methodsNow().RemoteUser
  if (!access) return null
  return (
    <Part title={s.logIn.access} hint={access.enabled ? s.logIn.accessOn : s.logIn.accessOff}>
      <ActButton onAct={() => turnMethod('RemoteUser', !access.enabled)}>
        {access.enabled ? s.logIn.turnAccessOff : s.logIn.turnAccessOn}
      </ActButton>
    </Part>
  )
}
